import { randomUUID } from 'node:crypto';
import type { Database } from '../../store/pool/database.ts';
import { sequenceOutbox, type SequenceResult } from '../../store/events/event-outbox.ts';
import { BackgroundDriver, type RunOutcome } from '../driver.ts';
import { backgroundTasks } from '../task-registry.ts';

export type EventSequencerOptions = {
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** Called after each move into the log. */
  readonly onSequenced?: ((moved: SequenceResult & { readonly kind: 'sequenced' }) => void) | undefined;
  /** The most events that one transaction moves. */
  readonly batch?: number;
  /** Interval of polling for events whose notification was lost, and pause after a failure, milliseconds. */
  readonly pollMs?: number;
  /** How long the work is left to another process after each of its moves, milliseconds. */
  readonly standbyMs?: number;
  readonly driver?: BackgroundDriver | undefined;
};

/** Moving this many events takes about 50 ms. */
const BATCH = 5000;
const STANDBY_MS = 500;

/**
 * Starts to move events from the outbox to the log as soon as they are committed. Any number of processes may run it: one moves, and another
 * takes over within twice `standbyMs` of its end. Returns a function that stops it after the current move.
 */
export const startEventSequencer = async (
  db: Database,
  {
    clock,
    onError,
    onSequenced,
    batch = BATCH,
    pollMs = backgroundTasks['sequence-events'].periodMs,
    standbyMs = STANDBY_MS,
    driver = new BackgroundDriver(db),
  }: EventSequencerOptions,
): Promise<() => Promise<void>> => {
  const worker = randomUUID();
  const run = async (): Promise<RunOutcome> => {
    const moved = await db.begin((sql) =>
      sequenceOutbox(sql, { limit: batch, now: clock(), worker, leaseMs: standbyMs }),
    );
    if (moved.kind === 'busy') return 'standby';
    if (moved.events > 0) onSequenced?.(moved);
    return moved.events === batch ? 'more' : 'done';
  };
  const { stop } = await driver.start('sequence-events', {
    run,
    onError,
    periodMs: pollMs,
    retryMs: pollMs,
    standbyMs,
  });
  return stop;
};
