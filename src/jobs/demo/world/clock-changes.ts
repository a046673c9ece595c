import {
  addDays,
  localDate,
  MINUTES_A_DAY,
  type LocalDate,
  type LocalMinute,
  type UtcMinute,
} from '../../../domain/time/dates.ts';
import { localToUtc, utcOffsetAt } from '../../../domain/time/zones.ts';
import type { DateSpan } from '../../../domain/schedule/departure-span.ts';

/** Changes are counted from here on, so that the numbers drawn from the count stay the same from day to day. */
const EPOCH = localDate('2020-01-01');
/** Less than the shortest time between two changes of any clock. */
const STEP_MINUTES = 4 * MINUTES_A_DAY;

const minute = (value: number): UtcMinute => value as UtcMinute;

const findChange = (zone: string, before: number, after: number): number => {
  const offset = utcOffsetAt(zone, minute(before));
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (utcOffsetAt(zone, minute(middle)) === offset) low = middle;
    else high = middle;
  }
  return high;
};

const changesOf = (zone: string, until: LocalDate): readonly number[] => {
  const changes: number[] = [];
  let offset = utcOffsetAt(zone, minute(EPOCH * MINUTES_A_DAY));
  for (let at = EPOCH * MINUTES_A_DAY; at < until * MINUTES_A_DAY; at += STEP_MINUTES) {
    const next = utcOffsetAt(zone, minute(at + STEP_MINUTES));
    if (next !== offset) changes.push(findChange(zone, at, at + STEP_MINUTES));
    offset = next;
  }
  return changes;
};

/** Counts the clock changes of a zone from 2020-01-01 up to an instant. */
export type ClockChangeCounter = (zone: string, utc: UtcMinute) => number;

/** A counter of clock changes for flights that begin within a range of dates; throws RangeError when it begins before 2020. */
export const createClockChangeCounter = ({ from, to }: DateSpan): ClockChangeCounter => {
  if (from < EPOCH) throw new RangeError('the demo world begins in 2020');
  const known = new Map<string, readonly number[]>();
  // A flight of several legs ends some days after it began.
  const horizon = addDays(to, 5);
  return (zone, utc) => {
    let changes = known.get(zone);
    if (!changes) known.set(zone, (changes = changesOf(zone, horizon)));
    let count = changes.length;
    while (count > 0 && (changes[count - 1] ?? 0) > utc) count--;
    return count;
  };
};

/** The instant of a wall-clock time that exists; throws RangeError for one that the clock skips on that day. */
export const toUtcMinute = (zone: string, local: LocalMinute): UtcMinute => {
  const { utc, offset } = localToUtc(zone, local, utcOffsetAt(zone, minute(local)));
  if (utcOffsetAt(zone, utc) !== offset) throw new RangeError(`the clock of ${zone} skips minute ${local}`);
  return utc;
};
