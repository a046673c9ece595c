import { FeedError } from '#feeds/feed-error.ts';
import { countReasons, formatLoadReport, formatRejectedRecords, type LoadReport } from '#feeds/load-report.ts';
import { escapeControls } from '#lib/escape-controls.ts';
import type { Database } from '#store/pool/database.ts';
import { findDemoKeyRisk } from '#store/access/demo-key.ts';
import { findLatestLoad } from '#store/schedules/schedules.ts';
import { exitCodes } from './exit-codes.ts';
import { createProgress, type Progress } from './progress.ts';

/** Prints a load report, as text or as one JSON document, and returns its exit code. */
const printLoadReport = (report: LoadReport, { json }: { readonly json: boolean }): number => {
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : formatLoadReport(report));
  return report.entries.some(({ severity }) => severity === 'quarantined') ? exitCodes.quarantined : exitCodes.success;
};

const formatLoadError = (file: string, error: FeedError): string => {
  const position = [
    error.line === undefined ? '' : `line ${error.line}`,
    error.bytes === undefined ? '' : `bytes ${error.bytes[0]}-${error.bytes[1]}`,
  ].filter(Boolean);
  const value = error.value === undefined ? '' : ` [${error.value}]`;
  return `${file}: rejected, nothing loaded: ${position.length > 0 ? `${position.join(', ')}: ` : ''}${error.message}${value}`;
};

const printLoadError = (file: string, error: FeedError, json: boolean): void => {
  const { line, bytes, value, reason, message, report } = error;
  const records = report === undefined || json ? '' : formatRejectedRecords(report);
  process.stderr.write(`${escapeControls(formatLoadError(file, error))}\n${records}`);
  if (!json) return;
  const rejected = { line, bytes, value, reason, message };
  const remarks = report && { quarantined: countReasons(report, 'quarantined'), entries: report.entries };
  process.stdout.write(`${JSON.stringify({ source: file, rejected, ...remarks })}\n`);
};

const fileErrors: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist; correct the path',
  EACCES: 'this user has no permission to read it',
  EISDIR: 'it is a directory; name a file',
  ENOTDIR: 'it is not a directory; name a directory',
};

/** Returns errors of the data, and of reading its file, as a FeedError; undefined for any other error. */
const toFeedError = (error: unknown): FeedError | undefined => {
  if (error instanceof FeedError) return error;
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  // A directory can be opened; the error comes with the first read and has no path.
  const isOfFile = 'path' in error || ('code' in error && error.code === 'EISDIR');
  const text = 'code' in error ? fileErrors[String(error.code)] : undefined;
  return isOfFile ? new FeedError(text ?? error.message, { reason: 'unreadable-file', cause: error }) : undefined;
};

/**
 * Loads one file or directory with a progress bar, prints the report or the error, and returns the exit code.
 * Throws errors that are not of the data, such as a lost database.
 */
export const runLoad = async (
  file: string,
  json: boolean,
  load: (onProgress: Progress['update']) => Promise<LoadReport>,
): Promise<number> => {
  const progress = createProgress();
  try {
    const report = await load(progress.update);
    progress.end(escapeControls(`${file}: loaded`));
    return printLoadReport(report, { json });
  } catch (error) {
    progress.end(escapeControls(`${file}: not loaded`));
    const feedError = toFeedError(error);
    if (!feedError) throw error;
    printLoadError(file, feedError, json);
    return exitCodes.failed;
  }
};

/** Warns when real data is loaded into a store that holds the demo world, or that the public key of the demo world opens. */
export const warnAboutDemoData = async (db: Database): Promise<void> => {
  const risk = await findDemoKeyRisk(db);
  if (await findLatestLoad(db, 'demo'))
    process.stderr.write(
      'warning: this store contains the demo world, whose key is public; load real data into another DATA_DIR or database\n',
    );
  if (risk !== undefined) process.stderr.write(`warning: ${risk}\n`);
};
