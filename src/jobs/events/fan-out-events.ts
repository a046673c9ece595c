import { randomUUID } from 'node:crypto';
import type { Database } from '../../store/pool/database.ts';
import {
  fanOutEvents,
  listPendingEvents,
  acquireFanOutLease,
  type UnnumberedEvent,
  type PendingEvent,
} from '../../store/events/account-events.ts';
import type { ActiveAlert } from '../../store/alerts/active-alerts.ts';
import { BackgroundDriver, type RunOutcome } from '../driver.ts';
import { backgroundTasks } from '../task-registry.ts';
import { createActiveAlertIndex, type ActiveAlertIndex } from './active-alert-index.ts';

/** Events of the log that were fanned out, the account events that this added, and the position of the last event. */
export type FanOutProgress = { readonly events: number; readonly added: number; readonly last: number };

export type EventFanOutOptions = {
  readonly onError: (error: unknown) => void;
  /** Called after each move along the log. */
  readonly onProgress?: ((moved: FanOutProgress) => void) | undefined;
  /** The most events of the log that one transaction fans out. */
  readonly batch?: number;
  /** A move ends with the event that makes this many account events. */
  readonly maxAdded?: number;
  /** Interval of polling for events whose notification was lost, and pause after a failure, milliseconds. */
  readonly pollMs?: number;
  /** How long the work is left to another process after each of its moves, milliseconds. */
  readonly standbyMs?: number;
  readonly driver?: BackgroundDriver | undefined;
};

const BATCH = 1000;
const STANDBY_MS = 500;

/** Limits the length of a transaction when every account selects the events. */
const MAX_ADDED = 50_000;

/** Returns the account events of an event: one per account, of its oldest matching alert, with the parts that any of its alerts selects. */
const toAccountEvents = (
  { position, seq }: PendingEvent,
  alerts: readonly ActiveAlert[],
): Iterable<UnnumberedEvent> => {
  const byStream = new Map<number, UnnumberedEvent & { readonly alertNumber: number }>();
  for (const { id, stream, number, parts } of alerts) {
    const known = byStream.get(stream);
    const isOldest = known === undefined || number < known.alertNumber;
    byStream.set(stream, {
      stream,
      position,
      seq,
      alertId: isOldest ? id : known.alertId,
      alertNumber: isOldest ? number : known.alertNumber,
      parts: {
        changes: parts.changes || known?.parts.changes === true,
        seats: parts.seats || known?.parts.seats === true,
      },
    });
  }
  return byStream.values();
};

type Move =
  | ({ readonly kind: 'moved'; readonly isAll: boolean } & FanOutProgress)
  | { readonly kind: 'busy' }
  /** The alerts must be read first. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'lost'; readonly after: number; readonly oldest: number };

type MoveOptions = {
  readonly alerts: ActiveAlertIndex;
  readonly batch: number;
  readonly maxAdded: number;
  readonly worker: string;
  readonly standbyMs: number;
};

const move = (db: Database, { alerts, batch, maxAdded, worker, standbyMs }: MoveOptions): Promise<Move> =>
  db.begin(async (sql): Promise<Move> => {
    if (!(await acquireFanOutLease(sql, { worker, leaseMs: standbyMs }))) return { kind: 'busy' };
    // The server runs the second query after the first: every alert that existed before one of the events is known, and none that was
    // deleted before it.
    const [waiting, isUpdated] = await Promise.all([listPendingEvents(sql, batch), alerts.update(sql)]);
    if (waiting.kind === 'lost') {
      // These events are gone; the ones that follow must not wait for them.
      await fanOutEvents(sql, { events: [], upTo: waiting.oldest - 1, worker });
      return waiting;
    }
    const { events } = waiting;
    const [first] = events;
    if (!isUpdated) return { kind: 'unread' };
    if (!first) return { kind: 'moved', events: 0, added: 0, last: 0, isAll: true };
    const accountEvents: UnnumberedEvent[] = [];
    let last = first.position;
    for (const event of events) {
      for (const one of toAccountEvents(event, alerts.match(event.facts))) accountEvents.push(one);
      last = event.position;
      if (accountEvents.length >= maxAdded) break;
    }
    await fanOutEvents(sql, { events: accountEvents, upTo: last, worker });
    const moved = last - first.position + 1;
    return {
      kind: 'moved',
      events: moved,
      added: accountEvents.length,
      last,
      isAll: moved < batch && moved === events.length,
    };
  });

/**
 * Starts to add each event of the log to the accounts whose alerts select it. Any number of processes may run it: one works, and another
 * takes over within twice `standbyMs` of its end. Returns a function that stops it after the current move.
 */
export const startEventFanOut = async (
  db: Database,
  {
    onError,
    onProgress,
    batch = BATCH,
    maxAdded = MAX_ADDED,
    pollMs = backgroundTasks['fan-out-events'].periodMs,
    standbyMs = STANDBY_MS,
    driver = new BackgroundDriver(db),
  }: EventFanOutOptions,
): Promise<() => Promise<void>> => {
  const alerts = createActiveAlertIndex(db);
  const worker = randomUUID();
  const run = async (): Promise<RunOutcome> => {
    const moved = await move(db, { alerts, batch, maxAdded, worker, standbyMs });
    if (moved.kind === 'unread') {
      await alerts.load();
      return 'more';
    }
    if (moved.kind === 'busy') {
      // A standby process keeps its alerts up to date, so that it can take over immediately.
      if (!(await alerts.update(db))) await alerts.load();
      return 'standby';
    }
    if (moved.kind === 'lost') {
      const { after, oldest } = moved;
      onError(new Error(`the events from ${after + 1} to ${oldest - 1} were deleted before accounts were given them`));
      return 'more';
    }
    const { events, added, last } = moved;
    if (events > 0) onProgress?.({ events, added, last });
    return moved.isAll ? 'done' : 'more';
  };
  const { stop } = await driver.start('fan-out-events', { run, onError, periodMs: pollMs, retryMs: pollMs, standbyMs });
  return stop;
};
