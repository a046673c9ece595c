import type { PropertyChange } from '../../../../domain/events/property-changes.ts';
import type { StatusPropertyName } from '../../../../domain/events/status-properties.ts';
import type { StatusEventBody } from './event-body.ts';

const REGISTRATION: StatusPropertyName = 'Equipment.AircraftRegistrationNumber';

const redactChange = (
  change: PropertyChange<StatusPropertyName>,
  registration: string,
): PropertyChange<StatusPropertyName> =>
  change.propertyName === REGISTRATION && change.previousValue === registration
    ? { propertyName: REGISTRATION }
    : change;

/**
 * The body of a status event, JSON, without a registration, be it told as the aircraft that flies or as the one before. That the aircraft
 * changed stays, for alerts chose the event by it.
 */
export const redactRegistration = (body: string, registration: string): string => {
  const event: StatusEventBody = JSON.parse(body);
  const { aircraftRegistrationNumber, ...others } = event.equipment ?? {};
  const told = aircraftRegistrationNumber === registration ? others : event.equipment;
  return JSON.stringify({
    ...event,
    equipment: told && Object.keys(told).length > 0 ? told : undefined,
    changes: event.changes?.map((change) => redactChange(change, registration)),
  });
};
