import type { ReportEntry } from '#feeds/load-report.ts';
import { createSignal } from '#lib/signal.ts';
import { delayResult } from '#lib/delay-at-least.ts';
import type { MessageOutcome } from '../store/store-messages.ts';
import type { FeedItem } from './feed-readers.ts';
import { toReportEntries } from './report-results.ts';
import type { StatusIngester } from './status-ingester.ts';

/** Batches of a source that is read while earlier batches are processed. */
type ReadAhead<T> = {
  readonly batches: AsyncIterable<readonly T[]>;
  /** Ends the batches with an error, also while the source is silent. */
  readonly stop: (error: unknown) => void;
};

/** The maximum size of a batch, and of what is read ahead. */
const MAX_BATCH = 1000;
/** A batch costs nearly the same whatever its size: smaller ones wait for more items. */
const MIN_BATCH = 20;
/** How long a batch waits for more items, milliseconds, if the last ones arrived within this time. */
const GATHER_MS = 25;
/** A source that sends nothing while a batch waits may itself wait for an acknowledgement: for this long, batches do not wait again, ms. */
const NO_GATHER_MS = 1000;

/** Reads a source and groups its items: single items if it is slow or waits for acknowledgements, full batches if it is fast. */
export const readAhead = <T>(items: AsyncIterable<T>): ReadAhead<T> => {
  let waiting: T[] = [];
  let ended = false;
  let failure: unknown;
  let onItem = (): void => {};
  let onRoom = (): void => {};
  let endGathering = (): void => {};
  let [lastItemAt, gapMs, noGatherUntil] = [-Infinity, Infinity, -Infinity];

  const end = (error?: unknown): void => {
    if (!ended) failure = error;
    ended = true;
    onItem();
    onRoom();
    endGathering();
  };

  const read = async (): Promise<void> => {
    for await (const item of items) {
      if (ended) return;
      const now = performance.now();
      [lastItemAt, gapMs] = [now, now - lastItemAt];
      waiting.push(item);
      onItem();
      if (waiting.length >= MIN_BATCH) endGathering();
      if (waiting.length >= MAX_BATCH) await new Promise<void>((resolve) => (onRoom = resolve));
    }
    end();
  };

  const gather = async (): Promise<void> => {
    const count = waiting.length;
    if (ended || count >= MIN_BATCH || gapMs > GATHER_MS || performance.now() < noGatherUntil) return;
    const { notify, wait } = createSignal();
    endGathering = notify;
    await wait(GATHER_MS);
    if (waiting.length === count) noGatherUntil = performance.now() + NO_GATHER_MS;
  };

  async function* batches(): AsyncGenerator<readonly T[]> {
    read().catch(end);
    for (;;) {
      if (waiting.length === 0 && !ended) await new Promise<void>((resolve) => (onItem = resolve));
      await gather();
      const batch = waiting;
      waiting = [];
      onRoom();
      if (batch.length > 0) yield batch;
      else if (ended) break;
    }
    if (failure !== undefined) throw failure;
  }

  const stop = (error: unknown): void => {
    waiting = [];
    end(error);
  };
  return { batches: batches(), stop };
};

/** The results of a batch of a stream. Everything up to `line` is stored. */
export type Acknowledgement = {
  readonly line: number;
  readonly stored: number;
  readonly duplicates: number;
  /** Messages with the ID of another message of their flight; absent when there are none. They are not stored. */
  readonly conflicts?: number;
  readonly quarantined: number;
  /** Lines that could not be read. */
  readonly rejected: number;
  /** Telegrams of other types by type, such as LDM; absent when there are none. */
  readonly leftOut?: Readonly<Record<string, number>>;
  readonly remarks: readonly ReportEntry[];
};

/** Batches in progress: one is stored while the next one is matched. */
const MAX_BATCHES = 2;
/** Stored batches that wait to be acknowledged. */
const MAX_UNACKNOWLEDGED = 50;

/** Whether an item is a message that could not be read. */
export const isRejected = ({ message, otherType, entries }: FeedItem): boolean =>
  message === undefined && otherType === undefined && entries.some(({ severity }) => severity === 'quarantined');

/** Counts what became of items; `outcomes` and `lines` are those of their messages. */
export const toAcknowledgement = (
  items: readonly FeedItem[],
  outcomes: readonly MessageOutcome[],
  lines: readonly number[],
): Acknowledgement => {
  const others: Record<string, number> = {};
  for (const { otherType } of items) if (otherType !== undefined) others[otherType] = (others[otherType] ?? 0) + 1;
  const count = (kind: MessageOutcome['kind']): number => outcomes.filter((outcome) => outcome.kind === kind).length;
  const conflicts = count('conflict');
  return {
    line: items.at(-1)?.line ?? 0,
    stored: count('stored'),
    duplicates: count('duplicate'),
    ...(conflicts > 0 && { conflicts }),
    quarantined: count('quarantined'),
    rejected: items.filter(isRejected).length,
    ...(Object.keys(others).length > 0 && { leftOut: others }),
    remarks: [
      ...items.flatMap(({ entries }) => entries),
      ...outcomes.flatMap((outcome, index) => toReportEntries(outcome, lines[index] ?? 0)),
    ],
  };
};

export type IngestStreamOptions = {
  readonly onBatch: (acknowledgement: Acknowledgement) => void | Promise<void>;
  /** How long servers may serve cached pages from before a commit, milliseconds. */
  readonly cacheLeaseMs?: number;
};

/**
 * Ingests a stream of status messages until it ends, and calls `onBatch` `cacheLeaseMs` after each batch is stored, when no server serves pages
 * from before it; meanwhile the next batches are stored. A repeated message has no effect, so the source may send again what was not acknowledged.
 */
export const ingestStream = async (
  items: AsyncIterable<FeedItem>,
  ingester: StatusIngester,
  { onBatch, cacheLeaseMs = 0 }: IngestStreamOptions,
): Promise<void> => {
  const { batches, stop } = readAhead(items);
  let ingested: Promise<readonly MessageOutcome[]> = Promise.resolve([]);
  let acknowledged: Promise<void> = Promise.resolve();
  const inProgress: Promise<unknown>[] = [];
  const unacknowledged: Promise<unknown>[] = [];
  try {
    for await (const batch of batches) {
      const messages = batch.flatMap(({ line, message }) => (message ? [{ line, message }] : []));
      const lines = messages.map(({ line }) => line);
      ingested = ingester.ingest(messages.map(({ message }) => message));
      acknowledged = Promise.all([delayResult(ingested, cacheLeaseMs), acknowledged]).then(([outcomes]) =>
        onBatch(toAcknowledgement(batch, outcomes, lines)),
      );
      // A source that waits for an acknowledgement sends nothing more: a failure must not wait for its next message.
      acknowledged.catch(stop);
      unacknowledged.push(acknowledged);
      inProgress.push(ingested);
      if (inProgress.length === MAX_BATCHES) await inProgress.shift();
      if (unacknowledged.length === MAX_UNACKNOWLEDGED) await unacknowledged.shift();
    }
  } finally {
    // Accepted messages are stored and acknowledged even if the source fails.
    await Promise.allSettled([ingested, acknowledged]);
  }
  await acknowledged;
};
