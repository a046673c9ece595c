import type { ScheduleEventFacts, StatusEventFacts } from '#domain/alerts/event-facts.ts';
import { localDate } from '#domain/time/dates.ts';

/** A change in the schedule of ZZ101 from AAA to BBB on 1 March 2027, with arrival on the next day. */
export const scheduleEvent: ScheduleEventFacts = {
  kind: 'schedule',
  flightType: 'Scheduled',
  isMarketing: false,
  iataCarrierCode: 'ZZ',
  icaoCarrierCode: 'ZZA',
  flightNumber: 101,
  departureAirport: 'AAA',
  arrivalAirport: 'BBB',
  departureDate: localDate('2027-03-01'),
  arrivalDate: localDate('2027-03-02'),
};

/** An update of its status with a change outside of the alert filters. */
export const statusEvent: StatusEventFacts = {
  ...scheduleEvent,
  kind: 'status',
  changed: new Set(),
  changedElse: true,
  outGateVariationMinutes: undefined,
  inGateVariationMinutes: undefined,
};
