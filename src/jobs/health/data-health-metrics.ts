import type { StoreCondition } from '../../domain/status/data-health.ts';
import { toUtcDate, localDate } from '../../domain/time/dates.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { readDataHealth } from '../../store/health/data-health.ts';
import type { Database } from '../../store/pool/database.ts';
import { readEventLags, type EventLags } from '../../store/health/event-lags.ts';
import { createGauge, type Metric, type Observe } from '../../telemetry/metric.ts';

export type DataHealthMetricsOptions = {
  readonly clock: () => Date;
  /** How old a reading may be, milliseconds: so often the store is asked at most, however often metrics are. */
  readonly ttlMs?: number;
  /** How long a reading is waited for, milliseconds. One that takes longer is waited for no more, and none is begun beside it. */
  readonly timeoutMs?: number;
};

type Reading = {
  readonly condition: StoreCondition;
  readonly lags: EventLags;
  readonly now: Date;
  readonly tookMs: number;
};

const read = async (db: Database, now: Date): Promise<Reading> => {
  const started = performance.now();
  const condition = await readDataHealth(db, now);
  const lags = await readEventLags(db, now);
  return { condition, lags, now, tookMs: performance.now() - started };
};

const seconds = (at: Date | undefined): number | undefined => at && at.getTime() / 1000;

/** Days from today to the last day that is laid out; -1 where today is not. */
const daysAhead = (expandedTo: string, now: Date): number => Math.max(-1, localDate(expandedTo) - toUtcDate(now));

const metricsOf = ({ condition, lags, now, tookMs }: Reading): readonly Metric[] => {
  const { clock, bytes, schedules, status, connections, events, push, keys } = condition;
  const { expandedTo } = schedules;
  return [
    createGauge('flightdata_store_read_seconds', 'How long the last reading of the store took', tookMs / 1000),
    createGauge('flightdata_store_size_bytes', 'Size of the database', bytes),
    createGauge(
      'flightdata_store_clock_skew_seconds',
      'How far the clock of the database is ahead of that of the service',
      (clock.getTime() - now.getTime()) / 1000,
    ),
    createGauge(
      'flightdata_schedules_loaded_timestamp_seconds',
      'When the last schedule was loaded',
      seconds(schedules.loadedAt),
    ),
    createGauge(
      'flightdata_schedules_days_ahead',
      'Days after today that are laid out without a gap; -1 where today is not',
      expandedTo === undefined ? undefined : daysAhead(expandedTo, now),
    ),
    createGauge('flightdata_flight_instances', 'Flight instances on all days', schedules.instances),
    createGauge(
      'flightdata_status_observed_timestamp_seconds',
      'The newest observation of a flight of yesterday or today',
      seconds(status.observedAt),
    ),
    createGauge('flightdata_status_quarantined', 'Status messages that fit no flight', status.quarantined),
    createGauge(
      'flightdata_connections_built_timestamp_seconds',
      'When the newest set of connections was built',
      seconds(connections?.builtAt),
    ),
    createGauge('flightdata_events_unsequenced', 'Events that are not in the log yet', events.unsequenced),
    createGauge(
      'flightdata_events_undistributed',
      'Events of the log that accounts were not given yet',
      events.undistributed,
    ),
    createGauge('flightdata_hub_lag_events', 'Positions of the log that the hub was not given yet', lags.hub),
    createGauge('flightdata_push_backlog_events', 'Events that endpoints in service were not sent yet', lags.push),
    createGauge('flightdata_push_retries', 'Attempts that are to be made again', lags.retries),
    createGauge('flightdata_push_endpoints', 'Endpoints', push.endpoints),
    createGauge('flightdata_push_endpoints_disabled', 'Endpoints that the service has given up on', push.disabled),
    createGauge(
      'flightdata_push_endpoints_resting',
      'Endpoints that rest because their receivers fail',
      lags.backingOff,
    ),
    createGauge('flightdata_push_dead_letters', 'Events that could not be sent', push.deadLetters),
    createGauge('flightdata_keys_valid', 'Keys that can be used', keys.valid),
    createGauge('flightdata_keys_expiring', 'Keys that can be used for 30 more days at most', keys.expiringSoon),
  ];
};

/** The metrics of what all processes on a store see alike. */
const alike = (metrics: readonly Metric[]): readonly Metric[] =>
  metrics.map((metric) => ({ ...metric, across: 'max' }));

/**
 * Reads the condition of the store as metrics, over a pool that bounds how long a question takes. A reading is shared by whoever asks within `ttlMs`, and given up after `patienceMs`:
 * then the store counts as away, and what was last known of it is not told: it may be true no more.
 */
export const createDataHealthObserver = (
  db: Database,
  { clock, ttlMs = 10_000, timeoutMs: patienceMs = 2_000 }: DataHealthMetricsOptions,
): Observe => {
  let last: { readonly reading: Reading; readonly at: number } | undefined;
  let pending: Promise<Reading | undefined> | undefined;

  const begin = async (): Promise<Reading | undefined> => {
    try {
      const reading = await read(db, clock());
      last = { reading, at: performance.now() };
      return reading;
    } catch {
      // That the store does not answer is what the metrics tell; why, the log tells of the requests that needed it.
      return undefined;
    } finally {
      pending = undefined;
    }
  };
  return async () => {
    const isFresh = last !== undefined && performance.now() - last.at < ttlMs;
    const reading = isFresh ? last?.reading : await withTimeout(patienceMs, (pending ??= begin()));
    const up = createGauge('flightdata_store_up', 'Whether the store answers: 1 or 0', reading ? 1 : 0);
    return alike(reading ? [up, ...metricsOf(reading)] : [up]);
  };
};
