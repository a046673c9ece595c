import type { ReportEntry } from '../../../feeds/load-report.ts';
import type { FeedItem } from './feed-items.ts';
import { toReportEntries } from './result-entries.ts';
import { readAhead } from './read-ahead.ts';
import type { StatusIngester } from './status-ingester.ts';
import type { MessageOutcome } from '../store/store-messages.ts';

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

/** While one batch is stored the next is looked up. */
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
 * Takes a stream of status messages in until it ends; `onBatch` hears of each batch once it is stored, and not before. A
 * message that comes again has no further effect, so whatever was not acknowledged may be sent again.
 */
export const streamStatus = async (
  items: AsyncIterable<FeedItem>,
  door: StatusIngester,
  onBatch: (acknowledgement: Acknowledgement) => void | Promise<void>,
): Promise<void> => {
  const { batches, stop } = readAhead(items);
  let taken: Promise<readonly MessageOutcome[]> = Promise.resolve([]);
  let acknowledged: Promise<void> = Promise.resolve();
  const underWay: Promise<unknown>[] = [];
  try {
    for await (const batch of batches) {
      const told = batch.flatMap(({ line, message }) => (message ? [{ line, message }] : []));
      const lines = told.map(({ line }) => line);
      taken = door.ingest(told.map(({ message }) => message));
      acknowledged = Promise.all([taken, acknowledged]).then(([outcomes]) =>
        onBatch(toAcknowledgement(batch, outcomes, lines)),
      );
      // A source that waits for an acknowledgement sends nothing more, so a failure must not wait for its next message.
      acknowledged.catch(stop);
      underWay.push(acknowledged);
      if (underWay.length === MAX_BATCHES) await underWay.shift();
    }
  } finally {
    // What was taken is stored and acknowledged before the stream ends, even when its source fails.
    await Promise.allSettled([taken, acknowledged]);
  }
  await acknowledged;
};
