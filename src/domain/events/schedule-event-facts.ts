import type { EventFacts } from '../alerts/event-facts.ts';
import { localDate } from '../time/dates.ts';
import type { ToldSchedule } from './told-schedule.ts';

/** What alerts choose a schedule event by. Whether the designator only sells the flight is not told by the event itself. */
export const scheduleEventFacts = (
  { carrierCode, flightNumber, departure, arrival }: ToldSchedule,
  isMarketing: boolean,
): EventFacts => ({
  kind: 'schedule',
  flightType: 'Scheduled',
  isMarketing,
  iataCarrierCode: carrierCode.iata ?? '',
  icaoCarrierCode: carrierCode.icao ?? '',
  flightNumber,
  departureAirport: departure.airport.iata ?? '',
  arrivalAirport: arrival.airport.iata ?? '',
  departureDate: localDate(departure.date.local),
  arrivalDate: localDate(arrival.date.local),
});
