import { randomUUID } from 'node:crypto';
import type { Database } from '#store/pool/database.ts';
import { listOutbox, sequenceOutbox, type SequenceResult } from '#store/events/event-outbox.ts';
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
  /** How long servers may serve cached pages from before a commit: events get their positions, and become visible, that much later. */
  readonly cacheLeaseMs?: number | undefined;
  readonly driver?: BackgroundDriver | undefined;
};

/** Moving this many events takes about 50 ms. */
const BATCH = 5000;
const STANDBY_MS = 500;

/**
 * Starts to move events from the outbox to the log, a cache lease after they are committed. Any number of processes may run it: one moves, and another
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
    cacheLeaseMs = 0,
    driver = new BackgroundDriver(db),
  }: EventSequencerOptions,
): Promise<() => Promise<void>> => {
  const worker = randomUUID();
  const sequence = (seqs: readonly number[]): Promise<SequenceResult> =>
    db.begin((sql) => sequenceOutbox(sql, { seqs, now: clock(), worker, leaseMs: standbyMs }));
  /** Committed events that wait until no server serves a page from before them; the first to be moved first. */
  let waiting: readonly { readonly seqs: readonly number[]; readonly from: number }[] = [];
  const run = async (): Promise<RunOutcome> => {
    const known = waiting.flatMap(({ seqs }) => seqs);
    const found = known.length < batch ? await listOutbox(db, { known, limit: batch }) : [];
    if (found.length > 0) waiting = [...waiting, { seqs: found, from: performance.now() + cacheLeaseMs }];
    const due = waiting.filter(({ from }) => from <= performance.now()).flatMap(({ seqs }) => seqs);
    const [next] = waiting;
    if (next && due.length === 0) return { nextInMs: Math.ceil(next.from - performance.now()) };
    const moved = await sequence(due);
    if (moved.kind === 'busy') {
      waiting = [];
      return 'standby';
    }
    waiting = waiting.filter(({ seqs: [first] }) => first !== undefined && !due.includes(first));
    if (moved.events > 0) onSequenced?.(moved);
    return waiting.length > 0 || found.length === batch ? 'more' : 'done';
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
