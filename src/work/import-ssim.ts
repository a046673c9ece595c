import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { PassThrough, pipeline, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { LocalDate } from '../domain/dates.ts';
import { FeedError } from '../feeds/feed-error.ts';
import { newLoadReport, type LoadReport } from '../feeds/load-report.ts';
import { readSchedules } from '../feeds/ssim/read-schedules.ts';
import type { Database } from '../store/database.ts';
import { publishSchedules } from './publish-schedules.ts';
import type { Window } from './schedule-window.ts';

export type ImportSsim = {
  readonly db: Database;
  /** An SSIM chapter 7 file, plain or gzip. */
  readonly file: string;
  readonly today: LocalDate;
  readonly window?: Window | undefined;
  readonly horizonDays: number;
  /** Hears how far a step is: `done` of `total`, in bytes of the file for `read` and in days for `lay out`. */
  readonly onProgress?: ((step: 'read' | 'save' | 'lay out', done: number, total: number) => void) | undefined;
};

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
async function* bytesOf(file: string, onPacked: (piece: Buffer) => void): AsyncGenerator<Uint8Array> {
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

/**
 * Loads one SSIM chapter 7 file, all or nothing: each carrier in it has its schedule replaced. Throws FeedError when the
 * file as a whole cannot be taken; then nothing has changed.
 */
export const importSsim = async ({
  db,
  file,
  today,
  window,
  horizonDays,
  onProgress,
}: ImportSsim): Promise<LoadReport> => {
  const { size } = await stat(file);
  const digest = createHash('sha256');
  const report = newLoadReport(basename(file));
  let read = 0;
  const onBytes = (piece: Buffer): void => {
    digest.update(piece);
    read += piece.length;
    onProgress?.('read', read, size);
  };
  const schedules = await readSchedules(bytesOf(file, onBytes), report);
  onProgress?.('save', 0, 1);
  return publishSchedules(db, {
    kind: 'ssim',
    source: basename(file),
    sha256: digest.digest('hex'),
    schedules,
    report,
    today,
    window,
    horizonDays,
    onDay: (done, total) => onProgress?.('lay out', done, total),
  });
};
