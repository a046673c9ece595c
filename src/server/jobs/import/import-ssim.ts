import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { LocalDate } from '#domain/time/dates.ts';
import { createLoadReport, type LoadReport } from '#feeds/load-report.ts';
import { readSchedules } from '#feeds/ssim/read-schedules.ts';
import type { Database } from '#store/pool/database.ts';
import { publishSchedules } from '../expand/publish-schedules.ts';
import type { ExpansionWindow } from '../expand/schedule-window.ts';
import { rejectWithReport } from '#feeds/reject-with-report.ts';
import { readSourceFile } from '#feeds/read-source-file.ts';

export type ImportSsimOptions = {
  readonly db: Database;
  /** An SSIM chapter 7 file, plain or gzip. */
  readonly file: string;
  readonly today: LocalDate;
  readonly window?: ExpansionWindow | undefined;
  readonly horizonDays: number;
  /**
   * Called with the progress of a step: `done` of `total`, in bytes of the file for `read` and in days for `expand`.
   */
  readonly onProgress?: ((step: 'read' | 'save' | 'expand', done: number, total: number) => void) | undefined;
};

/**
 * Imports an SSIM chapter 7 file in one transaction: it replaces the schedules of all its carriers. Throws FeedError,
 * without changes, when the file is invalid as a whole.
 */
export const importSsim = async ({
  db,
  file,
  today,
  window,
  horizonDays,
  onProgress,
}: ImportSsimOptions): Promise<LoadReport> => {
  const { size } = await stat(file);
  const digest = createHash('sha256');
  const report = createLoadReport(basename(file));
  let read = 0;
  const onBytes = (chunk: Buffer): void => {
    digest.update(chunk);
    read += chunk.length;
    onProgress?.('read', read, size);
  };
  const schedules = await rejectWithReport(report, readSchedules(readSourceFile(file, onBytes), report));
  onProgress?.('save', 0, 1);
  return publishSchedules(db, {
    kind: 'ssim',
    source: basename(file),
    sha256: digest.digest('hex'),
    schedules,
    report,
    today,
    window,
    horizonDays,
    onDay: (done, total) => onProgress?.('expand', done, total),
  });
};
