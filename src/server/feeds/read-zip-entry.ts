import { openAsBlob } from 'node:fs';
import { Transform } from 'node:stream';
import { crc32 } from 'node:zlib';
import { BlobReader, ZipReader, type Entry } from '@zip.js/zip.js';
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

/** More than the descriptions that publishers put beside a data file. */
const MAX_ENTRIES = 100;
/** Most bytes that are read at once: of the directory, whose entries take up to a hundred times as much memory. */
const MAX_READ_BYTES = 1024 * 1024;

const rejectEntries = (archive: string, found: string): FeedError =>
  new FeedError(`${archive} must contain one data file, but contains ${found}`, { reason: 'zip-entries' });

/** Reads the parts of an archive that describe its files. */
class DirectoryReader extends BlobReader {
  readonly #archive: string;

  constructor(blob: Blob, archive: string) {
    super(blob);
    this.#archive = archive;
  }

  override async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    if (length > MAX_READ_BYTES) throw rejectEntries(this.#archive, `a list of files of ${length} bytes`);
    return super.readUint8Array(offset, length);
  }
}

/** Lists the files of an archive, up to the limit. */
const listEntries = async (zip: ZipReader<unknown>, archive: string): Promise<readonly Entry[]> => {
  const entries: Entry[] = [];
  for await (const entry of zip.getEntriesGenerator()) {
    if (entries.length === MAX_ENTRIES) throw rejectEntries(archive, `more than ${MAX_ENTRIES} files`);
    entries.push(entry);
  }
  return entries;
};

/** Returns the one data file of an archive: the only file, or the only one that is not a description. */
const selectEntry = (archive: string, entries: readonly Entry[]): Entry => {
  const found = entries.filter(({ directory }) => !directory);
  const data = found.length === 1 ? found : found.filter(({ filename }) => !descriptions.test(filename));
  const [entry, ...others] = data;
  if (entry && others.length === 0) return entry;
  const names = found.slice(0, 5).map(({ filename }) => filename);
  throw new FeedError(`${archive} must contain one data file, but contains ${data.length}`, {
    value: names.join(' '),
    reason: 'zip-entries',
  });
};

/** Size of the fixed part of the header before the bytes of a file; the lengths of its two variable parts are at its end. */
const LOCAL_HEADER_BYTES = 30;

/** Finds the data file of a ZIP archive at a path. Throws FeedError when the archive is damaged or has several data files. */
export const findZipEntry = async (path: string, archive: string): Promise<ZipEntry> => {
  const blob = await openAsBlob(path);
  const zip = new ZipReader(new DirectoryReader(blob, archive));
  try {
    const entry = selectEntry(archive, await listEntries(zip, archive));
    const { filename: name, compressionMethod, offset, compressedSize, uncompressedSize, signature } = entry;
    if (entry.encrypted || signature === undefined || ![STORED, DEFLATED].includes(compressionMethod))
      throw new FeedError(`${archive}: ${name} is encrypted, or compressed in another way than deflate`, {
        value: name,
        reason: 'bad-zip',
      });
    const header = new DataView(await blob.slice(offset, offset + LOCAL_HEADER_BYTES).arrayBuffer());
    const start = offset + LOCAL_HEADER_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
    const isDeflated = compressionMethod === DEFLATED;
    return { name, start, compressedSize, isDeflated, size: uncompressedSize, crc32: signature };
  } catch (error) {
    if (error instanceof FeedError) throw error;
    throw new FeedError(`${archive} is not a complete ZIP archive`, { reason: 'bad-zip', cause: error });
  } finally {
    await zip.close();
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
