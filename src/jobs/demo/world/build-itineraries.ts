import type { Itinerary, LegEnd, ScheduleLeg, SegmentData } from '../../../domain/schedule/schedule.ts';
import {
  toDate,
  type LocalDate,
  type LocalMinute,
  toMinuteOfDay,
  MINUTES_A_DAY,
  type UtcMinute,
} from '../../../domain/time/dates.ts';
import { shiftPeriod } from '../../../domain/time/period.ts';
import { getUtcOffset } from '../../../domain/time/zones.ts';
import { findTerminal, getAirport } from './airports.ts';
import { isSurface } from './equipment.ts';
import { buildLegFacts } from './leg-facts.ts';
import { addUtcMinutes, computeLegTimes, type TimedLeg, toDepartureInstant } from './leg-times.ts';
import type { DateSpan } from '../../../domain/time/period.ts';
import { type OffsetPeriod, splitAtClockChanges } from './offset-periods.ts';
import type { TimetableFlight, TimetableLeg } from './timetable.ts';

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
  const mctStatus = leg.mctStatus?.[1] ?? '';
  if (times.aircraftMinutes === 0)
    return {
      ...times,
      aircraftMinutes: MINUTES_A_DAY,
      passengerMinutes: MINUTES_A_DAY,
      dateVariation: times.dateVariation - 1,
      mctStatus,
    };
  return { ...times, passengerMinutes: times.aircraftMinutes + (leg.passengerMinutes?.[1] ?? 0), mctStatus };
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

const buildSegmentData = ({ legs, elements }: TimetableFlight): readonly SegmentData[] => {
  const stations = [legs[0].from, ...legs.map(({ to }) => to)];
  return elements.map(({ dei, from, to, data }) => ({
    dei,
    boardStation: stations[from] ?? '',
    offStation: stations[to] ?? '',
    boardIndex: from,
    offIndex: to,
    data,
    line: 0,
  }));
};

/**
 * Returns the itineraries of a flight that departs from its first station within a span, one for each offset period.
 */
export const buildItineraries = (flight: TimetableFlight, span: DateSpan): readonly Itinerary[] => {
  const [firstLeg, ...otherLegs] = computeLegTimes(flight);
  const segmentData = buildSegmentData(flight);
  if (!firstLeg) return [];
  return splitAtClockChanges(flight, span).map((period) => ({
    legs: [
      buildLeg(firstLeg, { flight, period, sequence: 1 }),
      ...otherLegs.map((leg, index) => buildLeg(leg, { flight, period, sequence: index + 2 })),
    ],
    segmentData,
    complete: true,
  }));
};
