import { randomUUID } from 'node:crypto';
import type { Database } from '../../store/pool/database.ts';
import {
  giveEvents,
  readWaiting,
  takeDistribution,
  type Gift,
  type WaitingEvent,
} from '../../store/events/event-fan-out.ts';
import { EVENTS_CHANNEL } from '../../store/events/event-outbox.ts';
import type { StandingAlert } from '../../store/alerts/standing-alerts.ts';
import { followAlerts, type FollowedAlerts } from './follow-alerts.ts';
import { takeTurns, type Turn } from './leader-task.ts';

/** Events of the log that accounts were given: how many, how many times, and the position of the last. */
export type Distributed = { readonly events: number; readonly given: number; readonly last: number };

export type EventDistribution = {
  readonly onError: (error: unknown) => void;
  /** Hears of each move along the log. */
  readonly onDistributed?: ((moved: Distributed) => void) | undefined;
  /** How many events of the log are taken at once. */
  readonly batch?: number;
  /** A move ends with the event with which so many were given. */
  readonly mostGiven?: number;
  /** How often it is looked for events whose announcement did not come, milliseconds. */
  readonly pollMs?: number;
  /** How long the work is left to another process after each of its moves, milliseconds. */
  readonly restMs?: number;
};

const BATCH = 1000;
const POLL_MS = 1000;
const REST_MS = 500;

/** Events that every account wants are not to make one move of minutes. */
const MOST_GIVEN = 50_000;

/** What each account gets of an event: it once, by its oldest alert, with what any of its alerts asks it to carry. */
const giftsOf = ({ position, seq }: WaitingEvent, alerts: readonly StandingAlert[]): Iterable<Gift> => {
  const gifts = new Map<number, Gift & { readonly alertNumber: number }>();
  for (const { id, stream, number, shows } of alerts) {
    const known = gifts.get(stream);
    const isOldest = known === undefined || number < known.alertNumber;
    gifts.set(stream, {
      stream,
      position,
      seq,
      alertId: isOldest ? id : known.alertId,
      alertNumber: isOldest ? number : known.alertNumber,
      shows: {
        changes: shows.changes || known?.shows.changes === true,
        seats: shows.seats || known?.shows.seats === true,
      },
    });
  }
  return gifts.values();
};

type Move =
  | ({ readonly kind: 'moved'; readonly isAll: boolean } & Distributed)
  | { readonly kind: 'busy' }
  /** The alerts have to be read first. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'lost'; readonly after: number; readonly oldest: number };

type Moving = {
  readonly alerts: FollowedAlerts;
  readonly batch: number;
  readonly mostGiven: number;
  readonly worker: string;
  readonly restMs: number;
};

const move = (db: Database, { alerts, batch, mostGiven, worker, restMs }: Moving): Promise<Move> =>
  db.begin(async (sql): Promise<Move> => {
    if (!(await takeDistribution(sql, { worker, restMs }))) return { kind: 'busy' };
    // The second is carried out after the first: so every alert that was there before one of the events is known, and none that was
    // deleted before it.
    const [waiting, isFollowed] = await Promise.all([readWaiting(sql, batch), alerts.follow(sql)]);
    if (waiting.kind === 'lost') {
      // Nothing brings them back, and what follows them is not to wait for ever.
      await giveEvents(sql, { gifts: [], upTo: waiting.oldest - 1, worker });
      return waiting;
    }
    const { events } = waiting;
    const [first] = events;
    if (!isFollowed) return { kind: 'unread' };
    if (!first) return { kind: 'moved', events: 0, given: 0, last: 0, isAll: true };
    const gifts: Gift[] = [];
    let last = first.position;
    for (const event of events) {
      for (const gift of giftsOf(event, alerts.match(event.facts))) gifts.push(gift);
      last = event.position;
      if (gifts.length >= mostGiven) break;
    }
    await giveEvents(sql, { gifts, upTo: last, worker });
    const moved = last - first.position + 1;
    return { kind: 'moved', events: moved, given: gifts.length, last, isAll: moved < batch && moved === events.length };
  });

/**
 * Gives each account the events of the log that its alerts select, as soon as they are in the log, as long as it runs. Any number of
 * processes may do this: one works, and the others take over within twice `restMs` of its end, however it ended. A move that fails is
 * reported, and tried again after `pollMs`. Answers how to stop; the move under way is ended first.
 */
export const distributeEvents = (
  db: Database,
  {
    onError,
    onDistributed,
    batch = BATCH,
    mostGiven = MOST_GIVEN,
    pollMs = POLL_MS,
    restMs = REST_MS,
  }: EventDistribution,
): Promise<() => Promise<void>> => {
  const alerts = followAlerts(db);
  const worker = randomUUID();
  const take = async (): Promise<Turn> => {
    const moved = await move(db, { alerts, batch, mostGiven, worker, restMs });
    if (moved.kind === 'unread') {
      await alerts.load();
      return 'more';
    }
    if (moved.kind === 'busy') {
      // Whoever takes over is to know the alerts already.
      if (!(await alerts.follow(db))) await alerts.load();
      return 'busy';
    }
    if (moved.kind === 'lost') {
      const { after, oldest } = moved;
      onError(new Error(`the events from ${after + 1} to ${oldest - 1} were deleted before accounts were given them`));
      return 'more';
    }
    const { events, given, last } = moved;
    if (events > 0) onDistributed?.({ events, given, last });
    return moved.isAll ? 'done' : 'more';
  };
  return takeTurns(db, { channel: EVENTS_CHANNEL, take, onError, pollMs, restMs });
};
