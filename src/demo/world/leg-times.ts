import {
  buildLocalMinute,
  type LocalDate,
  type UtcMinute,
  addDays,
  formatDate,
  localDate,
  getWeekday,
  MINUTES_A_DAY,
} from '#domain/time/dates.ts';
import { getAirport } from './airports.ts';
import { convertLocalToUtc, getUtcOffset } from '#domain/time/zones.ts';
import type { TimetableFlight, TimetableLeg } from './timetable.ts';
import { type DateSpan, listDepartureDates } from '#domain/time/period.ts';

/** A leg with the minutes from the first departure of the flight to its own departure and arrival. */
export type TimedLeg = { readonly leg: TimetableLeg; readonly departs: number; readonly arrives: number };

/** Returns the legs of a flight with their times: block and ground times are the same in every season. */
export const computeLegTimes = (flight: TimetableFlight): readonly TimedLeg[] => {
  let clock = 0;
  return flight.legs.map((leg) => {
    const departs = clock + (leg.groundMinutes ?? 0);
    clock = departs + leg.blockMinutes;
    return { leg, departs, arrives: clock };
  });
};

/** Returns the instant at which a flight departs from its first station on a local date; throws RangeError when the clock skips it. */
export const toDepartureInstant = (flight: TimetableFlight, date: LocalDate): UtcMinute => {
  const { zone } = getAirport(flight.legs[0].from);
  const local = buildLocalMinute(date, flight.departs);
  const { utc, offset } = convertLocalToUtc(zone, local, getUtcOffset(zone, local as number as UtcMinute));
  if (getUtcOffset(zone, utc) !== offset) throw new RangeError(`the clock of ${zone} skips minute ${local}`);
  return utc;
};

/** Returns an instant some minutes later. */
export const addUtcMinutes = (start: UtcMinute, minutes: number): UtcMinute => (start + minutes) as UtcMinute;

/** Clock changes are counted from this day, the first of the first world, so that itinerary variations keep their numbers. */
const EPOCH = localDate('2019-12-01');

/** The number of clock changes of each zone before each day (UTC) from December 2019 on. */
const changesByDay = new Map<string, number[]>();

/** Counts the clock changes of a zone from December 2019 up to an instant; no zone changes twice a day. */
const countClockChanges = (zone: string, utc: UtcMinute): number => {
  const day = Math.floor(utc / MINUTES_A_DAY) - EPOCH;
  if (day < 0) return 0;
  const getOffset = (at: number): number => getUtcOffset(zone, ((EPOCH + at) * MINUTES_A_DAY) as UtcMinute);
  const counts = changesByDay.get(zone) ?? [0];
  changesByDay.set(zone, counts);
  for (let next = counts.length; next <= day + 1; next++)
    counts.push((counts[next - 1] ?? 0) + (getOffset(next) === getOffset(next - 1) ? 0 : 1));
  const [before = 0, after] = [counts[day], counts[day + 1]];
  return before === after || getUtcOffset(zone, utc) === getOffset(day) ? before : before + 1;
};

/** Returns the last Sunday up to a date. */
const findLastSunday = (date: LocalDate): LocalDate => addDays(date, -(getWeekday(date) % 7));

/** Returns whether a date is in the IATA summer season, from the last Sunday of March to the day before the last of October. */
const isSummer = (date: LocalDate): boolean => {
  const year = formatDate(date).slice(0, 4);
  return date >= findLastSunday(localDate(`${year}-03-31`)) && date < findLastSunday(localDate(`${year}-10-31`));
};

/** Returns whether a flight operates in the season of a date. A return flight belongs to the season of its outbound flight. */
const isInSeason = ({ season, rotationDay }: TimetableFlight, date: LocalDate): boolean =>
  season === 'all year' || isSummer(addDays(date, -rotationDay)) === (season === 'summer');

/** The Monday of an even week before all flights, for flights that operate every other week. */
const EVEN_WEEK = localDate('2019-11-25');

/**
 * Origin dates between two clock changes; the first and the last have a departure. `changes` counts the clock changes at both ends of all
 * legs since a fixed day: it numbers the itinerary variations of a flight the same way on every day.
 */
export type OffsetPeriod = DateSpan & { readonly changes: number };

/** Returns the offset periods of a flight for first departures within a span. */
export const splitAtClockChanges = (flight: TimetableFlight, span: DateSpan): readonly OffsetPeriod[] => {
  if (span.from < EPOCH) throw new RangeError('the demo world begins on 2019-12-01');
  const ends = computeLegTimes(flight).flatMap(({ leg, departs, arrives }) => [
    { zone: getAirport(leg.from).zone, minutes: departs },
    { zone: getAirport(leg.to).zone, minutes: arrives },
  ]);
  const countChanges = (date: LocalDate): number => {
    const start = toDepartureInstant(flight, date);
    return ends.reduce((sum, { zone, minutes }) => sum + countClockChanges(zone, addUtcMinutes(start, minutes)), 0);
  };
  const periods: { readonly from: LocalDate; to: LocalDate; readonly changes: number }[] = [];
  const start = addDays(span.from, -((span.from - EVEN_WEEK) % 14));
  let isOpen = false;
  for (const date of listDepartureDates({ ...flight, from: start, to: span.to })) {
    if (date < span.from) continue;
    const isOperating = isInSeason(flight, date);
    const last = periods.at(-1);
    const changes = isOperating ? countChanges(date) : -1;
    if (isOpen && last?.changes === changes) last.to = date;
    else if (isOperating) periods.push({ from: date, to: date, changes });
    isOpen = isOperating;
  }
  return periods;
};
