import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FeedError } from '#feeds/feed-error.ts';
import { hashFile } from '#feeds/hash-file.ts';
import { explainError } from '#lib/explain-error.ts';
import { checkContent } from './check-content.ts';
import { downloadFile, removePartial, toRequestUrl, type DownloadRoute, type TransferLimits } from './download-file.ts';
import { readFetchedRecord, writeFetchedRecord, type FetchedRecord } from './fetched-files.ts';
import { listSourceFiles, type OpenSource, type SourceFile, type SourceMonth } from './source-registry.ts';

const DAY_MS = 86_400_000;

/** The result of fetching one file of a source. */
export type FetchOutcome = {
  readonly source: string;
  readonly file: string;
  readonly address: string;
} & (
  | { readonly kind: 'fetched' | 'unchanged' | 'not-due'; readonly bytes: number; readonly sha256: string }
  | { readonly kind: 'failed'; readonly error: string }
);

export type FetchOptions = {
  readonly dir: string;
  readonly route: DownloadRoute;
  readonly clock: () => Date;
  /** The months of monthly sources. */
  readonly months?: readonly SourceMonth[];
  /** Leaves out files that are younger than the refresh interval of their source. */
  readonly isDueOnly?: boolean;
  /** How long servers may take; by default an hour for a file, at 60,000 bytes a minute or more. */
  readonly limits?: TransferLimits;
  readonly onProgress?: (file: SourceFile, done: number, total: number) => void;
  readonly onOutcome?: (outcome: FetchOutcome) => void;
};

/** Returns whether a file was last confirmed longer ago than the refresh interval of its source. */
export const isDue = ({ checkedAt }: FetchedRecord, { refreshDays }: OpenSource, now: Date): boolean =>
  now.getTime() - Date.parse(checkedAt) >= refreshDays * DAY_MS;

/** Returns the record of the present copy when it is a copy of this address and was not changed. */
const findPresentCopy = async (path: string, { address }: SourceFile): Promise<FetchedRecord | undefined> => {
  const record = await readFetchedRecord(path);
  if (record?.address !== address) return undefined;
  const sha256 = await hashFile(path).catch(() => undefined);
  return sha256 === record.sha256 ? record : undefined;
};

const assertChecksum = (sha256: string, { checksum }: OpenSource, { file }: SourceFile): void => {
  if (checksum === 'recorded' || checksum === sha256) return;
  throw new FeedError(`${file} has the SHA-256 ${sha256}, but ${checksum} is expected`, {
    value: sha256,
    reason: 'checksum',
  });
};

/** Puts a received file in its place, when it is what the source publishes. */
const acceptFile = async (
  source: OpenSource,
  file: SourceFile,
  {
    path,
    part,
    record,
  }: { readonly path: string; readonly part: string; readonly record: Omit<FetchedRecord, 'bytes' | 'sha256'> },
): Promise<FetchedRecord> => {
  const { size: bytes } = await stat(part);
  const sha256 = await hashFile(part);
  assertChecksum(sha256, source, file);
  await checkContent(part, file, source);
  // Between the two steps the file has no record, and is fetched again after an interruption.
  await rm(`${path}.json`, { force: true });
  await rename(part, path);
  const complete = { ...record, bytes, sha256 };
  await writeFetchedRecord(path, complete);
  await removePartial(part);
  return complete;
};

const fetchFile = async (
  source: OpenSource,
  file: SourceFile,
  { dir, route, clock, isDueOnly = false, limits, onProgress }: FetchOptions,
): Promise<FetchOutcome> => {
  const path = join(dir, file.file);
  const part = `${path}.part`;
  const present = await findPresentCopy(path, file);
  const base = { source: source.name, file: file.file, address: toRequestUrl(file.address, route).href };
  if (present && isDueOnly && !isDue(present, source, clock()))
    return { ...base, kind: 'not-due', bytes: present.bytes, sha256: present.sha256 };
  const result = await downloadFile(file.address, {
    path: part,
    route,
    maxBytes: source.maxMegabytes * 1e6,
    known: present,
    limits,
    onProgress: (done, total) => onProgress?.(file, done, total),
  });
  const now = clock().toISOString();
  if (result.kind === 'unchanged') {
    if (!present) throw new Error('the server responded with status 304 to a request without a condition');
    await writeFetchedRecord(path, { ...present, checkedAt: now });
    return { ...base, kind: 'unchanged', bytes: present.bytes, sha256: present.sha256 };
  }
  const { etag, lastModified } = result;
  const record = { address: file.address, etag, lastModified, fetchedAt: now, checkedAt: now };
  try {
    const { bytes, sha256 } = await acceptFile(source, file, { path, part, record });
    return { ...base, kind: 'fetched', bytes, sha256 };
  } catch (error) {
    await removePartial(part);
    throw error;
  }
};

/**
 * Fetches the files of some sources into a folder, one after the other. A file that cannot be fetched, or is not what its source
 * publishes, is an outcome and does not stop the others; its previous copy stays.
 */
export const fetchSources = async (
  sources: readonly OpenSource[],
  options: FetchOptions,
): Promise<readonly FetchOutcome[]> => {
  await mkdir(options.dir, { recursive: true });
  const outcomes: FetchOutcome[] = [];
  for (const source of sources) {
    for (const file of listSourceFiles(source, options.months)) {
      const address = toRequestUrl(file.address, options.route).href;
      const outcome = await fetchFile(source, file, options).catch((error: unknown): FetchOutcome => ({
        source: source.name,
        file: file.file,
        address,
        kind: 'failed',
        error: explainError(error),
      }));
      outcomes.push(outcome);
      options.onOutcome?.(outcome);
    }
  }
  return outcomes;
};
