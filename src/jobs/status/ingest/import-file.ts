import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { countAccepted, createLoadReport, type LoadReport } from '#feeds/load-report.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { insertLoad, lockSchedules, updateLoadReport } from '#store/schedules/schedules.ts';
import { lockAllStatuses } from '#store/status/flight-statuses.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { readSourceFile } from '#feeds/read-source-file.ts';
import type { FeedItem, FeedReader } from './feed-readers.ts';
import { addUnknownCarriers, findUnknownCarriers, ingestMessagesWithin } from './status-ingester.ts';
import { createBoundedRemarks, countOutcomes, toReportEntries } from './report-results.ts';

export type StatusImportOptions = {
  readonly db: Database;
  readonly kind: 'status' | 'bts' | 'mvt' | 'aidx';
  /** Plain or gzip. */
  readonly file: string;
  readonly feed: (masterDataIndex: MasterDataIndex) => FeedReader;
  /** The time of the events. */
  readonly clock?: (() => Date) | undefined;
  /** Called with the bytes read so far, as stored on disk. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
};

/** Messages that are matched and stored together. */
const BATCH_SIZE = 1000;

type MessageImport = {
  readonly report: LoadReport;
  readonly remarks: ReturnType<typeof createBoundedRemarks>;
  readonly clock: () => Date;
};

/** Ingests a batch of items; returns the master data index, with carriers that it adds. */
const importBatch = async (
  sql: Sql,
  items: readonly FeedItem[],
  { report, remarks, clock, masterDataIndex: before }: MessageImport & { readonly masterDataIndex: MasterDataIndex },
): Promise<MasterDataIndex> => {
  for (const { entries, otherType } of items) {
    remarks.add(entries);
    if (otherType !== undefined) countAccepted(report, `${otherType} telegrams left out`);
  }
  const messages = items.flatMap(({ message }) => message ?? []);
  const lines = items.flatMap(({ line, message }) => (message ? [line] : []));
  const unknown = findUnknownCarriers(messages, before);
  const masterDataIndex = unknown.size > 0 ? await addUnknownCarriers(sql, unknown) : before;
  const outcomes = await ingestMessagesWithin(sql, messages, { masterDataIndex, clock });
  countOutcomes(report, outcomes);
  outcomes.forEach((outcome, index) => remarks.add(toReportEntries(outcome, lines[index] ?? 0)));
  return masterDataIndex;
};

/**
 * Imports a file of status messages in one transaction. Messages that were stored before have no effect, so a file may be imported again. Other
 * sources wait for the end. Throws FeedError and changes nothing when the file cannot be read as a whole.
 */
export const importStatusFile = async ({
  db,
  kind,
  file,
  feed,
  clock = () => new Date(),
  onProgress,
}: StatusImportOptions): Promise<LoadReport> => {
  const { size } = await stat(file);
  const digest = createHash('sha256');
  const report = createLoadReport(basename(file));
  const remarks = createBoundedRemarks(report);
  let done = 0;
  const onBytes = (piece: Buffer): void => {
    digest.update(piece);
    done += piece.length;
    onProgress?.(done, size);
  };
  await db.begin(async (sql) => {
    await lockSchedules(sql);
    await lockAllStatuses(sql);
    let masterDataIndex = await readMasterDataIndex(sql);
    let batch: FeedItem[] = [];
    for await (const item of feed(masterDataIndex)(readSourceFile(file, onBytes))) {
      batch.push(item);
      if (batch.length < BATCH_SIZE) continue;
      masterDataIndex = await importBatch(sql, batch, { report, remarks, clock, masterDataIndex });
      batch = [];
    }
    await importBatch(sql, batch, { report, remarks, clock, masterDataIndex });
    remarks.finish();
    const loadId = await insertLoad(sql, { kind, source: basename(file), sha256: digest.digest('hex'), carriers: [] });
    await updateLoadReport(sql, loadId, report);
  });
  return report;
};
