import type { StatusDetails } from '#generated/flight-info/v2/types.gen.ts';

/** Returns the registration in a status. */
export const getRegistration = ({ equipment }: StatusDetails): string | undefined =>
  equipment?.aircraftRegistrationNumber;

/** Removes the registration from a status; the aircraft type stays, because it identifies no aircraft. */
export const redactRegistration = ({ equipment, ...status }: StatusDetails): StatusDetails => {
  const { state, updatedAt, ...rest } = status;
  const { aircraftRegistrationNumber: _, ...others } = equipment ?? {};
  return { state, updatedAt, ...(Object.keys(others).length > 0 && { equipment: others }), ...rest };
};

/** Adds the registration to a redacted status, byte for byte as `toStatusDetails` renders it. */
export const restoreRegistration = (status: StatusDetails, registration: string): StatusDetails => {
  const { state, updatedAt, equipment, ...rest } = redactRegistration(status);
  return { state, updatedAt, equipment: { aircraftRegistrationNumber: registration, ...equipment }, ...rest };
};
