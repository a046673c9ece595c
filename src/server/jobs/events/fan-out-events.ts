import { randomUUID } from 'node:crypto';
import type { Database, Sql } from '#store/pool/database.ts';
import {
  fanOutEvents,
  listPendingEvents,
  acquireFanOutLease,
  type UnnumberedEvent,
  type PendingEvent,
} from '#store/events/account-events.ts';
import {
  advanceBacklog,
  findBacklogEvents,
  insertBacklogs,
  listBacklogs,
  type FanOutBacklog,
} from '#store/events/fan-out-backlog.ts';
import { checkHistory, LOST_POSITIONS, type LostHistory } from '#store/events/event-history.ts';
import { DEFAULT_FAN_OUT_LIMIT } from '#store/access/object-limits.ts';
import type { ActiveAlert } from '#store/alerts/active-alerts.ts';
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
  /** The most account events of a subscription in one transaction; with more it falls behind, so that others need not wait. 0 means no limit. */
  readonly maxAddedOfSubscription?: number | undefined;
  /** The most account events in one turn of a subscription that is behind. */
  readonly maxAddedOfTurn?: number;
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

/** Batches of new events, while there are more, to one turn of a subscription that is behind. */
const BATCHES_A_TURN = 4;

/** Account events of one such turn, about 5 ms: for so long others wait. */
const MAX_ADDED_OF_TURN = 125;

/** Events that are read for one such turn. */
const BACKLOG_BATCH = 100;

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
  /** `isAll`: no events are left; `isBehind`: a subscription is behind. */
  | ({ readonly kind: 'moved'; readonly isAll: boolean; readonly isBehind: boolean } & FanOutProgress)
  | { readonly kind: 'busy' }
  /** The alerts must be read first. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'lost'; readonly after: number; readonly oldest: number };

type MoveOptions = {
  readonly alerts: ActiveAlertIndex;
  readonly batch: number;
  readonly maxAdded: number;
  readonly maxAddedOfSubscription: number;
  readonly maxAddedOfTurn: number;
  readonly worker: string;
  /** Acquires the lease, and checks the history of the database; false while another process has the lease. */
  readonly acquire: (sql: Sql) => Promise<boolean>;
};

type Collected = {
  readonly accountEvents: readonly UnnumberedEvent[];
  readonly last: number;
  /** Subscriptions that fall behind, with their last position. */
  readonly backlogs: readonly FanOutBacklog[];
};

/** Collects account events in the order of the log, without those of subscriptions that are behind or exceed their part of a transaction. */
const collectAccountEvents = (
  events: readonly PendingEvent[],
  behind: Set<number>,
  { alerts, maxAdded, maxAddedOfSubscription }: MoveOptions,
): Collected => {
  const accountEvents: UnnumberedEvent[] = [];
  const backlogs: FanOutBacklog[] = [];
  const counts = new Map<number, number>();
  let last = 0;
  for (const event of events) {
    const matching = alerts.match(event.facts).filter(({ subscriptionId }) => !behind.has(subscriptionId));
    for (const [subscriptionId, own] of Map.groupBy(matching, (alert) => alert.subscriptionId)) {
      const added = [...toAccountEvents(event, own)];
      const count = (counts.get(subscriptionId) ?? 0) + added.length;
      if (maxAddedOfSubscription > 0 && count > maxAddedOfSubscription) {
        behind.add(subscriptionId);
        backlogs.push({ subscriptionId, position: event.position - 1 });
        continue;
      }
      counts.set(subscriptionId, count);
      accountEvents.push(...added);
    }
    last = event.position;
    if (accountEvents.length >= maxAdded) break;
  }
  return { accountEvents, last, backlogs };
};

const move = (db: Database, options: MoveOptions): Promise<Move> =>
  db.begin(async (sql): Promise<Move> => {
    const { alerts, batch, worker } = options;
    if (!(await options.acquire(sql))) return { kind: 'busy' };
    // The server runs the second query after the first: every alert that existed before one of the events is known, and none that was
    // deleted before it.
    const [waiting, isUpdated, behind] = await Promise.all([
      listPendingEvents(sql, batch),
      alerts.update(sql),
      listBacklogs(sql),
    ]);
    if (waiting.kind === 'lost') {
      // These events are gone; the ones that follow must not wait for them.
      await fanOutEvents(sql, { events: [], upTo: waiting.oldest - 1, worker });
      return waiting;
    }
    const { events } = waiting;
    const [first] = events;
    if (!isUpdated) return { kind: 'unread' };
    if (!first) return { kind: 'moved', events: 0, added: 0, last: 0, isAll: true, isBehind: behind.length > 0 };
    const { accountEvents, last, backlogs } = collectAccountEvents(events, new Set(behind), options);
    await fanOutEvents(sql, { events: accountEvents, upTo: last, worker });
    await insertBacklogs(sql, backlogs);
    const moved = last - first.position + 1;
    return {
      kind: 'moved',
      events: moved,
      added: accountEvents.length,
      last,
      isAll: moved < batch && moved === events.length,
      isBehind: behind.length + backlogs.length > 0,
    };
  });

/** Adds the next events of one subscription that is behind. Returns their number; undefined when nothing could be done. */
const moveBacklog = (db: Database, options: MoveOptions): Promise<number | undefined> =>
  db.begin(async (sql) => {
    const { alerts, worker, maxAddedOfTurn } = options;
    if (!(await options.acquire(sql))) return undefined;
    const [backlog, isUpdated] = await Promise.all([findBacklogEvents(sql, BACKLOG_BATCH), alerts.update(sql)]);
    if (!backlog || !isUpdated) return undefined;
    const { subscriptionId, events, end } = backlog;
    const accountEvents: UnnumberedEvent[] = [];
    let position = events.length === 0 ? end : 0;
    for (const event of events) {
      const added = [...toAccountEvents(event, alerts.matchOf(subscriptionId, event.facts))];
      // One event is added in any case.
      if (accountEvents.length > 0 && accountEvents.length + added.length > maxAddedOfTurn) break;
      accountEvents.push(...added);
      ({ position } = event);
    }
    await fanOutEvents(sql, { events: accountEvents, upTo: undefined, worker });
    await advanceBacklog(sql, { subscriptionId, position });
    return accountEvents.length;
  });

/**
 * Starts to add each event of the log to the accounts whose alerts select it. Any number of processes may run it: one works, and another
 * takes over within twice `standbyMs` of its end. New events for all come first. One subscription that is behind gets a turn when there are none,
 * and after every fourth batch of them: others wait for one such turn. Returns a function that stops it after the current move.
 */
export const startEventFanOut = async (
  db: Database,
  {
    onError,
    onProgress,
    batch = BATCH,
    maxAdded = MAX_ADDED,
    maxAddedOfSubscription = DEFAULT_FAN_OUT_LIMIT,
    maxAddedOfTurn = MAX_ADDED_OF_TURN,
    pollMs = backgroundTasks['fan-out-events'].periodMs,
    standbyMs = STANDBY_MS,
    driver = new BackgroundDriver(db),
  }: EventFanOutOptions,
): Promise<() => Promise<void>> => {
  const alerts = createActiveAlertIndex(db);
  const limits = { batch, maxAdded, maxAddedOfSubscription, maxAddedOfTurn };
  const worker = randomUUID();
  /** The last position of the log that is known to be fanned out. */
  let lastKnown = 0;
  /** Found by a transaction that may still be rolled back. */
  let lost: LostHistory | undefined;
  const acquire = async (sql: Sql): Promise<boolean> => {
    lost = undefined;
    if (!(await acquireFanOutLease(sql, { worker, leaseMs: standbyMs }))) return false;
    lost = await checkHistory(sql, lastKnown);
    return true;
  };
  const options = { alerts, ...limits, worker, acquire };
  /** Reports a loss once its transaction is committed. */
  const reportLost = (): void => {
    if (!lost) return;
    onError(
      new Error(
        `the database lost the end of its history (${lost.from}, now ${lost.to}): events may be missing, and the positions of all accounts go on ${LOST_POSITIONS} later`,
      ),
    );
    lost = undefined;
    lastKnown = 0;
  };
  /** Batches since the last turn of a subscription that is behind. */
  let batches = 0;
  const run = async (): Promise<RunOutcome> => {
    const moved = await move(db, options);
    reportLost();
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
      onError(new Error(`events ${after + 1} to ${oldest - 1} were deleted before their fan-out to accounts`));
      return 'more';
    }
    const { events, added, last } = moved;
    lastKnown = Math.max(lastKnown, last);
    if (events > 0) onProgress?.({ events, added, last });
    if (!moved.isBehind) return moved.isAll ? 'done' : 'more';
    batches += 1;
    if (!moved.isAll && batches < BATCHES_A_TURN) return 'more';
    batches = 0;
    const late = await moveBacklog(db, options);
    reportLost();
    if (late !== undefined && late > 0) onProgress?.({ events: 0, added: late, last });
    return 'more';
  };
  const { stop } = await driver.start('fan-out-events', { run, onError, periodMs: pollMs, retryMs: pollMs, standbyMs });
  return stop;
};
