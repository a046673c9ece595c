import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { FeedError } from '#feeds/feed-error.ts';
import { hashFile } from '#feeds/hash-file.ts';
import { createFilePattern, type OpenSource } from './source-registry.ts';

const fetchedRecord = z.strictObject({
  address: z.string(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  bytes: z.number(),
  sha256: z.string(),
  /** When these bytes were received, and when the publisher last confirmed them; ISO 8601. */
  fetchedAt: z.iso.datetime(),
  checkedAt: z.iso.datetime(),
});

/** What is recorded of a fetched file, in `<file>.json` beside it. */
export type FetchedRecord = Readonly<z.infer<typeof fetchedRecord>>;

/** A fetched file with its source. */
export type FetchedFile = { readonly source: OpenSource; readonly file: string; readonly record: FetchedRecord };

const toRecordPath = (path: string): string => `${path}.json`;

/** Reads the record of a fetched file; undefined when there is none. */
export const readFetchedRecord = async (path: string): Promise<FetchedRecord | undefined> => {
  const text = await readFile(toRecordPath(path), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return fetchedRecord.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${toRecordPath(path)} is not a record of a fetched file; delete it and fetch the source again`, {
      cause,
    });
  }
};

/** Writes the record of a fetched file, completely or not at all. */
export const writeFetchedRecord = async (path: string, record: FetchedRecord): Promise<void> => {
  const temporary = `${toRecordPath(path)}.tmp`;
  await writeFile(temporary, `${JSON.stringify(record, undefined, 2)}\n`);
  await rename(temporary, toRecordPath(path));
};

/** Lists the fetched files of some sources, in the order of the registry; none when the folder does not exist. */
export const listFetchedFiles = async (
  dir: string,
  sources: readonly OpenSource[],
): Promise<readonly FetchedFile[]> => {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found: FetchedFile[] = [];
  for (const source of sources) {
    const pattern = createFilePattern(source);
    for (const file of names.filter((name) => pattern.test(name)).toSorted()) {
      const record = await readFetchedRecord(join(dir, file));
      if (record) found.push({ source, file, record });
    }
  }
  return found;
};

/** Throws FeedError when a fetched file is no longer the one that was recorded. */
export const assertUnchanged = async (dir: string, { source, file, record }: FetchedFile): Promise<void> => {
  const sha256 = await hashFile(join(dir, file));
  if (sha256 === record.sha256) return;
  throw new FeedError(`${file} was changed after ${source.name} was fetched; fetch it again`, {
    value: sha256,
    reason: 'changed-after-fetch',
  });
};
