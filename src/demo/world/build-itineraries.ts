import { parseConfiguration } from '#domain/schedule/cabins.ts';
import { formatMealNote } from '#domain/schedule/segments.ts';
import type { ScheduleLeg, Seats, Itinerary, LegEnd } from '#domain/schedule/schedule.ts';
import { getAirport, findTerminal } from './airports.ts';
import { getAirline, getConfiguration } from './carriers.ts';
import { isSurface } from './equipment.ts';
import type { TimetableLeg, TimetableFlight } from './timetable.ts';
import {
  toDate,
  type LocalDate,
  type LocalMinute,
  toMinuteOfDay,
  MINUTES_A_DAY,
  type UtcMinute,
} from '#domain/time/dates.ts';
import { shiftPeriod, type DateSpan } from '#domain/time/period.ts';
import { getUtcOffset } from '#domain/time/zones.ts';
import {
  addUtcMinutes,
  computeLegTimes,
  type TimedLeg,
  toDepartureInstant,
  type OffsetPeriod,
  splitAtClockChanges,
} from './leg-times.ts';

/** Countries and territories with the entry rules of the United States (Secure Flight). */
const unitedStates = new Set(['US', 'AS', 'GU', 'MP', 'PR', 'VI']);

/** Returns the booking designators of the cabins of an aircraft, the full fare first. */
const buildBookingClasses = (seats: Seats | undefined, service: string): string =>
  [
    seats?.first ? 'FA' : '',
    seats?.business ? 'JCDI' : '',
    seats?.premiumEconomy ? 'WE' : '',
    seats?.economy ? (service === 'full' ? 'YBMHKLQ' : 'YMK') : '',
  ].join('');

/** Returns the meal code by local departure time: breakfast, lunch, dinner, a snack at night, refreshments on a short flight. */
const chooseMeal = (departs: number, minutes: number): string => {
  if (minutes < 90) return 'R';
  if (departs < 600) return 'B';
  if (departs < 900) return 'L';
  return departs < 1320 ? 'D' : 'S';
};

/** Returns the facts of a leg other than route and times: those of its airline and aircraft type, and its overrides. */
const buildLegFacts = (
  carrier: string,
  leg: TimetableLeg,
  times: { readonly departs: number; readonly minutes: number },
) => {
  const airline = getAirline(carrier);
  const isVehicle = isSurface(leg.equipment);
  const meal = airline.service === 'full' ? chooseMeal(times.departs, times.minutes) : 'G';
  const configuration = leg.overrides?.configuration ?? getConfiguration(carrier, leg.equipment);
  const seats = parseConfiguration(configuration)?.seats;
  const bookingClasses = buildBookingClasses(seats, airline.service);
  const touchesUnitedStates = [leg.from, leg.to].some((station) => unitedStates.has(getAirport(station).countryCode));
  const noCompany = { code: '', name: '' };
  return {
    configuration,
    bookingClasses,
    bookingModifiers: '',
    meals: isVehicle || airline.service === 'none' ? '' : formatMealNote(`//${meal}`, bookingClasses),
    jointOperators: [],
    secureFlight: seats && touchesUnitedStates ? 'S' : '',
    aircraftOwner: noCompany,
    cockpitCrew: noCompany,
    cabinCrew: noCompany,
    disclosure: '',
    trafficRestrictions: '',
    electronicTicketing: seats ? true : undefined,
    inFlightServices: seats && !isVehicle ? airline.inFlightServices : [],
    ...leg.overrides,
  } satisfies Partial<ScheduleLeg>;
};

/** An instant, and the date on which the flight departs from its first station. */
type LegInstant = { readonly utc: UtcMinute; readonly origin: LocalDate };

const toLocalTimes = (station: string, { utc, origin }: LegInstant) => {
  const utcVariationMinutes = getUtcOffset(getAirport(station).zone, utc);
  const local = (utc + utcVariationMinutes) as LocalMinute;
  const aircraftMinutes = toMinuteOfDay(local);
  return { station, terminal: '', utcVariationMinutes, aircraftMinutes, dateVariation: toDate(local) - origin };
};

/** Returns station and times of a departure, without terminal. */
const buildDepartureEnd = (leg: TimetableLeg, instant: LegInstant): LegEnd => {
  const times = toLocalTimes(leg.from, instant);
  const passengerMinutes = times.aircraftMinutes - (leg.passengerMinutes?.[0] ?? 0);
  return { ...times, passengerMinutes, mctStatus: leg.mctStatus?.[0] ?? '' };
};

/** Returns station and times of an arrival, without terminal. Midnight is filed as 2400 of the day before. */
const buildArrivalEnd = (leg: TimetableLeg, instant: LegInstant): LegEnd => {
  const times = toLocalTimes(leg.to, instant);
  const isMidnight = times.aircraftMinutes === 0;
  const aircraftMinutes = isMidnight ? MINUTES_A_DAY : times.aircraftMinutes;
  const passengerMinutes = aircraftMinutes + (isMidnight ? 0 : (leg.passengerMinutes?.[1] ?? 0));
  const dateVariation = times.dateVariation - (isMidnight ? 1 : 0);
  return { ...times, aircraftMinutes, passengerMinutes, dateVariation, mctStatus: leg.mctStatus?.[1] ?? '' };
};

type LegContext = { readonly flight: TimetableFlight; readonly period: OffsetPeriod; readonly sequence: number };

/** Line numbers are 0 until the whole world is built. */
const buildLeg = ({ leg, departs, arrives }: TimedLeg, { flight, period, sequence }: LegContext): ScheduleLeg => {
  const { carrier, flightNumber, suffix, serviceType, variation, variations, days, everyWeeks } = flight;
  const origin = period.from;
  const start = toDepartureInstant(flight, origin);
  const departure = buildDepartureEnd(leg, { utc: addUtcMinutes(start, departs), origin });
  const arrival = buildArrivalEnd(leg, { utc: addUtcMinutes(start, arrives), origin });
  const facts = buildLegFacts(carrier, leg, { departs: departure.aircraftMinutes, minutes: arrives - departs });
  const usesTerminals = facts.bookingClasses !== '' && !isSurface(leg.equipment);
  const toTerminal = (station: string): string => (usesTerminals ? findTerminal(station, carrier) : '');
  return {
    carrier,
    flightNumber,
    suffix,
    line: 0,
    itinerary: period.changes * variations + variation,
    sequence,
    serviceType,
    timeMode: 'local',
    period: shiftPeriod({ from: period.from, to: period.to, days, everyWeeks }, departure.dateVariation),
    departure: { ...departure, terminal: toTerminal(leg.from) },
    arrival: { ...arrival, terminal: toTerminal(leg.to) },
    equipment: leg.equipment,
    ...facts,
  };
};

/** Returns the itineraries of a flight that departs from its first station within a span, one for each offset period. */
export const buildItineraries = (flight: TimetableFlight, span: DateSpan): readonly Itinerary[] => {
  const [firstLeg, ...otherLegs] = computeLegTimes(flight);
  if (!firstLeg) return [];
  return splitAtClockChanges(flight, span).map((period) => ({
    legs: [
      buildLeg(firstLeg, { flight, period, sequence: 1 }),
      ...otherLegs.map((leg, index) => buildLeg(leg, { flight, period, sequence: index + 2 })),
    ],
    segmentData: flight.elements,
    complete: true,
  }));
};
