import { randomUUID } from 'node:crypto';
import type { Database } from '../../store/pool/database.ts';
import { OUTBOX_CHANNEL, sequenceOutbox, type Sequenced } from '../../store/events/event-outbox.ts';
import { takeTurns, type Turn } from './leader-task.ts';

export type EventSequencing = {
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** Hears of each move into the log. */
  readonly onSequenced?: ((moved: Sequenced & { readonly kind: 'sequenced' }) => void) | undefined;
  /** How many events are moved at once. */
  readonly batch?: number;
  /** How often it is looked for events whose announcement did not come, milliseconds. */
  readonly pollMs?: number;
  /** How long the work is left to a sequencer of another process after each of its moves, milliseconds. */
  readonly restMs?: number;
};

/** A move of so many takes some 50 ms, and a load that made a million is through in the time it takes to read them. */
const BATCH = 5000;
const POLL_MS = 1000;
const REST_MS = 500;

/**
 * Moves events from the outbox into the log as soon as they are committed, as long as it runs. Any number of processes may do this: one
 * works, and the others take over within twice `restMs` of its end, however it ended. A move that fails is reported, and tried again after
 * `pollMs`. Answers how to stop; the move under way is ended first.
 */
export const sequenceEvents = (
  db: Database,
  { clock, onError, onSequenced, batch = BATCH, pollMs = POLL_MS, restMs = REST_MS }: EventSequencing,
): Promise<() => Promise<void>> => {
  const worker = randomUUID();
  const take = async (): Promise<Turn> => {
    const moved = await db.begin((sql) => sequenceOutbox(sql, { limit: batch, now: clock(), worker, restMs }));
    if (moved.kind === 'busy') return 'busy';
    if (moved.events > 0) onSequenced?.(moved);
    return moved.events === batch ? 'more' : 'done';
  };
  return takeTurns(db, { channel: OUTBOX_CHANNEL, take, onError, pollMs, restMs });
};
