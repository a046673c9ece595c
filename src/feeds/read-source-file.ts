import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { PassThrough, pipeline, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FeedError } from './feed-error.ts';

const isGzip = async (file: string): Promise<boolean> => {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
};

/** Reads a file, and decompresses it if it is gzip, whatever its name. Calls `onBytes` with the bytes as stored on disk. */
export async function* readSourceFile(file: string, onBytes: (piece: Buffer) => void): AsyncGenerator<Uint8Array> {
  const packed = await isGzip(file);
  const watch = new Transform({
    transform(piece: Buffer, _encoding, done) {
      onBytes(piece);
      done(null, piece);
    },
  });
  const last = packed ? createGunzip() : new PassThrough();
  // An error of any part destroys the last one, so that the loop below throws it.
  pipeline(createReadStream(file, { highWaterMark: 256 * 1024 }), watch, last, () => {});
  try {
    yield* last;
  } catch (error) {
    if (!packed) throw error;
    throw new FeedError(`${basename(file)} is not a complete gzip file`, { reason: 'bad-gzip', cause: error });
  }
}
