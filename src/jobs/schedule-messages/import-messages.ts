import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { MasterDataIndex } from '../../domain/master-data/master-data-index.ts';
import type { LoadReport } from '../../feeds/load-report.ts';
import { readScheduleMessages, type ScheduleMessageItem } from '../../feeds/schedule-messages/read-messages.ts';
import { readSourceFile } from '../../feeds/read-source-file.ts';
import type { Database } from '../../store/pool/database.ts';
import { readMasterDataIndex } from '../cache/read-master-data-index.ts';
import { readAhead } from '../status/ingest/ingest-stream.ts';
import {
  ingestScheduleMessages,
  type ScheduleIngestContext,
  type ScheduleIngestResult,
  type ScheduleMessageOutcome,
} from './ingest-messages.ts';

type FileOptions = Pick<ScheduleIngestContext, 'clock' | 'cacheLeaseMs'> & {
  readonly db: Database;
  /** Plain or gzip. */
  readonly file: string;
  /** Called with the bytes read so far. */
  readonly onBytes?: ((total: number) => void) | undefined;
};

/** Imports a file of messages in one transaction, and returns the outcome of each. */
export const importScheduleMessages = async ({
  db,
  file,
  onBytes,
  ...context
}: FileOptions): Promise<ScheduleIngestResult> => {
  const digest = createHash('sha256');
  let total = 0;
  const items: ScheduleMessageItem[] = [];
  const bytes = readSourceFile(file, (chunk) => {
    digest.update(chunk);
    total += chunk.length;
    onBytes?.(total);
  });
  for await (const item of readScheduleMessages(bytes, context.clock)) items.push(item);
  const masterDataIndex = await readMasterDataIndex(db);
  return ingestScheduleMessages(db, items, {
    ...context,
    masterDataIndex,
    source: basename(file),
    sha256: digest.digest('hex'),
  });
};

/** The results of a batch of a stream. Everything up to `line` is stored. */
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
