import type { PropertyChange, StatusPropertyName } from './event-properties.ts';
import type { StatusEventBody } from './event-content.ts';

const REGISTRATION: StatusPropertyName = 'Equipment.AircraftRegistrationNumber';

const redactChange = (
  change: PropertyChange<StatusPropertyName>,
  registration: string,
): PropertyChange<StatusPropertyName> =>
  change.propertyName === REGISTRATION && change.previousValue === registration
    ? { propertyName: REGISTRATION }
    : change;

/**
 * Removes a registration from the JSON body of a status event, whether it is the current or the previous value. The change
 * itself stays: alerts selected the event by it.
 */
export const redactRegistration = (body: string, registration: string): string => {
  const event: StatusEventBody = JSON.parse(body);
  const { aircraftRegistrationNumber, ...others } = event.equipment ?? {};
  const equipment = aircraftRegistrationNumber === registration ? others : event.equipment;
  return JSON.stringify({
    ...event,
    equipment: equipment && Object.keys(equipment).length > 0 ? equipment : undefined,
    changes: event.changes?.map((change) => redactChange(change, registration)),
  });
};
