import type { ReportEntry } from '../../feeds/load-report.ts';
import type { FeedItem } from './feed-items.ts';
import { entriesOf } from './outcome-entries.ts';
import type { StatusDoor } from './status-door.ts';
import type { Outcome } from './take-messages.ts';

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

/** Hands on whatever has come since it was last asked: single messages while the source is slow, full batches while it is fast. */
async function* batchesOf(items: AsyncIterable<FeedItem>): AsyncGenerator<readonly FeedItem[]> {
  let waiting: FeedItem[] = [];
  let ended = false;
  let failure: unknown;
  let wake = (): void => {};
  let makeRoom = (): void => {};
  const reading = (async () => {
    try {
      for await (const item of items) {
        waiting.push(item);
        wake();
        if (waiting.length >= AT_ONCE) await new Promise<void>((resolve) => (makeRoom = resolve));
      }
    } catch (error) {
      failure = error;
    }
    ended = true;
    wake();
  })();
  for (;;) {
    if (waiting.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve));
    const batch = waiting;
    waiting = [];
    makeRoom();
    if (batch.length > 0) yield batch;
    else if (ended) break;
  }
  await reading;
  if (failure !== undefined) throw failure;
}

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
  let acknowledged: Promise<void> = Promise.resolve();
  const underWay: Promise<unknown>[] = [];
  for await (const batch of batchesOf(items)) {
    const told = batch.flatMap(({ line, message }) => (message ? [{ line, message }] : []));
    const taken = door.take(told.map(({ message }) => message));
    const lines = told.map(({ line }) => line);
    acknowledged = Promise.all([taken, acknowledged]).then(([outcomes]) =>
      onBatch(acknowledge(batch, outcomes, lines)),
    );
    // A failure is met where the batch is waited for; until then it must not end the process.
    acknowledged.catch(() => {});
    underWay.push(acknowledged);
    if (underWay.length === BATCHES_AT_ONCE) await underWay.shift();
  }
  await acknowledged;
};
