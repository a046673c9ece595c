import { basename } from 'node:path';
import { readBtsRows } from '#feeds/bts/read-bts-rows.ts';
import { FeedError } from '#feeds/feed-error.ts';
import { createLoadReport } from '#feeds/load-report.ts';
import { readSourceFile } from '#feeds/read-source-file.ts';
import { SsimRecordReader } from '#feeds/ssim/record-reader.ts';
import type { FeedFile } from '#feeds/text/csv-rows.ts';
import { readLineBatches } from '#feeds/text/lines.ts';
import { readMasterDataFile } from '../import/master-data-readers.ts';
import type { OpenSource, SourceFile } from './source-registry.ts';

/** Enough for the header and some rows of every file. */
const HEAD_BYTES = 256 * 1024;

/** Returns the first bytes of a file up to the end of a line, or all of a shorter file. */
const readHead = async (path: string): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  let total = 0;
  for await (const piece of readSourceFile(path, () => {})) {
    pieces.push(piece);
    total += piece.byteLength;
    if (total >= HEAD_BYTES) break;
  }
  const head = Buffer.concat(pieces);
  return total < HEAD_BYTES ? head : head.subarray(0, head.lastIndexOf('\n') + 1);
};

const toBytes = async function* (head: Buffer): AsyncGenerator<Uint8Array> {
  yield head;
};

const rejectPage = (head: Buffer, file: string): void => {
  const start = head
    .toString('utf8', 0, 200)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (!start.startsWith('<')) return;
  throw new FeedError(`${file} is a page of HTML or XML, not data`, { value: start.slice(0, 60), reason: 'not-data' });
};

const readSsimHead = async (head: Buffer): Promise<void> => {
  const reader = new SsimRecordReader(createLoadReport('head'));
  for await (const [first] of readLineBatches(toBytes(head))) {
    if (first) return reader.readLine(first);
  }
  throw new FeedError('The file has no records.', { reason: 'empty-file' });
};

const readBtsHead = async (head: Buffer): Promise<void> => {
  for await (const item of readBtsRows(toBytes(head), { findZone: () => 'UTC' })) if (item) return;
};

const readers: Readonly<Record<OpenSource['reader'], (file: FeedFile, head: Buffer) => Promise<unknown>>> = {
  'master-data': (file) => readMasterDataFile(file, createLoadReport(file.name)),
  ssim: (_file, head) => readSsimHead(head),
  bts: (_file, head) => readBtsHead(head),
};

/**
 * Checks that a received file is what its source publishes: the reader of the import reads its beginning. Throws FeedError that names
 * the file and, for a wrong header, the column.
 */
export const checkContent = async (path: string, { file }: SourceFile, { reader }: OpenSource): Promise<void> => {
  try {
    const head = await readHead(path);
    rejectPage(head, file);
    await readers[reader]({ name: file, bytes: toBytes(head) }, head);
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    // Readers of unpacked bytes do not know the name of the file, and that of an incomplete one has another ending.
    const text = error.message.replaceAll(basename(path), file);
    const message = text.includes(file) ? text : `${file}: ${text}`;
    throw new FeedError(message, { ...error, cause: error });
  }
};
