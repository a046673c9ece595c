import {
  addDays,
  buildLocalMinute,
  toDate,
  toMinuteOfDay,
  MINUTES_A_DAY,
  type LocalMinute,
  type UtcMinute,
} from '#domain/time/dates.ts';
import { getUtcOffset, toLocalMinute } from '#domain/time/zones.ts';

/** A local time of day in a zone, without its date; 1440 minutes is the midnight at the end of the day. */
export type ClockTime = { readonly minutes: number; readonly zone: string };

/**
 * Returns the instants of a local time, earliest first: two in an hour that is repeated. For a time that is skipped, it is the instant
 * by the offset before the change.
 */
export const findInstants = (zone: string, localMinute: LocalMinute): readonly UtcMinute[] => {
  // Offsets are less than a day, so these two instants are before and after the one to find.
  const before = getUtcOffset(zone, (localMinute - MINUTES_A_DAY) as UtcMinute);
  const after = getUtcOffset(zone, (localMinute + MINUTES_A_DAY) as UtcMinute);
  const early = (localMinute - before) as UtcMinute;
  if (before === after) return [early];
  const late = (localMinute - after) as UtcMinute;
  const valid = [early, late].filter((instant) => toLocalMinute(zone, instant) === localMinute);
  return valid.length === 0 ? [early] : valid;
};

/** Whether an instant has a local time of day; 2400 and 0000 are the same. */
export const isClockTimeAt = (instant: UtcMinute, { minutes, zone }: ClockTime): boolean =>
  toMinuteOfDay(toLocalMinute(zone, instant)) === minutes % MINUTES_A_DAY;

/** Returns the first instant with a local time of day from `start` on, inclusive. */
export const findFirstInstant = (start: UtcMinute, { minutes, zone }: ClockTime): UtcMinute => {
  for (let date = toDate(toLocalMinute(zone, start)); ; date = addDays(date, 1)) {
    const match = findInstants(zone, buildLocalMinute(date, minutes % MINUTES_A_DAY)).find(
      (instant) => instant >= start,
    );
    if (match !== undefined) return match;
  }
};

/** Returns the last instant with a local time of day up to `end`, inclusive. */
export const findLastInstant = (end: UtcMinute, { minutes, zone }: ClockTime): UtcMinute => {
  for (let date = toDate(toLocalMinute(zone, end)); ; date = addDays(date, -1)) {
    const match = findInstants(zone, buildLocalMinute(date, minutes % MINUTES_A_DAY)).findLast(
      (instant) => instant <= end,
    );
    if (match !== undefined) return match;
  }
};
