import type { DataHealth } from '#domain/health/data-health.ts';
import { toUtcDate, localDate } from '#domain/time/dates.ts';
import { withTimeout } from '#lib/with-timeout.ts';
import { readDataHealth } from '#store/health/data-health.ts';
import type { Database } from '#store/pool/database.ts';
import { readEventLags, type EventLags } from '#store/health/event-lags.ts';
import { listLiveStatus, type LiveSourceStatus } from '../sources/live-status.ts';
import { createGauge, type Metric, type Observe } from '#telemetry/metric.ts';

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
  readonly live: readonly LiveSourceStatus[];
  readonly now: Date;
  readonly tookMs: number;
};

const readHealth = async (db: Database, now: Date): Promise<HealthReading> => {
  const started = performance.now();
  const health = await readDataHealth(db, now);
  const lags = await readEventLags(db, now);
  const live = (await listLiveStatus(db, now)).filter(({ places }) => places.length > 0);
  return { health, lags, live, now, tookMs: performance.now() - started };
};

const toSeconds = (at: Date | undefined): number | undefined => at && at.getTime() / 1000;

/** Returns the days from today to the last expanded day; -1 if today is not expanded. */
const countDaysAhead = (expandedTo: string, now: Date): number => Math.max(-1, localDate(expandedTo) - toUtcDate(now));

const toLiveMetrics = (live: readonly LiveSourceStatus[]): readonly Metric[] => {
  const bySource = (
    [name, help]: readonly [string, string],
    valueOf: (status: LiveSourceStatus) => number | undefined,
  ): Metric => ({
    name,
    help,
    type: 'gauge',
    samples: live.flatMap((status) => {
      const value = valueOf(status);
      return value === undefined ? [] : [{ labels: { source: status.name }, value }];
    }),
  });
  return [
    bySource(['flightdata_live_source_age_seconds', 'Age of the oldest data of a live feed'], (one) => one.ageSeconds),
    bySource(['flightdata_live_source_stale', 'Whether the data of a live feed are old (1 or 0)'], (one) =>
      Number(one.stale !== undefined),
    ),
    bySource(
      ['flightdata_live_source_last_success_timestamp_seconds', 'Time of the last answer of a live feed'],
      (one) => toSeconds(one.succeededAt),
    ),
    {
      name: 'flightdata_live_rows_total',
      help: 'Rows of live feeds by what became of them',
      type: 'counter',
      samples: live.flatMap(({ name, rows }) =>
        Object.entries(rows).map(([outcome, value]) => ({ labels: { source: name, outcome }, value })),
      ),
    },
  ];
};

const toMetrics = ({ health, lags, live, now, tookMs }: HealthReading): readonly Metric[] => {
  const { clock, bytes, schedules, status, connections, events, push, keys } = health;
  const { expandedTo } = schedules;
  return [
    createGauge('flightdata_store_read_seconds', 'Duration of the last health query of the store', tookMs / 1000),
    createGauge('flightdata_store_size_bytes', 'Size of the database', bytes),
    createGauge(
      'flightdata_store_clock_skew_seconds',
      'Clock of the database minus clock of the service',
      (clock.getTime() - now.getTime()) / 1000,
    ),
    createGauge(
      'flightdata_schedules_loaded_timestamp_seconds',
      'Time of the last schedule load',
      toSeconds(schedules.loadedAt),
    ),
    createGauge(
      'flightdata_schedules_days_ahead',
      'Days after today that are expanded without a gap; -1 if today is not expanded',
      expandedTo === undefined ? undefined : countDaysAhead(expandedTo, now),
    ),
    createGauge('flightdata_flight_instances', 'Stored flight instances', schedules.instances),
    createGauge(
      'flightdata_status_observed_timestamp_seconds',
      'Time of the newest status observation of a flight of yesterday or today',
      toSeconds(status.observedAt),
    ),
    createGauge('flightdata_status_quarantined', 'Unmatched status messages', status.quarantined),
    createGauge(
      'flightdata_connections_built_timestamp_seconds',
      'Build time of the newest connection set',
      toSeconds(connections?.builtAt),
    ),
    createGauge('flightdata_events_unsequenced', 'Events not in the event log yet', events.unsequenced),
    createGauge(
      'flightdata_events_undistributed',
      'Events of the log not fanned out to accounts yet',
      events.undistributed,
    ),
    createGauge('flightdata_subscriptions_behind', 'Subscriptions with a fan-out backlog', lags.behind),
    createGauge('flightdata_hub_lag_events', 'Positions of the event log not published to the hub yet', lags.hub),
    createGauge('flightdata_push_backlog_events', 'Events not sent yet to active webhook endpoints', lags.push),
    createGauge('flightdata_push_retries', 'Scheduled retries of webhook deliveries', lags.retries),
    createGauge('flightdata_push_endpoints', 'Webhook endpoints', push.endpoints),
    createGauge('flightdata_push_endpoints_disabled', 'Webhook endpoints that the service disabled', push.disabled),
    createGauge('flightdata_push_endpoints_resting', 'Webhook endpoints in backoff after failures', lags.backingOff),
    createGauge(
      'flightdata_push_dead_letters',
      'Dead letters: events whose delivery failed permanently',
      push.deadLetters,
    ),
    createGauge('flightdata_keys_valid', 'Valid subscription keys', keys.valid),
    createGauge('flightdata_keys_expiring', 'Valid subscription keys that expire within 30 days', keys.expiringSoon),
    ...toLiveMetrics(live),
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
    const up = createGauge('flightdata_store_up', 'Whether the store responds (1 or 0)', reading ? 1 : 0);
    return sharedByProcesses(reading ? [up, ...toMetrics(reading)] : [up]);
  };
};
