import { addDays, toUtcDate, formatDate, localDate } from '../time/dates.ts';

/** The state of the stored data. Dates are `YYYY-MM-DD`; missing values are undefined. */
export type DataHealth = {
  /** Clock of the database. */
  readonly clock: Date;
  readonly bytes: number;
  readonly schedules: {
    /** When a schedule was last loaded. */
    readonly loadedAt: Date | undefined;
    /** Last of the days that are expanded without a gap from yesterday on. */
    readonly expandedTo: string | undefined;
    /** Flight instances of all days. */
    readonly instances: number;
  };
  readonly status: {
    /** Newest observation of a flight that departs yesterday or today. */
    readonly observedAt: Date | undefined;
    /** Messages that match no flight. */
    readonly quarantined: number;
  };
  readonly connections: { readonly builtAt: Date; readonly from: string; readonly days: number } | undefined;
  readonly events: {
    /** Events without a position in the log. */
    readonly unsequenced: number;
    /** Events of the log that are not fanned out to accounts yet. */
    readonly undistributed: number;
  };
  readonly push: {
    readonly endpoints: number;
    /** Endpoints that the service has disabled. */
    readonly disabled: number;
    readonly deadLetters: number;
  };
  readonly keys: { readonly valid: number; readonly expiringSoon: number };
};

/** The result of one check. `warning` requires a check by the operator; with `failure` the service does not fulfil its purpose. */
export type HealthFinding = {
  readonly name: string;
  readonly level: 'ok' | 'warning' | 'failure';
  readonly text: string;
};

export type ExpectedDataHealth = {
  readonly now: Date;
  /** Number of days that must be expanded, from yesterday on. */
  readonly horizonDays: number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Order and dates of loads, events and messages depend on both clocks. */
const MAX_CLOCK_DIFFERENCE_MS = 5000;

/** More events than the measured rate clears in a minute. */
const MAX_BACKLOG = 100_000;

/** A connection set is built weekly. */
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

const assessClock = ({ clock }: DataHealth, now: Date): HealthFinding => {
  const differenceMs = Math.abs(clock.getTime() - now.getTime());
  const text = `the clocks of the database and of this host differ by ${(differenceMs / 1000).toFixed(1)} s`;
  return createFinding('clock', differenceMs > MAX_CLOCK_DIFFERENCE_MS ? 'warning' : 'ok', text);
};

const assessSchedules = ({ schedules }: DataHealth, { now, horizonDays }: ExpectedDataHealth): HealthFinding => {
  const { loadedAt, expandedTo, instances } = schedules;
  if (!loadedAt)
    return createFinding('schedules', 'warning', 'no schedules loaded; load them with: flightdata import ssim');
  const yesterday = addDays(toUtcDate(now), -1);
  const expected = addDays(yesterday, horizonDays - 1);
  const loaded = `loaded ${formatAge(loadedAt, now)}`;
  if (expandedTo === undefined || localDate(expandedTo) < toUtcDate(now))
    return createFinding(
      'schedules',
      'failure',
      `${loaded}, but not expanded to today; start a server, or run: flightdata expand`,
    );
  const text = `${loaded}; ${instances} flight instances, expanded to ${expandedTo}`;
  return localDate(expandedTo) < expected
    ? createFinding(
        'schedules',
        'warning',
        `${text}, not to ${formatDate(expected)}; start a server, or run: flightdata expand`,
      )
    : createFinding('schedules', 'ok', text);
};

const assessStatus = ({ status: { observedAt, quarantined } }: DataHealth, now: Date): HealthFinding => {
  const waiting = quarantined === 0 ? '' : `; ${quarantined} unmatched messages`;
  if (!observedAt)
    return createFinding(
      'status',
      'warning',
      `no status of flights of yesterday or today${waiting}; check the status feed`,
    );
  const isOld = now.getTime() - observedAt.getTime() > HOUR_MS;
  return createFinding(
    'status',
    isOld ? 'warning' : 'ok',
    `newest observation ${formatAge(observedAt, now)}${waiting}`,
  );
};

const assessConnections = ({ connections }: DataHealth, now: Date): HealthFinding => {
  if (!connections)
    return createFinding(
      'connections',
      'warning',
      'no connection set, the Connections product returns 503; start a server, or run: flightdata build connections',
    );
  const { builtAt, from, days } = connections;
  const isOld = now.getTime() - builtAt.getTime() > MAX_SET_AGE_MS;
  const text = `connection set of ${days} days from ${from}, built ${formatAge(builtAt, now)}`;
  return createFinding('connections', isOld ? 'warning' : 'ok', text);
};

const assessEvents = ({ events: { unsequenced, undistributed } }: DataHealth): HealthFinding => {
  const isLate = unsequenced + undistributed > MAX_BACKLOG;
  const text = `backlog: ${unsequenced} not in the event log, ${undistributed} not fanned out to accounts`;
  return createFinding('events', isLate ? 'warning' : 'ok', text);
};

const assessPush = ({ push: { endpoints, disabled, deadLetters } }: DataHealth): HealthFinding => {
  const text = `${endpoints} endpoints, ${disabled} disabled; ${deadLetters} dead letters`;
  return createFinding('push', disabled > 0 ? 'warning' : 'ok', text);
};

const assessKeys = ({ keys: { valid, expiringSoon } }: DataHealth): HealthFinding => {
  if (valid === 0) return createFinding('keys', 'warning', 'no API keys; create one with: flightdata keys create');
  const text = `${valid} valid, ${expiringSoon} of them expire within 30 days`;
  return createFinding('keys', expiringSoon > 0 ? 'warning' : 'ok', text);
};

/** Assesses the stored data: one finding for each part, in a fixed order. */
export const assessDataHealth = (health: DataHealth, expected: ExpectedDataHealth): readonly HealthFinding[] => {
  const { now } = expected;
  return [
    assessClock(health, now),
    assessSchedules(health, expected),
    assessStatus(health, now),
    assessConnections(health, now),
    assessEvents(health),
    assessPush(health),
    assessKeys(health),
  ];
};
