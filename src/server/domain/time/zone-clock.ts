import { MINUTES_A_DAY, type UtcMinute } from './dates.ts';
import { listClockChanges, isZone, getUtcOffset } from './zones.ts';

/** A daylight saving period, from one clock change to the next; `offset` is minutes ahead of UTC. */
export type DaylightPeriod = { readonly from: UtcMinute; readonly to: UtcMinute; readonly offset: number };

/** The clock of a zone at an instant; offsets are minutes ahead of UTC. */
export type ZoneClock = {
  readonly standardOffset: number;
  readonly currentOffset: number;
  /** The current or next period, and the one after it; empty without daylight saving time. */
  readonly daylightPeriods: readonly DaylightPeriod[];
  /** Since when the clock has had this offset; not before `LOOK_BACK`. */
  readonly since: UtcMinute;
};

const YEAR_MINUTES = 365 * MINUTES_A_DAY;
/** Periods last less than a year: the current one began after this. */
const LOOK_BACK_MINUTES = 400 * MINUTES_A_DAY;
/** The next period ends within two years, also when its dates follow the moon. */
const LOOK_AHEAD_MINUTES = 3 * YEAR_MINUTES;

const plus = (minute: UtcMinute, minutes: number): UtcMinute => (minute + minutes) as UtcMinute;

/**
 * A clock has daylight saving time when it is ahead of its offsets before and after, for less than a year. Thus Ireland and Morocco, whose laws
 * define it the other way round, have the standard time in which schedules are filed.
 */
const computeClock = (zone: string, now: UtcMinute): ZoneClock => {
  const offsetAt = (minute: UtcMinute): number => getUtcOffset(zone, minute);
  const earliest = plus(now, -LOOK_BACK_MINUTES);
  const changes = listClockChanges(zone, { from: earliest, to: plus(now, LOOK_AHEAD_MINUTES) });
  const periods: DaylightPeriod[] = [];
  for (const [index, from] of changes.entries()) {
    const to = changes[index + 1];
    const offset = offsetAt(from);
    if (to === undefined || to - from >= YEAR_MINUTES) continue;
    if (offset > offsetAt(plus(from, -1)) && offset > offsetAt(to)) periods.push({ from, to, offset });
  }
  const daylightPeriods = periods.filter(({ to }) => to > now).slice(0, 2);
  const [first] = daylightPeriods;
  const currentOffset = offsetAt(now);
  return {
    standardOffset: first && first.from <= now ? offsetAt(first.to) : currentOffset,
    currentOffset,
    daylightPeriods,
    since: changes.findLast((change) => change <= now) ?? earliest,
  };
};

type CachedClock = { readonly clock: ZoneClock; readonly from: UtcMinute; readonly to: UtcMinute };

const cache = new Map<string, CachedClock>();

/**
 * Returns the clock of a zone at an instant, by the runtime's tz database; undefined for an unknown zone. Results are cached until the next change,
 * up to a day: a cached call takes some 50 ns.
 */
export const getZoneClock = (zone: string, now: UtcMinute): ZoneClock | undefined => {
  const cached = cache.get(zone);
  if (cached && cached.from <= now && now < cached.to) return cached.clock;
  if (!isZone(zone)) return undefined;
  const clock = computeClock(zone, now);
  const tomorrow = plus(now, MINUTES_A_DAY);
  const to = listClockChanges(zone, { from: now, to: tomorrow })[0] ?? tomorrow;
  cache.set(zone, { clock, from: now, to });
  return clock;
};
