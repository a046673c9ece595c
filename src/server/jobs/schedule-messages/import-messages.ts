import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { FeedError } from '#feeds/feed-error.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { readScheduleMessages, type ScheduleMessageItem } from '#feeds/schedule-messages/read-messages.ts';
import { readSourceFile } from '#feeds/read-source-file.ts';
import { delayAtLeast } from '#lib/delay-at-least.ts';
import type { Database } from '#store/pool/database.ts';
import { readMasterDataIndex } from '../cache/read-master-data-index.ts';
import { readAhead } from '../status/ingest/ingest-stream.ts';
import {
  ingestScheduleMessages,
  MAX_MESSAGES_A_TRANSACTION,
  mergeResults,
  type ScheduleIngestContext,
  type ScheduleIngestResult,
  type ScheduleMessageOutcome,
} from './ingest-messages.ts';

/** Limits of one file: a small gzip file can expand to gigabytes. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
const MAX_FILE_LINES = 1_000_000;
const MAX_FILE_MESSAGES = 50_000;

type FileOptions = Pick<ScheduleIngestContext, 'clock' | 'cacheLeaseMs'> & {
  readonly db: Database;
  /** Plain or gzip. */
  readonly file: string;
  /** Called with the bytes read so far. */
  readonly onBytes?: ((total: number) => void) | undefined;
  /** Ends the import between two transactions; the file is then imported again. */
  readonly signal?: AbortSignal | undefined;
};

/** The import of a file was stopped by a signal before its end. */
export class ImportStoppedError extends Error {}

const rejectFile = (limit: number, what: string): never => {
  throw new FeedError(`The file has more than ${limit} ${what}. Split it.`, { reason: 'too-large' });
};

const countLines = (chunk: Uint8Array): number => {
  let count = 0;
  for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) count += 1;
  return count;
};

/** Rejects a file that is no complete gzip file or exceeds a limit, before anything of it is applied. Returns its digest. */
const checkFile = async (file: string, clock: () => Date, onBytes?: (total: number) => void): Promise<string> => {
  const digest = createHash('sha256');
  let [stored, bytes, lines, messages] = [0, 0, 0, 0];
  const onChunk = (chunk: Buffer): void => {
    digest.update(chunk);
    stored += chunk.length;
    onBytes?.(stored);
  };
  for await (const chunk of readSourceFile(file, onChunk)) {
    bytes += chunk.byteLength;
    lines += countLines(chunk);
    if (bytes > MAX_FILE_BYTES) rejectFile(MAX_FILE_BYTES, 'bytes');
    if (lines > MAX_FILE_LINES) rejectFile(MAX_FILE_LINES, 'lines');
  }
  for await (const _ of readScheduleMessages(
    readSourceFile(file, () => {}),
    clock,
  )) {
    messages += 1;
    if (messages > MAX_FILE_MESSAGES) rejectFile(MAX_FILE_MESSAGES, 'messages');
  }
  return digest.digest('hex');
};

/** Groups messages for transactions. */
async function* readBatches(items: AsyncIterable<ScheduleMessageItem>): AsyncGenerator<readonly ScheduleMessageItem[]> {
  let batch: ScheduleMessageItem[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < MAX_MESSAGES_A_TRANSACTION) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Imports a file of messages, and returns the outcome of each. A file that exceeds a limit changes nothing; otherwise each message applies by itself,
 * in transactions of some messages. Throws FeedError for a file that cannot be read, and ImportStoppedError.
 */
export const importScheduleMessages = async ({
  db,
  file,
  onBytes,
  signal,
  cacheLeaseMs = 0,
  ...context
}: FileOptions): Promise<ScheduleIngestResult> => {
  const sha256 = await checkFile(file, context.clock, onBytes);
  const source = basename(file);
  const masterDataIndex = await readMasterDataIndex(db);
  const results: ScheduleIngestResult[] = [];
  const items = readScheduleMessages(
    readSourceFile(file, () => {}),
    context.clock,
  );
  for await (const batch of readBatches(items)) {
    if (signal?.aborted) throw new ImportStoppedError('the import was stopped');
    results.push(await ingestScheduleMessages(db, batch, { ...context, masterDataIndex, source, sha256 }));
  }
  if (results.length > 0) await delayAtLeast(cacheLeaseMs);
  return mergeResults(source, results);
};

/** The results of a batch of a stream. Everything up to `line`, the last one of the last message, is stored. */
export type ScheduleAcknowledgement = {
  readonly line: number;
  readonly outcomes: readonly ScheduleMessageOutcome[];
  readonly report: LoadReport;
};

type StreamOptions = Pick<ScheduleIngestContext, 'clock' | 'cacheLeaseMs'> & {
  readonly db: Database;
  readonly getMasterDataIndex: () => MasterDataIndex;
  readonly onBatch: (acknowledgement: ScheduleAcknowledgement) => void | Promise<void>;
};

/** Ingests a stream of messages until it ends, and calls `onBatch` after each batch is stored. A slow source has batches of one. */
export const ingestScheduleStream = async (
  bytes: AsyncIterable<Uint8Array>,
  { db, getMasterDataIndex, onBatch, ...options }: StreamOptions,
): Promise<void> => {
  const { batches } = readAhead(readScheduleMessages(bytes, options.clock));
  for await (const items of batches) {
    const context = { ...options, masterDataIndex: getMasterDataIndex(), source: 'stream', sha256: '' };
    const { outcomes, report } = await ingestScheduleMessages(db, items, context);
    await onBatch({ line: items.at(-1)?.lastLine ?? 0, outcomes, report });
  }
};
