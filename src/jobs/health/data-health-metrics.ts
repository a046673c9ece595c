import type { DataHealth } from '../../domain/health/data-health.ts';
import { toUtcDate, localDate } from '../../domain/time/dates.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { readDataHealth } from '../../store/health/data-health.ts';
import type { Database } from '../../store/pool/database.ts';
import { readEventLags, type EventLags } from '../../store/health/event-lags.ts';
import { createGauge, type Metric, type Observe } from '../../telemetry/metric.ts';

export type DataHealthMetricsOptions = {
  readonly clock: () => Date;
  /** How long a reading is reused, milliseconds: limits the queries, however often metrics are read. */
  readonly ttlMs?: number;
  /** Time-out of a reading, milliseconds. No other reading starts until a slow one has ended. */
  readonly timeoutMs?: number;
};

type HealthReading = {
  readonly health: DataHealth;
  readonly lags: EventLags;
  readonly now: Date;
  readonly tookMs: number;
};

const readHealth = async (db: Database, now: Date): Promise<HealthReading> => {
  const started = performance.now();
  const health = await readDataHealth(db, now);
  const lags = await readEventLags(db, now);
  return { health, lags, now, tookMs: performance.now() - started };
};

const toSeconds = (at: Date | undefined): number | undefined => at && at.getTime() / 1000;

/** Returns the days from today to the last expanded day; -1 if today is not expanded. */
const countDaysAhead = (expandedTo: string, now: Date): number => Math.max(-1, localDate(expandedTo) - toUtcDate(now));

const toMetrics = ({ health, lags, now, tookMs }: HealthReading): readonly Metric[] => {
  const { clock, bytes, schedules, status, connections, events, push, keys } = health;
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
      toSeconds(schedules.loadedAt),
    ),
    createGauge(
      'flightdata_schedules_days_ahead',
      'Days after today that are laid out without a gap; -1 where today is not',
      expandedTo === undefined ? undefined : countDaysAhead(expandedTo, now),
    ),
    createGauge('flightdata_flight_instances', 'Flight instances on all days', schedules.instances),
    createGauge(
      'flightdata_status_observed_timestamp_seconds',
      'The newest observation of a flight of yesterday or today',
      toSeconds(status.observedAt),
    ),
    createGauge('flightdata_status_quarantined', 'Status messages that fit no flight', status.quarantined),
    createGauge(
      'flightdata_connections_built_timestamp_seconds',
      'When the newest set of connections was built',
      toSeconds(connections?.builtAt),
    ),
    createGauge('flightdata_events_unsequenced', 'Events that are not in the log yet', events.unsequenced),
    createGauge(
      'flightdata_events_undistributed',
      'Events of the log that accounts were not given yet',
      events.undistributed,
    ),
    createGauge('flightdata_subscriptions_behind', 'Subscriptions whose fan-out is behind that of others', lags.behind),
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

/** Marks metrics that have the same value in all processes. */
const sharedByProcesses = (metrics: readonly Metric[]): readonly Metric[] =>
  metrics.map((metric) => ({ ...metric, across: 'max' }));

/**
 * Creates a source of metrics about the store. `db` must be a pool with a query timeout. Readings are reused for `ttlMs`. After `timeoutMs` the
 * store counts as unavailable; then no older values are reported, because they may be wrong.
 */
export const createDataHealthObserver = (
  db: Database,
  { clock, ttlMs = 10_000, timeoutMs = 2_000 }: DataHealthMetricsOptions,
): Observe => {
  let last: { readonly reading: HealthReading; readonly at: number } | undefined;
  let pending: Promise<HealthReading | undefined> | undefined;

  const startReading = async (): Promise<HealthReading | undefined> => {
    try {
      const reading = await readHealth(db, clock());
      last = { reading, at: performance.now() };
      return reading;
    } catch {
      // The metrics show that the store is unavailable; the log has the cause, from the requests that failed.
      return undefined;
    } finally {
      pending = undefined;
    }
  };
  return async () => {
    const isFresh = last !== undefined && performance.now() - last.at < ttlMs;
    const reading = isFresh ? last?.reading : await withTimeout(timeoutMs, (pending ??= startReading()));
    const up = createGauge('flightdata_store_up', 'Whether the store answers: 1 or 0', reading ? 1 : 0);
    return sharedByProcesses(reading ? [up, ...toMetrics(reading)] : [up]);
  };
};
