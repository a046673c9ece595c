import {
  addDays,
  localDate,
  MINUTES_A_DAY,
  type LocalDate,
  type LocalMinute,
  type UtcMinute,
} from '../../../domain/time/dates.ts';
import { convertLocalToUtc, getUtcOffset } from '../../../domain/time/zones.ts';
import type { DateSpan } from '../../../domain/time/period.ts';

/**
 * Clock changes are counted from this day, so that itinerary variations keep their numbers. The month before 2020 is
 * the flown month of the first world.
 */
const EPOCH = localDate('2019-12-01');
/** Less than the shortest interval between two clock changes of any zone. */
const STEP_MINUTES = 4 * MINUTES_A_DAY;

const toUtc = (value: number): UtcMinute => value as UtcMinute;

const findChange = (zone: string, before: number, after: number): number => {
  const offset = getUtcOffset(zone, toUtc(before));
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (getUtcOffset(zone, toUtc(middle)) === offset) low = middle;
    else high = middle;
  }
  return high;
};

const listChanges = (zone: string, until: LocalDate): readonly number[] => {
  const changes: number[] = [];
  let offset = getUtcOffset(zone, toUtc(EPOCH * MINUTES_A_DAY));
  for (let at = EPOCH * MINUTES_A_DAY; at < until * MINUTES_A_DAY; at += STEP_MINUTES) {
    const next = getUtcOffset(zone, toUtc(at + STEP_MINUTES));
    if (next !== offset) changes.push(findChange(zone, at, at + STEP_MINUTES));
    offset = next;
  }
  return changes;
};

/** Counts the clock changes of a zone from December 2019 up to an instant. */
export type ClockChangeCounter = (zone: string, utc: UtcMinute) => number;

/**
 * Creates a counter of clock changes for flights that depart within a span; throws RangeError when the span begins
 * before December 2019.
 */
export const createClockChangeCounter = ({ from, to }: DateSpan): ClockChangeCounter => {
  if (from < EPOCH) throw new RangeError('the demo world begins on 2019-12-01');
  const cached = new Map<string, readonly number[]>();
  // A flight of several legs may arrive some days after its departure.
  const horizon = addDays(to, 5);
  return (zone, utc) => {
    let changes = cached.get(zone);
    if (!changes) cached.set(zone, (changes = listChanges(zone, horizon)));
    let count = changes.length;
    while (count > 0 && (changes[count - 1] ?? 0) > utc) count--;
    return count;
  };
};

/** Converts a local time to UTC; throws RangeError for a time that the clock skips on that day. */
export const toUtcMinute = (zone: string, local: LocalMinute): UtcMinute => {
  const { utc, offset } = convertLocalToUtc(zone, local, getUtcOffset(zone, toUtc(local)));
  if (getUtcOffset(zone, utc) !== offset) throw new RangeError(`the clock of ${zone} skips minute ${local}`);
  return utc;
};
