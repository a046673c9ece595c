import type { Change } from '../../../../domain/events/changes-between.ts';
import type { StatusPropertyName } from '../../../../domain/events/status-properties.ts';
import type { StatusEventBody } from './to-status-event.ts';

const NAME: StatusPropertyName = 'Equipment.AircraftRegistrationNumber';

const changeWithout = (change: Change<StatusPropertyName>, registration: string): Change<StatusPropertyName> =>
  change.propertyName === NAME && change.previousValue === registration ? { propertyName: NAME } : change;

/**
 * The body of a status event, JSON, without a registration, be it told as the aircraft that flies or as the one before. That the aircraft
 * changed stays, for alerts chose the event by it.
 */
export const bodyWithout = (body: string, registration: string): string => {
  const event: StatusEventBody = JSON.parse(body);
  const { aircraftRegistrationNumber, ...others } = event.equipment ?? {};
  const told = aircraftRegistrationNumber === registration ? others : event.equipment;
  return JSON.stringify({
    ...event,
    equipment: told && Object.keys(told).length > 0 ? told : undefined,
    changes: event.changes?.map((change) => changeWithout(change, registration)),
  });
};
