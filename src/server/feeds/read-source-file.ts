import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline, Transform } from 'node:stream';
import { createGunzip, createInflateRaw } from 'node:zlib';
import { FeedError } from './feed-error.ts';
import { createSlice, createZipCheck, findZipEntry } from './read-zip-entry.ts';

/**
 * The most bytes that a packed file may unpack to: 4 GiB, far more than the schedules of the world in a year (0.8 GB) or a month of US
 * flights (0.3 GB). A small archive can unpack to a thousand times its size.
 */
const MAX_UNPACKED_BYTES = 4 * 2 ** 30;

const findPacking = async (file: string): Promise<Unpacking['packing']> => {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    const magic = buffer.toString('latin1', 0, bytesRead);
    if (magic.startsWith('\u001F\u008B')) return 'gzip file';
    return magic === 'PK\u0003\u0004' ? 'ZIP archive' : undefined;
  } finally {
    await handle.close();
  }
};

const createWatch = (onBytes: (piece: Buffer) => void): Transform =>
  new Transform({
    transform(piece: Buffer, _encoding, done) {
      onBytes(piece);
      done(null, piece);
    },
  });

const rejectSize = (name: string, maxBytes: number): FeedError =>
  new FeedError(`${name} unpacks to more than ${maxBytes} bytes`, {
    value: String(maxBytes),
    reason: 'unpacked-too-large',
  });

const createLimit = (name: string, maxBytes: number): Transform => {
  let total = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      total += piece.length;
      done(total > maxBytes ? rejectSize(name, maxBytes) : null, piece);
    },
  });
};

/** How a file is packed, for messages, and the streams that unpack it. */
type Unpacking = { readonly packing: 'gzip file' | 'ZIP archive' | undefined; readonly streams: readonly Transform[] };

const createUnpacking = async (file: string, maxBytes: number): Promise<Unpacking> => {
  const name = basename(file);
  const packing = await findPacking(file);
  if (packing === undefined) return { packing, streams: [] };
  if (packing === 'gzip file') return { packing, streams: [createGunzip(), createLimit(name, maxBytes)] };
  const entry = await findZipEntry(file, name);
  if (entry.size > maxBytes) throw rejectSize(name, maxBytes);
  const slice = createSlice(entry.start, entry.compressedSize);
  const check = createZipCheck(entry);
  return { packing, streams: entry.isDeflated ? [slice, createInflateRaw(), check] : [slice, check] };
};

/**
 * Reads a file, and unpacks it if it is gzip or a ZIP archive with one data file, whatever its name. Calls `onBytes` with the bytes as
 * stored on disk. Throws FeedError for a damaged file, and for one that unpacks to more than `maxBytes`.
 */
export async function* readSourceFile(
  file: string,
  onBytes: (piece: Buffer) => void,
  maxBytes = MAX_UNPACKED_BYTES,
): AsyncGenerator<Uint8Array> {
  const { packing, streams } = await createUnpacking(file, maxBytes);
  const watch = createWatch(onBytes);
  const last = streams.at(-1) ?? watch;
  // An error of any part destroys the last one, so that the loop below throws it.
  pipeline([createReadStream(file, { highWaterMark: 256 * 1024 }), watch, ...streams], () => {});
  try {
    yield* last;
  } catch (error) {
    if (packing === undefined || error instanceof FeedError) throw error;
    throw new FeedError(`${basename(file)} is not a complete ${packing}`, {
      reason: packing === 'gzip file' ? 'bad-gzip' : 'bad-zip',
      cause: error,
    });
  }
}
