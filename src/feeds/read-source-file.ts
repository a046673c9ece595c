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

/** The bytes of a file, unpacked when they are gzip, whatever the file is called; `onPacked` hears of them as they lie on the disk. */
export async function* bytesOf(file: string, onPacked: (piece: Buffer) => void): AsyncGenerator<Uint8Array> {
  const packed = await isGzip(file);
  const watch = new Transform({
    transform(piece: Buffer, _encoding, done) {
      onPacked(piece);
      done(null, piece);
    },
  });
  const last = packed ? createGunzip() : new PassThrough();
  // A failure of any part ends the last one with it, where the loop below meets it.
  pipeline(createReadStream(file, { highWaterMark: 256 * 1024 }), watch, last, () => {});
  try {
    yield* last;
  } catch (error) {
    if (!packed) throw error;
    throw new FeedError(`${basename(file)} is not a whole gzip file`, { reason: 'bad-gzip', cause: error });
  }
}
