import type { EventFacts } from '../alerts/event-facts.ts';
import { localDate, type LocalDate } from '../time/dates.ts';
import { changedKinds } from './changed-kinds.ts';
import type { StatusEvent } from './status-events.ts';
import type { ToldStatus } from './told-status.ts';

/** Minutes of `[-]HH:MM:SS`, seconds as their fraction. */
const minutesOf = (variation: string | undefined): number | undefined => {
  if (variation === undefined) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = variation.replace('-', '').split(':').map(Number);
  const size = hours * 60 + minutes + seconds / 60;
  return variation.startsWith('-') ? -size : size;
};

const dateOf = ({ times }: ToldStatus['departure'] | ToldStatus['arrival']): LocalDate | undefined =>
  times?.scheduled && localDate(times.scheduled.local.slice(0, 10));

/**
 * What alerts choose a status event by: the flight as it was scheduled. A flight of which nobody has said when it arrives is
 * taken to arrive on the day on which it departs.
 */
export const statusEventFacts = ({ told, changes }: StatusEvent): EventFacts => {
  const { flightType, isOperating, carrierCode, flightNumber, departure, arrival, originationDate } = told;
  const departureDate = dateOf(departure) ?? localDate(originationDate.local.slice(0, 10));
  return {
    kind: 'status',
    flightType,
    isMarketing: !isOperating,
    iataCarrierCode: carrierCode.iata ?? '',
    icaoCarrierCode: carrierCode.icao ?? '',
    flightNumber: Number(flightNumber),
    departureAirport: departure.scheduled.airport?.iata ?? '',
    arrivalAirport: arrival.scheduled.airport?.iata ?? '',
    departureDate,
    arrivalDate: dateOf(arrival) ?? departureDate,
    ...changedKinds(changes),
    outGateVariationMinutes: minutesOf(departure.times?.estimated?.outGateVariation),
    inGateVariationMinutes: minutesOf(arrival.times?.estimated?.inGateVariation),
  };
};
