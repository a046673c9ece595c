import { Transform } from 'node:stream';
import { crc32 } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { FeedError } from './feed-error.ts';

/** Where the compressed bytes of an archived file are, and what they unpack to. */
export type ZipEntry = {
  readonly name: string;
  /** Position of the first compressed byte in the archive. */
  readonly start: number;
  readonly compressedSize: number;
  readonly isDeflated: boolean;
  readonly size: number;
  readonly crc32: number;
};

const STORED = 0;
const DEFLATED = 8;

/** Publishers put descriptions beside the data. */
const descriptions = /(?:^|\/)(?:readme[^/]*|license[^/]*|[^/]*\.(?:html?|md|pdf|txt))$/i;

/** Returns the one data file of an archive: the only file, or the only one that is not a description. */
const selectEntry = (archive: string, entries: readonly Entry[]): Entry => {
  const found = entries.filter(({ fileName }) => !fileName.endsWith('/'));
  const data = found.length === 1 ? found : found.filter(({ fileName }) => !descriptions.test(fileName));
  const [entry, ...others] = data;
  if (entry && others.length === 0) return entry;
  const names = found.slice(0, 5).map(({ fileName }) => fileName);
  throw new FeedError(`${archive} must contain one data file, but contains ${data.length}`, {
    value: names.join(' '),
    reason: 'zip-entries',
  });
};

const readEntry = async (archive: string, zip: ZipFile): Promise<ZipEntry> => {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  const entry = selectEntry(archive, entries);
  if (entry.isEncrypted() || ![STORED, DEFLATED].includes(entry.compressionMethod))
    throw new FeedError(`${archive}: ${entry.fileName} is encrypted, or compressed in another way than deflate`, {
      value: entry.fileName,
      reason: 'bad-zip',
    });
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  return {
    name: entry.fileName,
    start: fileDataStart,
    compressedSize: entry.compressedSize,
    isDeflated: entry.compressionMethod === DEFLATED,
    size: entry.uncompressedSize,
    crc32: entry.crc32,
  };
};

/** Finds the data file of a ZIP archive at a path. Throws FeedError when the archive is damaged or has several data files. */
export const findZipEntry = async (path: string, archive: string): Promise<ZipEntry> => {
  try {
    const zip = await openPromise(path, { autoClose: false });
    try {
      return await readEntry(archive, zip);
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof FeedError) throw error;
    throw new FeedError(`${archive} is not a complete ZIP archive`, { reason: 'bad-zip', cause: error });
  }
};

/** Returns a stream that passes on a part of its bytes. */
export const createSlice = (start: number, length: number): Transform => {
  let position = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      const part = piece.subarray(Math.max(0, start - position), Math.max(0, start + length - position));
      position += piece.length;
      done(null, part.length > 0 ? part : undefined);
    },
  });
};

/** Returns a stream that fails when its bytes are not those that the archive announces. */
export const createZipCheck = ({ name, size, crc32: expected }: ZipEntry): Transform => {
  let total = 0;
  let checksum = 0;
  const reject = (problem: string): FeedError => new FeedError(`${name} ${problem}`, { reason: 'bad-zip' });
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      total += piece.length;
      if (total > size) return done(reject(`unpacks to more than the ${size} bytes that the archive announces`));
      checksum = crc32(piece, checksum);
      return done(null, piece);
    },
    flush(done) {
      done(total === size && checksum === expected ? null : reject('does not have the checksum of the archive'));
    },
  });
};
