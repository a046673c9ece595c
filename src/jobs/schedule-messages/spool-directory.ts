import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FeedError } from '../../feeds/feed-error.ts';
import type { Database } from '../../store/pool/database.ts';
import { importScheduleMessages } from './import-messages.ts';
import type { ScheduleIngestContext, ScheduleIngestResult } from './ingest-messages.ts';

/** The folders of a spool directory: files that were imported, that cannot be read, and the ACK and NAC texts to send. */
const folders = ['done', 'failed', 'replies'] as const;

/** Files that a gateway still writes have such a name until they are renamed. */
const isBeingWritten = (name: string): boolean => name.startsWith('.') || /\.(?:tmp|part)$/.test(name);

/** Lists the files to import, by name. */
const listSpooledFiles = async (directory: string): Promise<readonly string[]> => {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !isBeingWritten(entry.name))
    .map(({ name }) => name)
    .toSorted();
};

export type SpoolOptions = Pick<ScheduleIngestContext, 'clock' | 'cacheLeaseMs'> & {
  readonly db: Database;
  /** Called after each file with its result, or why it cannot be read. */
  readonly onFile: (name: string, result: ScheduleIngestResult | FeedError) => void;
};

const importFile = async (file: string, options: SpoolOptions): Promise<ScheduleIngestResult | FeedError> => {
  try {
    return await importScheduleMessages({ ...options, file });
  } catch (error) {
    if (error instanceof FeedError) return error;
    throw error;
  }
};

/**
 * Imports the files of a spool directory in the order of their names, each in a transaction, and moves them to `done` or `failed`. A process that
 * ends between the two imports a file again, without effect. Returns the number of files.
 */
export const importSpooledFiles = async (directory: string, options: SpoolOptions): Promise<number> => {
  for (const folder of folders) await mkdir(join(directory, folder), { recursive: true });
  const names = await listSpooledFiles(directory);
  for (const name of names) {
    const file = join(directory, name);
    const result = await importFile(file, options);
    if (!(result instanceof FeedError)) {
      const replies = result.outcomes.flatMap(({ reply }) => reply ?? []);
      // A blank line separates telegrams.
      if (replies.length > 0) await writeFile(join(directory, 'replies', name), replies.join('\r\n'));
    }
    await rename(file, join(directory, result instanceof FeedError ? 'failed' : 'done', name));
    options.onFile(name, result);
  }
  return names.length;
};

/** Throws a FeedError unless the path is a directory. */
export const assertSpoolDirectory = async (directory: string): Promise<void> => {
  const found = await stat(directory).catch(() => undefined);
  if (!found?.isDirectory()) throw new FeedError(`${directory} is not a directory`, { reason: 'unreadable-file' });
};
