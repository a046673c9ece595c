import type { FlightInstance, ScheduledEnd } from '../../../../../generated/flight-info/v2/types.gen.ts';
import type { ScheduleContent } from '../../../../domain/events/event-content.ts';
import { localDate } from '../../../../domain/time/dates.ts';
import { omitIfEmpty, parseInstance, type StoredInstance } from './stored-instance.ts';

/** An unknown terminal is '' in the list row and absent in events. */
const toScheduledEnd = ({ airport, country, terminal, date, time }: ScheduledEnd): ScheduleContent['departure'] => ({
  airport,
  ...(country && { country }),
  ...(terminal && { terminal }),
  date,
  time,
});

const intervalDays = ({ departure, arrival }: FlightInstance): number =>
  localDate(arrival.date.local) - localDate(departure.date.local);

/** Returns the event content of a scheduled instance; throws for an unscheduled flight. */
export const toScheduleContent = (stored: StoredInstance): ScheduleContent => {
  const row = parseInstance(stored);
  const { scheduleInstanceKey, aircraftType, serviceType, segmentInfo, seatingCapacity } = row;
  if (scheduleInstanceKey === undefined)
    throw new Error(`flight ${row.statusKey} is in no schedule, and has no schedule events`);
  const type = omitIfEmpty(aircraftType);
  const seats = omitIfEmpty(seatingCapacity?.actual);
  return {
    carrierCode: row.carrier,
    serviceSuffix: row.serviceSuffix ?? '',
    flightNumber: row.flightNumber,
    ...(row.sequenceNumber !== undefined && { sequenceNumber: row.sequenceNumber }),
    departure: toScheduledEnd(row.departure),
    arrival: toScheduledEnd(row.arrival),
    ...(type && { aircraftType: type }),
    ...(serviceType.iata && { serviceTypeCode: { iata: serviceType.iata } }),
    arrivalIntervalDays: intervalDays(row),
    ...(segmentInfo.numberOfStops === 0 && { legArrivalIntervalDays: intervalDays(row) }),
    segmentInfo,
    codeshare: row.codeshare,
    bookingClasses: row.bookingClasses,
    freightClasses: row.freightClasses,
    restrictions: row.restrictions,
    planeChangeWithoutAircraftChange: row.planeChangeWithoutAircraftChange,
    onTimePerformance: row.onTimePerformance,
    inFlightServices: row.inFlightServices,
    automatedCheckIn: row.automatedCheckIn,
    electronicTicketing: row.electronicTicketing,
    secureFlightIndicator: row.secureFlightIndicator,
    governmentApproval: row.governmentApproval,
    ...(seats && { seatingCapacity: { actual: seats } }),
    scheduleInstanceKey,
    statusKey: row.statusKey,
  };
};
