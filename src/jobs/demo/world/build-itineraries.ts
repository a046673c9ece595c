import type { Itinerary, LegEnd, ScheduleLeg, SegmentData } from '../../../domain/schedule/schedule.ts';
import {
  dateAt,
  type LocalDate,
  type LocalMinute,
  minuteOfDay,
  MINUTES_A_DAY,
  type UtcMinute,
} from '../../../domain/time/dates.ts';
import { shiftPeriod } from '../../../domain/time/shift-period.ts';
import { utcOffsetAt } from '../../../domain/time/zones.ts';
import { findTerminal, getAirport } from './airports.ts';
import type { ClockChangeCounter } from './clock-changes.ts';
import { isSurface } from './equipment.ts';
import { buildLegFacts } from './leg-facts.ts';
import { addUtcMinutes, computeLegTimes, type TimedLeg, toDepartureInstant } from './leg-times.ts';
import type { DateSpan } from '../../../domain/schedule/departure-span.ts';
import { type OffsetPeriod, splitAtClockChanges } from './offset-periods.ts';
import type { TimetableFlight, TimetableLeg } from './timetable.ts';

/** An instant at a station, seen from the date on which the flight left its first station. */
type Moment = { readonly utc: UtcMinute; readonly origin: LocalDate };

const clockAt = (station: string, { utc, origin }: Moment) => {
  const utcVariationMinutes = utcOffsetAt(getAirport(station).zone, utc);
  const local = (utc + utcVariationMinutes) as LocalMinute;
  const aircraftMinutes = minuteOfDay(local);
  return { station, terminal: '', utcVariationMinutes, aircraftMinutes, dateVariation: dateAt(local) - origin };
};

/** Where and when a leg departs; its terminal is left open. */
const buildDepartureEnd = (leg: TimetableLeg, moment: Moment): LegEnd => {
  const clock = clockAt(leg.from, moment);
  const passengerMinutes = clock.aircraftMinutes - (leg.passengerMinutes?.[0] ?? 0);
  return { ...clock, passengerMinutes, mctStatus: leg.mctStatus?.[0] ?? '' };
};

/** Where and when a leg arrives, its terminal left open. Midnight is filed as the end of the day before. */
const buildArrivalEnd = (leg: TimetableLeg, moment: Moment): LegEnd => {
  const clock = clockAt(leg.to, moment);
  const mctStatus = leg.mctStatus?.[1] ?? '';
  if (clock.aircraftMinutes === 0)
    return {
      ...clock,
      aircraftMinutes: MINUTES_A_DAY,
      passengerMinutes: MINUTES_A_DAY,
      dateVariation: clock.dateVariation - 1,
      mctStatus,
    };
  return { ...clock, passengerMinutes: clock.aircraftMinutes + (leg.passengerMinutes?.[1] ?? 0), mctStatus };
};

type Context = { readonly plan: TimetableFlight; readonly edition: OffsetPeriod; readonly sequence: number };

/** Lines are numbered when the whole world is laid out; until then they are 0. */
const buildLeg = ({ leg, leaves, arrives }: TimedLeg, { plan, edition, sequence }: Context): ScheduleLeg => {
  const { carrier, flightNumber, suffix, serviceType, variation, variations, days, everyWeeks } = plan;
  const origin = edition.from;
  const start = toDepartureInstant(plan, origin);
  const departure = buildDepartureEnd(leg, { utc: addUtcMinutes(start, leaves), origin });
  const arrival = buildArrivalEnd(leg, { utc: addUtcMinutes(start, arrives), origin });
  const facts = buildLegFacts(carrier, leg, { departs: departure.aircraftMinutes, minutes: arrives - leaves });
  const usesTerminals = facts.bookingClasses !== '' && !isSurface(leg.equipment);
  const terminal = (station: string): string => (usesTerminals ? findTerminal(station, carrier) : '');
  return {
    carrier,
    flightNumber,
    suffix,
    line: 0,
    itinerary: edition.changes * variations + variation,
    sequence,
    serviceType,
    timeMode: 'local',
    period: shiftPeriod({ from: edition.from, to: edition.to, days, everyWeeks }, departure.dateVariation),
    departure: { ...departure, terminal: terminal(leg.from) },
    arrival: { ...arrival, terminal: terminal(leg.to) },
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

/** The itineraries of a flight that leaves its first station within a range of dates, one for each edition. */
export const buildItineraries = (
  plan: TimetableFlight,
  range: DateSpan,
  clockChanges: ClockChangeCounter,
): readonly Itinerary[] => {
  const [firstLeg, ...otherLegs] = computeLegTimes(plan);
  const segmentData = buildSegmentData(plan);
  if (!firstLeg) return [];
  return splitAtClockChanges(plan, range, clockChanges).map((edition) => ({
    legs: [
      buildLeg(firstLeg, { plan, edition, sequence: 1 }),
      ...otherLegs.map((leg, index) => buildLeg(leg, { plan, edition, sequence: index + 2 })),
    ],
    segmentData,
    complete: true,
  }));
};
