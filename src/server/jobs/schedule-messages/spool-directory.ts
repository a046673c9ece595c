import type { Dirent } from 'node:fs';
import { lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FeedError } from '#feeds/feed-error.ts';
import type { Database } from '#store/pool/database.ts';
import { isUnavailable } from '#store/pool/driver/driver.ts';
import { ImportStoppedError, importScheduleMessages } from './import-messages.ts';
import type { ScheduleIngestContext, ScheduleIngestResult } from './ingest-messages.ts';
import { moveToFolder } from './move-file.ts';
import { type ClaimedFile, SpoolClaims, stageReply } from './spool-claims.ts';

/**
 * The folders of a spool directory: files that are being imported, that were imported, that cannot be read, and the ACK and NAC texts to send.
 */
const folders = ['working', 'done', 'failed', 'replies'] as const;

/** Files that a gateway still writes have such a name until they are renamed. */
const isBeingWritten = (name: string): boolean => name.startsWith('.') || /\.(?:tmp|part)$/.test(name);

const toFileError = (error: unknown, what = 'cannot be read'): FeedError =>
  error instanceof FeedError
    ? error
    : new FeedError(`${what}: ${error instanceof Error ? error.message : String(error)}`, {
        reason: 'unreadable-file',
        cause: error,
      });

/** Whether an error of the operating system concerns one file, and not the connection to the database. */
const isOfFile = (error: unknown): boolean => error instanceof Error && 'syscall' in error && 'path' in error;

export type SpoolOptions = Pick<ScheduleIngestContext, 'clock' | 'cacheLeaseMs'> & {
  readonly db: Database;
  /** Called after each file with its result, or why it was not imported. */
  readonly onFile: (name: string, result: ScheduleIngestResult | FeedError) => void;
  /** Ends the import before the next file, and within a large one. */
  readonly signal?: AbortSignal | undefined;
  /** The names that were reported as unusable; the caller keeps it between calls, so that each is reported once. */
  readonly reported?: Set<string>;
};

const describeEntry = (entry: Dirent): string =>
  entry.isSymbolicLink() ? 'a symbolic link' : entry.isFIFO() ? 'a pipe' : 'a special file';

/** Lists the files to import, by name, and reports what is neither a file nor a folder. */
const listSpooledFiles = async (
  directory: string,
  { onFile, reported = new Set() }: SpoolOptions,
): Promise<readonly string[]> => {
  const own = new Set<string>(folders);
  const entries = (await readdir(directory, { withFileTypes: true })).filter(
    ({ name }) => !isBeingWritten(name) && !own.has(name),
  );
  for (const name of reported) if (!entries.some((entry) => entry.name === name)) reported.delete(name);
  for (const entry of entries) {
    if (entry.isFile() || entry.isDirectory() || reported.has(entry.name)) continue;
    reported.add(entry.name);
    onFile(entry.name, new FeedError(`it is ${describeEntry(entry)}; only files are imported`, { reason: 'no-file' }));
  }
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
};

const importFile = async (
  { path, name }: ClaimedFile,
  options: SpoolOptions,
): Promise<ScheduleIngestResult | FeedError> => {
  try {
    if (!(await lstat(path)).isFile()) return new FeedError('it is no file any more', { reason: 'no-file' });
    const { report, ...result } = await importScheduleMessages({ ...options, file: path });
    return { ...result, report: { ...report, source: name } };
  } catch (error) {
    if (error instanceof ImportStoppedError || (isUnavailable(error) && !isOfFile(error))) throw error;
    return toFileError(error);
  }
};

/** Moves the replies of a file that has been moved. */
const publishReply = async (directory: string, { replyPath }: ClaimedFile, name: string): Promise<void> => {
  await moveToFolder(replyPath, join(directory, 'replies'), name);
};

/**
 * Imports a claimed file and moves it. Its replies are complete before it moves, and become visible after that: a watcher that takes over after an
 * interruption imports the file again, which has the same replies, or only moves them.
 */
const processFile = async (directory: string, file: ClaimedFile, options: SpoolOptions): Promise<void> => {
  const { name, path } = file;
  if (!(await lstat(path).catch(() => undefined))) {
    await publishReply(directory, file, name);
    return;
  }
  const result = await importFile(file, options);
  try {
    const isFailed = result instanceof FeedError;
    const replies = isFailed ? [] : result.outcomes.flatMap(({ reply }) => reply ?? []);
    // A blank line separates telegrams.
    if (replies.length > 0) await stageReply(file, replies.join('\r\n'));
    const moved = await moveToFolder(path, join(directory, isFailed ? 'failed' : 'done'), name);
    await publishReply(directory, file, moved ?? name);
    options.onFile(name, result);
  } catch (error) {
    options.onFile(name, toFileError(error, `stays in ${path}, cannot be moved`));
  }
};

/** Gives a claimed file back to the spool, for the next watcher. */
const releaseFile = async (directory: string, { name, path }: ClaimedFile): Promise<void> => {
  await moveToFolder(path, directory, name).catch(() => {});
};

/** Claims one file after the other, those of ended watchers first. */
async function* claimFiles(
  directory: string,
  {
    claims,
    abandoned,
    names,
    options,
  }: {
    readonly claims: SpoolClaims;
    readonly abandoned: readonly string[];
    readonly names: readonly string[];
    readonly options: SpoolOptions;
  },
): AsyncGenerator<ClaimedFile> {
  for (const folder of abandoned) {
    yield* await claims.takeOver(folder);
    await claims.removeTakenOver();
  }
  for (const name of names)
    try {
      const file = await claims.claim(join(directory, name), name);
      if (file) yield file;
    } catch (error) {
      if (!isOfFile(error)) throw error;
      if (!options.reported?.has(name)) options.onFile(name, toFileError(error, 'cannot be claimed'));
      options.reported?.add(name);
    }
}

/**
 * Imports the files of a spool directory in the order of their names and moves them to `done` or `failed`. Several watchers may share the directory.
 * Returns the number of files. One bad file does not stop the others; a lost database does.
 */
export const importSpooledFiles = async (directory: string, options: SpoolOptions): Promise<number> => {
  for (const folder of folders) await mkdir(join(directory, folder), { recursive: true });
  const names = await listSpooledFiles(directory, options);
  const claims = new SpoolClaims(directory);
  const abandoned = await claims.listAbandoned();
  if (names.length + abandoned.length === 0) return 0;
  await claims.open();
  let count = 0;
  try {
    for await (const file of claimFiles(directory, { claims, abandoned, names, options })) {
      if (options.signal?.aborted) {
        await releaseFile(directory, file);
        break;
      }
      try {
        await processFile(directory, file, options);
      } catch (error) {
        await releaseFile(directory, file);
        if (error instanceof ImportStoppedError) break;
        throw error;
      }
      count += 1;
    }
    return count;
  } finally {
    await claims.close();
  }
};

/** Throws a FeedError unless the path is a directory. */
export const assertSpoolDirectory = async (directory: string): Promise<void> => {
  const found = await stat(directory).catch(() => undefined);
  if (!found?.isDirectory()) throw new FeedError(`${directory} is not a directory`, { reason: 'unreadable-file' });
};
