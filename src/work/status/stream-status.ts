import type { ReportEntry } from '../../feeds/load-report.ts';
import type { FeedItem } from './feed-items.ts';
import { entriesOf } from './outcome-entries.ts';
import type { StatusDoor } from './status-door.ts';
import type { Outcome } from './store-messages.ts';

/** What was taken of a stream, batch by batch. Everything up to `line` has been dealt with and is in the database. */
export type Acknowledgement = {
  readonly line: number;
  readonly stored: number;
  readonly duplicates: number;
  readonly quarantined: number;
  /** Lines that could not be read. */
  readonly refused: number;
  readonly remarks: readonly ReportEntry[];
};

/** The most messages of a batch; while one is written, so many more are read ahead. */
const AT_ONCE = 1000;

/** While one batch is stored the next is looked up. */
const BATCHES_AT_ONCE = 2;

type ReadAhead = {
  readonly batches: AsyncIterable<readonly FeedItem[]>;
  /** Ends the batches with a failure, also while the source is silent. */
  readonly stop: (failure: unknown) => void;
};

/** Hands on whatever has come since it was last asked: single messages while the source is slow, full batches while it is fast. */
const readAhead = (items: AsyncIterable<FeedItem>): ReadAhead => {
  let waiting: FeedItem[] = [];
  let ended = false;
  let failure: unknown;
  let wake = (): void => {};
  let makeRoom = (): void => {};
  const end = (cause?: unknown): void => {
    if (!ended) failure = cause;
    ended = true;
    wake();
    makeRoom();
  };
  const read = async (): Promise<void> => {
    for await (const item of items) {
      if (ended) return;
      waiting.push(item);
      wake();
      if (waiting.length >= AT_ONCE) await new Promise<void>((resolve) => (makeRoom = resolve));
    }
    end();
  };
  async function* batches(): AsyncGenerator<readonly FeedItem[]> {
    read().catch(end);
    for (;;) {
      if (waiting.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve));
      const batch = waiting;
      waiting = [];
      makeRoom();
      if (batch.length > 0) yield batch;
      else if (ended) break;
    }
    if (failure !== undefined) throw failure;
  }
  const stop = (cause: unknown): void => {
    waiting = [];
    end(cause);
  };
  return { batches: batches(), stop };
};

const acknowledge = (
  items: readonly FeedItem[],
  outcomes: readonly Outcome[],
  lines: readonly number[],
): Acknowledgement => {
  const count = (kind: Outcome['kind']): number => outcomes.filter((outcome) => outcome.kind === kind).length;
  return {
    line: items.at(-1)?.line ?? 0,
    stored: count('stored'),
    duplicates: count('duplicate'),
    quarantined: count('quarantined'),
    refused: items.filter(({ message }) => message === undefined).length,
    remarks: [
      ...items.flatMap(({ entries }) => entries),
      ...outcomes.flatMap((outcome, index) => entriesOf(outcome, lines[index] ?? 0)),
    ],
  };
};

/**
 * Takes a stream of status messages in until it ends; `onBatch` hears of each batch once it is stored, and not before. A
 * message that comes again has no further effect, so whatever was not acknowledged may be sent again.
 */
export const streamStatus = async (
  items: AsyncIterable<FeedItem>,
  door: StatusDoor,
  onBatch: (acknowledgement: Acknowledgement) => void | Promise<void>,
): Promise<void> => {
  const { batches, stop } = readAhead(items);
  let taken: Promise<readonly Outcome[]> = Promise.resolve([]);
  let acknowledged: Promise<void> = Promise.resolve();
  const underWay: Promise<unknown>[] = [];
  try {
    for await (const batch of batches) {
      const told = batch.flatMap(({ line, message }) => (message ? [{ line, message }] : []));
      const lines = told.map(({ line }) => line);
      taken = door.take(told.map(({ message }) => message));
      acknowledged = Promise.all([taken, acknowledged]).then(([outcomes]) =>
        onBatch(acknowledge(batch, outcomes, lines)),
      );
      // A source that waits for an acknowledgement sends nothing more, so a failure must not wait for its next message.
      acknowledged.catch(stop);
      underWay.push(acknowledged);
      if (underWay.length === BATCHES_AT_ONCE) await underWay.shift();
    }
  } finally {
    // What was taken is stored and acknowledged before the stream ends, even when its source fails.
    await Promise.allSettled([taken, acknowledged]);
  }
  await acknowledged;
};
