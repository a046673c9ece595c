import { FeedError } from '../feeds/feed-error.ts';
import type { Database } from '../store/pool/database.ts';
import { latestLoad } from '../store/schedules/schedules.ts';
import { exitCodes } from './report-outcome.ts';

const refusalOf = (file: string, error: FeedError): string => {
  const place = [
    error.line === undefined ? '' : `line ${error.line}`,
    error.bytes === undefined ? '' : `bytes ${error.bytes[0]}-${error.bytes[1]}`,
  ].filter(Boolean);
  const value = error.value === undefined ? '' : ` [${error.value}]`;
  return `${file}: refused, nothing was loaded: ${place.length > 0 ? `${place.join(', ')}: ` : ''}${error.message}${value}\n`;
};

/** A feed that cannot be taken, or a file that cannot be read: both are told of the file, and the next one goes on. */
export const asRefusal = (error: unknown): FeedError | undefined => {
  if (error instanceof FeedError) return error;
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  // A directory opens like a file, and fails when it is read: then without its path.
  const isOfFile = 'path' in error || ('code' in error && error.code === 'EISDIR');
  return isOfFile ? new FeedError(error.message, { reason: 'unreadable-file', cause: error }) : undefined;
};

/** Tells why nothing of a file was loaded. */
export const tellRefusal = (file: string, error: FeedError, json: boolean): void => {
  process.stderr.write(refusalOf(file, error));
  const { line, bytes, value, reason, message } = error;
  if (json)
    process.stdout.write(`${JSON.stringify({ source: file, refused: { line, bytes, value, reason, message } })}\n`);
};

/** Warns whoever loads data beside the demo world. */
export const warnOfDemo = async (db: Database): Promise<void> => {
  if (await latestLoad(db, 'demo'))
    process.stderr.write(
      'This store holds the demo world, and its key is public: load real data into another DATA_DIR or database.\n',
    );
};

/** The exit code of several loads together. */
export const worst = (codes: readonly number[]): number =>
  codes.includes(exitCodes.refused) ? exitCodes.refused : Math.max(...codes, exitCodes.loaded);
