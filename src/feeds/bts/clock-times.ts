import {
  addDays,
  buildLocalMinute,
  toDate,
  toMinuteOfDay,
  MINUTES_A_DAY,
  type LocalMinute,
  type UtcMinute,
} from '../../domain/time/dates.ts';
import { getUtcOffset } from '../../domain/time/zones.ts';

/** A time of day (minutes after midnight, 1440 is the midnight that ends it) on the clock of a zone, its date not told. */
export type ClockTime = { readonly minutes: number; readonly zone: string };

/** The clock of a zone at an instant. */
export const toLocalMinute = (zone: string, instant: UtcMinute): LocalMinute =>
  (instant + getUtcOffset(zone, instant)) as LocalMinute;

/**
 * The instants at which the clocks of a zone show a wall-clock time, earliest first: two in an hour that is repeated. A time
 * that is skipped gives the instant by the offset before the change.
 */
export const findInstants = (zone: string, wall: LocalMinute): readonly UtcMinute[] => {
  // No offset reaches a whole day, so these two instants lie on either side of the one looked for.
  const before = getUtcOffset(zone, (wall - MINUTES_A_DAY) as UtcMinute);
  const after = getUtcOffset(zone, (wall + MINUTES_A_DAY) as UtcMinute);
  const early = (wall - before) as UtcMinute;
  if (before === after) return [early];
  const late = (wall - after) as UtcMinute;
  const shown = [early, late].filter((instant) => toLocalMinute(zone, instant) === wall);
  return shown.length === 0 ? [early] : shown;
};

/** Whether a clock shows a time of day at an instant; 2400 and 0000 are the same. */
export const isClockTimeAt = (instant: UtcMinute, { minutes, zone }: ClockTime): boolean =>
  toMinuteOfDay(toLocalMinute(zone, instant)) === minutes % MINUTES_A_DAY;

/** The first instant from `start` on, itself included, at which a clock shows a time of day. */
export const findFirstInstant = (start: UtcMinute, { minutes, zone }: ClockTime): UtcMinute => {
  for (let date = toDate(toLocalMinute(zone, start)); ; date = addDays(date, 1)) {
    const found = findInstants(zone, buildLocalMinute(date, minutes % MINUTES_A_DAY)).find(
      (instant) => instant >= start,
    );
    if (found !== undefined) return found;
  }
};

/** The last instant up to `end`, itself included, at which a clock shows a time of day. */
export const findLastInstant = (end: UtcMinute, { minutes, zone }: ClockTime): UtcMinute => {
  for (let date = toDate(toLocalMinute(zone, end)); ; date = addDays(date, -1)) {
    const found = findInstants(zone, buildLocalMinute(date, minutes % MINUTES_A_DAY)).findLast(
      (instant) => instant <= end,
    );
    if (found !== undefined) return found;
  }
};
