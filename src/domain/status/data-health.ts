import { addDays, dateOfInstant, formatDate, localDate } from '../time/dates.ts';

/** What a store says of itself. Dates are `YYYY-MM-DD`; what there is none of is undefined. */
export type Condition = {
  /** Of the database itself. */
  readonly clock: Date;
  readonly bytes: number;
  readonly schedules: {
    /** When the last schedule was loaded. */
    readonly loadedAt: Date | undefined;
    /** The last of the days that are laid out without a gap from yesterday on. */
    readonly laidOutTo: string | undefined;
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
export type Finding = {
  readonly name: string;
  readonly level: 'ok' | 'attention' | 'failure';
  readonly text: string;
};

export type Expected = {
  readonly now: Date;
  /** How many days from yesterday on are to be laid out. */
  readonly horizonDays: number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Loads, events and the days of status messages are placed by the clocks of both: further apart they disagree on what comes first. */
const CLOCKS_APART_MS = 5000;

/** A backlog that a minute of work at the measured rate does not clear. */
const BACKLOG = 100_000;

/** A set of connections is built each week. */
const SET_AGE_MS = 8 * DAY_MS;

const finding = (name: string, level: Finding['level'], text: string): Finding => ({ name, level, text });

const hoursAgo = (then: Date, now: Date): string => {
  const hours = Math.max(0, (now.getTime() - then.getTime()) / HOUR_MS);
  return hours < 48 ? `${Math.round(hours)} h ago` : `${Math.floor(hours / 24)} days ago`;
};

const clockOf = ({ clock }: Condition, now: Date): Finding => {
  const apartMs = Math.abs(clock.getTime() - now.getTime());
  const text = `the clock of the database is ${(apartMs / 1000).toFixed(1)} s from this one`;
  return finding('clock', apartMs > CLOCKS_APART_MS ? 'attention' : 'ok', text);
};

const schedulesOf = ({ schedules }: Condition, { now, horizonDays }: Expected): Finding => {
  const { loadedAt, laidOutTo, instances } = schedules;
  if (!loadedAt) return finding('schedules', 'attention', 'none was ever loaded');
  const yesterday = addDays(dateOfInstant(now), -1);
  const wanted = addDays(yesterday, horizonDays - 1);
  const loaded = `loaded ${hoursAgo(loadedAt, now)}`;
  if (laidOutTo === undefined || localDate(laidOutTo) < dateOfInstant(now))
    return finding('schedules', 'failure', `${loaded}, but today is not laid out: is a server running?`);
  const text = `${loaded}; ${instances} flight instances, laid out to ${laidOutTo}`;
  return localDate(laidOutTo) < wanted
    ? finding('schedules', 'attention', `${text} and not to ${formatDate(wanted)}`)
    : finding('schedules', 'ok', text);
};

const statusOf = ({ status: { observedAt, quarantined } }: Condition, now: Date): Finding => {
  const waiting = quarantined === 0 ? '' : `; ${quarantined} messages fit no flight`;
  if (!observedAt)
    return finding('status', 'attention', `nothing is known of a flight of yesterday or today${waiting}`);
  const isOld = now.getTime() - observedAt.getTime() > HOUR_MS;
  return finding('status', isOld ? 'attention' : 'ok', `newest observation ${hoursAgo(observedAt, now)}${waiting}`);
};

const connectionsOf = ({ connections }: Condition, now: Date): Finding => {
  if (!connections) return finding('connections', 'attention', 'no set was built: Connections answers 503');
  const { builtAt, from, days } = connections;
  const isOld = now.getTime() - builtAt.getTime() > SET_AGE_MS;
  const text = `a set of ${days} days from ${from}, built ${hoursAgo(builtAt, now)}`;
  return finding('connections', isOld ? 'attention' : 'ok', text);
};

const eventsOf = ({ events: { unsequenced, undistributed } }: Condition): Finding => {
  const isLate = unsequenced + undistributed > BACKLOG;
  const text = `${unsequenced} not in the log yet, ${undistributed} not given to accounts yet`;
  return finding('events', isLate ? 'attention' : 'ok', text);
};

const pushOf = ({ push: { endpoints, disabled, deadLetters } }: Condition): Finding => {
  const text = `${endpoints} endpoints, ${disabled} of them disabled; ${deadLetters} dead letters`;
  return finding('push', disabled > 0 ? 'attention' : 'ok', text);
};

const keysOf = ({ keys: { valid, expiringSoon } }: Condition): Finding => {
  if (valid === 0) return finding('keys', 'attention', 'there is none: nobody can ask');
  const text = `${valid} valid, ${expiringSoon} of them for 30 days at most`;
  return finding('keys', expiringSoon > 0 ? 'attention' : 'ok', text);
};

/** What is to be said of a store, one finding for each part of it, in a fixed order. */
export const judgeCondition = (condition: Condition, expected: Expected): readonly Finding[] => {
  const { now } = expected;
  return [
    clockOf(condition, now),
    schedulesOf(condition, expected),
    statusOf(condition, now),
    connectionsOf(condition, now),
    eventsOf(condition),
    pushOf(condition),
    keysOf(condition),
  ];
};
