import type { ReportEntry } from '../../../feeds/load-report.ts';
import type { FeedItem } from './feed-readers.ts';
import { toReportEntries } from './report-results.ts';
import { readAhead } from './read-ahead.ts';
import type { StatusIngester } from './status-ingester.ts';
import type { MessageOutcome } from '../store/store-messages.ts';

/** The results of a batch of a stream. Everything up to `line` is stored. */
export type Acknowledgement = {
  readonly line: number;
  readonly stored: number;
  readonly duplicates: number;
  readonly quarantined: number;
  /** Lines that could not be read. */
  readonly refused: number;
  readonly remarks: readonly ReportEntry[];
};

/** Batches in progress: one is stored while the next one is matched. */
const MAX_BATCHES = 2;

const toAcknowledgement = (
  items: readonly FeedItem[],
  outcomes: readonly MessageOutcome[],
  lines: readonly number[],
): Acknowledgement => {
  const count = (kind: MessageOutcome['kind']): number => outcomes.filter((outcome) => outcome.kind === kind).length;
  return {
    line: items.at(-1)?.line ?? 0,
    stored: count('stored'),
    duplicates: count('duplicate'),
    quarantined: count('quarantined'),
    refused: items.filter(({ message }) => message === undefined).length,
    remarks: [
      ...items.flatMap(({ entries }) => entries),
      ...outcomes.flatMap((outcome, index) => toReportEntries(outcome, lines[index] ?? 0)),
    ],
  };
};

/**
 * Ingests a stream of status messages until it ends, and calls `onBatch` after each batch is stored. A repeated message has no effect, so the
 * source may send again what was not acknowledged.
 */
export const ingestStream = async (
  items: AsyncIterable<FeedItem>,
  ingester: StatusIngester,
  onBatch: (acknowledgement: Acknowledgement) => void | Promise<void>,
): Promise<void> => {
  const { batches, stop } = readAhead(items);
  let ingested: Promise<readonly MessageOutcome[]> = Promise.resolve([]);
  let acknowledged: Promise<void> = Promise.resolve();
  const inProgress: Promise<unknown>[] = [];
  try {
    for await (const batch of batches) {
      const messages = batch.flatMap(({ line, message }) => (message ? [{ line, message }] : []));
      const lines = messages.map(({ line }) => line);
      ingested = ingester.ingest(messages.map(({ message }) => message));
      acknowledged = Promise.all([ingested, acknowledged]).then(([outcomes]) =>
        onBatch(toAcknowledgement(batch, outcomes, lines)),
      );
      // A source that waits for an acknowledgement sends nothing more: a failure must not wait for its next message.
      acknowledged.catch(stop);
      inProgress.push(acknowledged);
      if (inProgress.length === MAX_BATCHES) await inProgress.shift();
    }
  } finally {
    // Accepted messages are stored and acknowledged even if the source fails.
    await Promise.allSettled([ingested, acknowledged]);
  }
  await acknowledged;
};
