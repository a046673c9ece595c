import { addDays, toUtcDate, formatDate, localDate } from '../time/dates.ts';

/** What a store says of itself. Dates are `YYYY-MM-DD`; what there is none of is undefined. */
export type StoreCondition = {
  /** Of the database itself. */
  readonly clock: Date;
  readonly bytes: number;
  readonly schedules: {
    /** When the last schedule was loaded. */
    readonly loadedAt: Date | undefined;
    /** The last of the days that are laid out without a gap from yesterday on. */
    readonly expandedTo: string | undefined;
    /** Flight instances on all days. */
    readonly instances: number;
  };
  readonly status: {
    /** The newest observation of a flight that departed yesterday or today. */
    readonly observedAt: Date | undefined;
    /** Messages that fit no flight. */
    readonly quarantined: number;
  };
  readonly connections: { readonly builtAt: Date; readonly from: string; readonly days: number } | undefined;
  readonly events: {
    /** Events that are not in the log yet. */
    readonly unsequenced: number;
    /** Events of the log that accounts were not given yet. */
    readonly undistributed: number;
  };
  readonly push: {
    readonly endpoints: number;
    /** Endpoints that the service has given up on. */
    readonly disabled: number;
    readonly deadLetters: number;
  };
  readonly keys: { readonly valid: number; readonly expiringSoon: number };
};

/** One thing that was looked at. `attention` is for somebody to look into; with a `failure` the service does not do what it is there for. */
export type HealthFinding = {
  readonly name: string;
  readonly level: 'ok' | 'attention' | 'failure';
  readonly text: string;
};

export type ExpectedCondition = {
  readonly now: Date;
  /** How many days from yesterday on are to be laid out. */
  readonly horizonDays: number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Loads, events and the days of status messages are placed by the clocks of both: further apart they disagree on what comes first. */
const MAX_CLOCK_DIFFERENCE_MS = 5000;

/** A backlog that a minute of work at the measured rate does not clear. */
const MAX_BACKLOG = 100_000;

/** A set of connections is built each week. */
const MAX_SET_AGE_MS = 8 * DAY_MS;

const createFinding = (name: string, level: HealthFinding['level'], text: string): HealthFinding => ({
  name,
  level,
  text,
});

const formatAge = (then: Date, now: Date): string => {
  const hours = Math.max(0, (now.getTime() - then.getTime()) / HOUR_MS);
  return hours < 48 ? `${Math.round(hours)} h ago` : `${Math.floor(hours / 24)} days ago`;
};

const assessClock = ({ clock }: StoreCondition, now: Date): HealthFinding => {
  const apartMs = Math.abs(clock.getTime() - now.getTime());
  const text = `the clock of the database is ${(apartMs / 1000).toFixed(1)} s from this one`;
  return createFinding('clock', apartMs > MAX_CLOCK_DIFFERENCE_MS ? 'attention' : 'ok', text);
};

const assessSchedules = ({ schedules }: StoreCondition, { now, horizonDays }: ExpectedCondition): HealthFinding => {
  const { loadedAt, expandedTo: laidOutTo, instances } = schedules;
  if (!loadedAt) return createFinding('schedules', 'attention', 'none was ever loaded');
  const yesterday = addDays(toUtcDate(now), -1);
  const wanted = addDays(yesterday, horizonDays - 1);
  const loaded = `loaded ${formatAge(loadedAt, now)}`;
  if (laidOutTo === undefined || localDate(laidOutTo) < toUtcDate(now))
    return createFinding('schedules', 'failure', `${loaded}, but today is not laid out: is a server running?`);
  const text = `${loaded}; ${instances} flight instances, laid out to ${laidOutTo}`;
  return localDate(laidOutTo) < wanted
    ? createFinding('schedules', 'attention', `${text} and not to ${formatDate(wanted)}`)
    : createFinding('schedules', 'ok', text);
};

const assessStatus = ({ status: { observedAt, quarantined } }: StoreCondition, now: Date): HealthFinding => {
  const waiting = quarantined === 0 ? '' : `; ${quarantined} messages fit no flight`;
  if (!observedAt)
    return createFinding('status', 'attention', `nothing is known of a flight of yesterday or today${waiting}`);
  const isOld = now.getTime() - observedAt.getTime() > HOUR_MS;
  return createFinding(
    'status',
    isOld ? 'attention' : 'ok',
    `newest observation ${formatAge(observedAt, now)}${waiting}`,
  );
};

const assessConnections = ({ connections }: StoreCondition, now: Date): HealthFinding => {
  if (!connections) return createFinding('connections', 'attention', 'no set was built: Connections answers 503');
  const { builtAt, from, days } = connections;
  const isOld = now.getTime() - builtAt.getTime() > MAX_SET_AGE_MS;
  const text = `a set of ${days} days from ${from}, built ${formatAge(builtAt, now)}`;
  return createFinding('connections', isOld ? 'attention' : 'ok', text);
};

const assessEvents = ({ events: { unsequenced, undistributed } }: StoreCondition): HealthFinding => {
  const isLate = unsequenced + undistributed > MAX_BACKLOG;
  const text = `${unsequenced} not in the log yet, ${undistributed} not given to accounts yet`;
  return createFinding('events', isLate ? 'attention' : 'ok', text);
};

const assessPush = ({ push: { endpoints, disabled, deadLetters } }: StoreCondition): HealthFinding => {
  const text = `${endpoints} endpoints, ${disabled} of them disabled; ${deadLetters} dead letters`;
  return createFinding('push', disabled > 0 ? 'attention' : 'ok', text);
};

const assessKeys = ({ keys: { valid, expiringSoon } }: StoreCondition): HealthFinding => {
  if (valid === 0) return createFinding('keys', 'attention', 'there is none: nobody can ask');
  const text = `${valid} valid, ${expiringSoon} of them for 30 days at most`;
  return createFinding('keys', expiringSoon > 0 ? 'attention' : 'ok', text);
};

/** What is to be said of a store, one finding for each part of it, in a fixed order. */
export const assessDataHealth = (condition: StoreCondition, expected: ExpectedCondition): readonly HealthFinding[] => {
  const { now } = expected;
  return [
    assessClock(condition, now),
    assessSchedules(condition, expected),
    assessStatus(condition, now),
    assessConnections(condition, now),
    assessEvents(condition),
    assessPush(condition),
    assessKeys(condition),
  ];
};
