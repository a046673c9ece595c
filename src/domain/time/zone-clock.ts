import { MINUTES_A_DAY, type UtcMinute } from './dates.ts';
import { listClockChanges, isZone, getUtcOffset } from './zones.ts';

/** A time for which a clock is put forward, from the instant of the one change to that of the other; `offset` is minutes ahead of UTC. */
export type DaylightPeriod = { readonly from: UtcMinute; readonly to: UtcMinute; readonly offset: number };

/** The clock of a zone as it stands at an instant; offsets are minutes ahead of UTC. */
export type ZoneClock = {
  readonly standardOffset: number;
  readonly currentOffset: number;
  /** The period it is, or the next one, and the one that follows; none where the clock is not put forward. */
  readonly daylightPeriods: readonly DaylightPeriod[];
  /** Since when the clock has stood like this; no earlier than `LOOK_BACK`. */
  readonly since: UtcMinute;
};

const YEAR_MINUTES = 365 * MINUTES_A_DAY;
/** Periods last less than a year: one that is going on began after this. */
const LOOK_BACK_MINUTES = 400 * MINUTES_A_DAY;
/** The period after the one it is ends within two years, also where its dates follow the moon. */
const LOOK_AHEAD_MINUTES = 3 * YEAR_MINUTES;

const plus = (minute: UtcMinute, minutes: number): UtcMinute => (minute + minutes) as UtcMinute;

/**
 * A clock is put forward when it is ahead of what it is before and after, for less than a year. So Ireland and Morocco, whose
 * laws call the other part of the year the exception, have the standard time that schedules are filed in.
 */
const readClock = (zone: string, now: UtcMinute): ZoneClock => {
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

const known = new Map<string, CachedClock>();

/**
 * The clock of a zone at an instant, by the runtime's tz database; undefined when it knows no such zone. What was found is
 * kept until the next change, a day at most: a second look costs some 50 ns.
 */
export const getZoneClock = (zone: string, now: UtcMinute): ZoneClock | undefined => {
  const found = known.get(zone);
  if (found && found.from <= now && now < found.to) return found.clock;
  if (!isZone(zone)) return undefined;
  const clock = readClock(zone, now);
  const tomorrow = plus(now, MINUTES_A_DAY);
  const to = listClockChanges(zone, { from: now, to: tomorrow })[0] ?? tomorrow;
  known.set(zone, { clock, from: now, to });
  return clock;
};
