import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { rankMessages, type SourcePrecedence } from '#domain/status/source-precedence.ts';
import type { PlanDays } from '#domain/status/plan-days.ts';
import { toUtcDate, type LocalDate } from '#domain/time/dates.ts';
import { countAccepted, createLoadReport, type LoadReport } from '#feeds/load-report.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { insertLoad, lockSchedules, updateLoadReport } from '#store/schedules/schedules.ts';
import { lockAllStatuses } from '#store/status/flight-statuses.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { readSourceFile } from '#feeds/read-source-file.ts';
import type { FeedItem, FeedReader } from './feed-readers.ts';
import { completeCarriers, ingestMessagesWithin } from './status-ingester.ts';
import { NewDays } from '../store/new-days.ts';
import { createBoundedRemarks, countOutcomes, toReportEntries } from './report-results.ts';

export type StatusImportOptions = {
  readonly db: Database;
  readonly kind: 'status' | 'bts' | 'mvt' | 'aidx';
  /** Plain or gzip. */
  readonly file: string;
  readonly feed: (masterDataIndex: MasterDataIndex) => FeedReader;
  /** The time of the events, and the date from which the days of plans are counted. */
  readonly clock?: (() => Date) | undefined;
  readonly planDays?: PlanDays | undefined;
  readonly precedence?: SourcePrecedence | undefined;
  /** Called with the bytes read so far, as stored on disk. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
};

/** Messages that are matched and stored together. */
const BATCH_SIZE = 1000;

/** On-time files are history: from the first year of this series on, a year and some days in one file. */
const HISTORY_DAYS: PlanDays = { back: 40 * 366, ahead: 1 };
const MAX_HISTORY_DAYS = 400;

/** The operator has chosen the file, so all days within the limits can be created. */
const createFileDays = (today: LocalDate, { kind, planDays }: Pick<StatusImportOptions, 'kind' | 'planDays'>) =>
  kind === 'bts'
    ? new NewDays(today, { planDays: HISTORY_DAYS, max: MAX_HISTORY_DAYS })
    : new NewDays(today, { planDays, max: Infinity });

type MessageImport = {
  readonly report: LoadReport;
  readonly remarks: ReturnType<typeof createBoundedRemarks>;
  readonly clock: () => Date;
  readonly newDays: NewDays;
  readonly precedence: SourcePrecedence | undefined;
};

/** Ingests a batch of items; returns the master data index, with carriers of earlier batches. */
const importBatch = async (
  sql: Sql,
  items: readonly FeedItem[],
  {
    report,
    remarks,
    clock,
    newDays,
    precedence,
    masterDataIndex: before,
  }: MessageImport & { readonly masterDataIndex: MasterDataIndex },
): Promise<MasterDataIndex> => {
  for (const { entries, otherType } of items) {
    remarks.add(entries);
    if (otherType !== undefined) countAccepted(report, `${otherType} telegrams left out`);
  }
  const messages = rankMessages(
    items.flatMap(({ message }) => message ?? []),
    precedence,
  );
  const lines = items.flatMap(({ line, message }) => (message ? [line] : []));
  const masterDataIndex = await completeCarriers(sql, messages, before);
  const outcomes = await ingestMessagesWithin(sql, messages, { masterDataIndex, clock, newDays });
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
  planDays,
  precedence,
  onProgress,
}: StatusImportOptions): Promise<LoadReport> => {
  const { size } = await stat(file);
  const digest = createHash('sha256');
  const report = createLoadReport(basename(file));
  const remarks = createBoundedRemarks(report);
  const newDays = createFileDays(toUtcDate(clock()), { kind, planDays });
  const context = { report, remarks, clock, newDays, precedence };
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
      masterDataIndex = await importBatch(sql, batch, { ...context, masterDataIndex });
      batch = [];
    }
    await importBatch(sql, batch, { ...context, masterDataIndex });
    remarks.finish();
    const loadId = await insertLoad(sql, { kind, source: basename(file), sha256: digest.digest('hex'), carriers: [] });
    await updateLoadReport(sql, loadId, report);
  });
  return report;
};
