import {
  addDays,
  atMinute,
  dateAt,
  minuteOfDay,
  MINUTES_A_DAY,
  type LocalMinute,
  type UtcMinute,
} from '../../domain/time/dates.ts';
import { utcOffsetAt } from '../../domain/time/zones.ts';

/** A time of day (minutes after midnight, 1440 is the midnight that ends it) on the clock of a zone, its date not told. */
export type Reading = { readonly minutes: number; readonly zone: string };

/** The clock of a zone at an instant. */
export const clockAt = (zone: string, instant: UtcMinute): LocalMinute =>
  (instant + utcOffsetAt(zone, instant)) as LocalMinute;

/**
 * The instants at which the clocks of a zone show a wall-clock time, earliest first: two in an hour that is repeated. A time
 * that is skipped gives the instant by the offset before the change.
 */
export const instantsOf = (zone: string, wall: LocalMinute): readonly UtcMinute[] => {
  // No offset reaches a whole day, so these two instants lie on either side of the one looked for.
  const before = utcOffsetAt(zone, (wall - MINUTES_A_DAY) as UtcMinute);
  const after = utcOffsetAt(zone, (wall + MINUTES_A_DAY) as UtcMinute);
  const early = (wall - before) as UtcMinute;
  if (before === after) return [early];
  const late = (wall - after) as UtcMinute;
  const shown = [early, late].filter((instant) => clockAt(zone, instant) === wall);
  return shown.length === 0 ? [early] : shown;
};

/** Whether a clock shows a time of day at an instant; 2400 and 0000 are the same. */
export const showsAt = (instant: UtcMinute, { minutes, zone }: Reading): boolean =>
  minuteOfDay(clockAt(zone, instant)) === minutes % MINUTES_A_DAY;

/** The first instant from `start` on, itself included, at which a clock shows a time of day. */
export const firstFrom = (start: UtcMinute, { minutes, zone }: Reading): UtcMinute => {
  for (let date = dateAt(clockAt(zone, start)); ; date = addDays(date, 1)) {
    const found = instantsOf(zone, atMinute(date, minutes % MINUTES_A_DAY)).find((instant) => instant >= start);
    if (found !== undefined) return found;
  }
};

/** The last instant up to `end`, itself included, at which a clock shows a time of day. */
export const lastUpTo = (end: UtcMinute, { minutes, zone }: Reading): UtcMinute => {
  for (let date = dateAt(clockAt(zone, end)); ; date = addDays(date, -1)) {
    const found = instantsOf(zone, atMinute(date, minutes % MINUTES_A_DAY)).findLast((instant) => instant <= end);
    if (found !== undefined) return found;
  }
};
