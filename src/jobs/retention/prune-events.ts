import { addDays, dateOfInstant } from '../../domain/time/dates.ts';
import { pruneAlertChanges } from '../../store/alerts/alert-changes.ts';
import type { Database } from '../../store/pool/database.ts';
import { pruneVersions } from '../../store/events/flight-versions.ts';
import { pruneEvents } from '../../store/events/prune-events.ts';
import { prunePush } from '../../store/deliveries/push-log.ts';
import { startPeriodicTask } from '../../lib/periodic-task.ts';

const DAY_MS = 86_400_000;

/** For how many days events are kept. */
export const RETENTION_DAYS = 7;

/** How long changes of alerts are kept for a process that stood still, milliseconds. */
const ALERT_CHANGES_MS = DAY_MS;

/** How many days after its departure and its last event a flight is forgotten, if its events are gone by then. */
const FLIGHT_DAYS = 30;

const PRUNE_MS = 3_600_000;

export type EventPruning = {
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** How long events are kept, milliseconds. */
  readonly retentionMs?: number;
  /** How often it is done, milliseconds. */
  readonly everyMs?: number;
};

export type Pruning = {
  readonly now: Date;
  /** How long events are kept, milliseconds. */
  readonly retentionMs?: number | undefined;
  /** Ends it before all is deleted. */
  readonly signal?: AbortSignal;
};

/** Deletes what is no longer kept of events, of changes of alerts, of what was pushed and of the count of flights. */
export const pruneAll = async (
  db: Database,
  { now, retentionMs = RETENTION_DAYS * DAY_MS, signal }: Pruning,
): Promise<void> => {
  await pruneEvents(db, new Date(now.getTime() - retentionMs), { signal });
  await pruneAlertChanges(db, new Date(now.getTime() - ALERT_CHANGES_MS));
  await prunePush(db, now, { signal });
  const days = Math.max(FLIGHT_DAYS, Math.ceil(retentionMs / DAY_MS) + 1);
  await pruneVersions(db, addDays(dateOfInstant(now), -days), { signal });
};

/**
 * Deletes what is no longer kept, now and once an hour, as long as it runs. Any number of processes may do this. What fails is reported,
 * and tried again an hour later. Answers how to stop; the statement under way is ended first, and what is left is left to the next time.
 */
export const keepEventsPruned = (
  db: Database,
  { clock, onError, retentionMs, everyMs = PRUNE_MS }: EventPruning,
): (() => Promise<void>) =>
  startPeriodicTask({
    run: (signal) => pruneAll(db, { now: clock(), retentionMs, signal }),
    onError,
    intervalMs: everyMs,
  });
