import type { StatusDetails } from '../../../../generated/flight-info/v2/types.gen.ts';

/** The registration that a status tells. */
export const getRegistration = ({ equipment }: StatusDetails): string | undefined =>
  equipment?.aircraftRegistrationNumber;

/** A status that says nothing of which aircraft flies; its type may stay, for others are of it too. */
export const redactRegistration = ({ equipment, ...status }: StatusDetails): StatusDetails => {
  const { state, updatedAt, ...rest } = status;
  const { aircraftRegistrationNumber: _, ...others } = equipment ?? {};
  return { state, updatedAt, ...(Object.keys(others).length > 0 && { equipment: others }), ...rest };
};

/** The same status with the registration again, byte for byte as `showStatus` writes it. */
export const restoreRegistration = (status: StatusDetails, registration: string): StatusDetails => {
  const { state, updatedAt, equipment, ...rest } = redactRegistration(status);
  return { state, updatedAt, equipment: { aircraftRegistrationNumber: registration, ...equipment }, ...rest };
};
