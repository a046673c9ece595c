import { addDays, toUtcDate } from '#domain/time/dates.ts';
import { pruneAlertChanges } from '#store/alerts/alert-changes.ts';
import { pruneIdempotencyKeys } from '#store/alerts/idempotency.ts';
import type { Database } from '#store/pool/database.ts';
import { pruneVersions } from '#store/events/flight-versions.ts';
import { pruneEventLog } from '#store/events/event-log.ts';
import { prunePushLog } from '#store/deliveries/delivery-log.ts';
import { BackgroundDriver } from '../driver.ts';

const DAY_MS = 86_400_000;

/** Days for which events are retained. */
export const EVENT_RETENTION_DAYS = 7;

/** Retention of alert changes, milliseconds: a process that was suspended for longer reads all alerts again. */
const ALERT_CHANGES_MS = DAY_MS;

/** Retention of the event versions of a flight after its departure and its last event, days; longer while events are retained. */
const FLIGHT_DAYS = 30;

export type EventDataPruningOptions = {
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** Retention of events, milliseconds. */
  readonly retentionMs?: number;
  readonly periodMs?: number;
  readonly driver?: BackgroundDriver | undefined;
};

export type PruneEventDataOptions = {
  readonly now: Date;
  /** Retention of events, milliseconds. */
  readonly retentionMs?: number | undefined;
  /** Ends the pruning before all is deleted. */
  readonly signal?: AbortSignal;
};

/** Deletes old events, alert changes, delivery logs, stored responses and flight versions. */
export const pruneEventData = async (
  db: Database,
  { now, retentionMs = EVENT_RETENTION_DAYS * DAY_MS, signal }: PruneEventDataOptions,
): Promise<void> => {
  await pruneEventLog(db, new Date(now.getTime() - retentionMs), { signal });
  await pruneAlertChanges(db, new Date(now.getTime() - ALERT_CHANGES_MS));
  await prunePushLog(db, now, { signal });
  await pruneIdempotencyKeys(db, now, { signal });
  const days = Math.max(FLIGHT_DAYS, Math.ceil(retentionMs / DAY_MS) + 1);
  await pruneVersions(db, addDays(toUtcDate(now), -days), { signal });
};

/**
 * Starts to prune event data, now and once an hour. Any number of processes may run it. Returns a function that stops it after the current
 * statement; the next run deletes the rest.
 */
export const startEventDataPruning = async (
  db: Database,
  { clock, onError, retentionMs, periodMs, driver = new BackgroundDriver(db) }: EventDataPruningOptions,
): Promise<() => Promise<void>> => {
  const { stop } = await driver.start('prune-events', {
    run: async (signal) => {
      await pruneEventData(db, { now: clock(), retentionMs, signal });
      return 'done';
    },
    onError,
    periodMs,
  });
  return stop;
};
