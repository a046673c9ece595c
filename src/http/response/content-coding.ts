import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';

/** How a body can be packed, those we like best first. */
export const contentCodings = ['zstd', 'br', 'gzip'] as const;
export type ContentCoding = (typeof contentCodings)[number];

/** Below this the headers of a packed answer and the work of unpacking it are more than what is saved, in bytes. */
const LEAST_BYTES = 1024;
/**
 * From this on packing takes more than half a millisecond and is done on another thread, so that others are answered meanwhile. Shorter
 * bodies are packed at once: a page of 100 flights takes 0.15 ms by zstd, and to hand it to a thread and back costs as much.
 */
const AWAY_BYTES = 256 * 1024;

const zstdParams = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const brParams = (size: number) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: size },
});
const gzipParams = { level: 1 };

const here: Readonly<Record<ContentCoding, (bytes: Uint8Array) => Buffer<ArrayBuffer>>> = {
  zstd: (bytes) => zstdCompressSync(bytes, zstdParams),
  br: (bytes) => brotliCompressSync(bytes, brParams(bytes.byteLength)),
  gzip: (bytes) => gzipSync(bytes, gzipParams),
};

const [zstdAway, brAway, gzipAway] = [promisify(zstdCompress), promisify(brotliCompress), promisify(gzip)];
const away: Readonly<Record<ContentCoding, (bytes: Uint8Array) => Promise<Buffer<ArrayBuffer>>>> = {
  zstd: (bytes) => zstdAway(bytes, zstdParams),
  br: (bytes) => brAway(bytes, brParams(bytes.byteLength)),
  gzip: (bytes) => gzipAway(bytes, gzipParams),
};

const namesOf: Readonly<Record<string, ContentCoding | undefined>> = {
  zstd: 'zstd',
  br: 'br',
  gzip: 'gzip',
  'x-gzip': 'gzip',
};

/** The weight of an item of `Accept-Encoding`; one that is no weight counts as none given. */
const weightOf = (parameters: readonly string[]): number => {
  const text = parameters.map((one) => one.trim().toLowerCase()).find((one) => one.startsWith('q='));
  return text !== undefined && /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text.slice(2)) : 1;
};

const choose = (accept: string): ContentCoding | undefined => {
  const weights = new Map<string, number>();
  for (const item of accept.split(',')) {
    const [name = '', ...parameters] = item.split(';');
    const spelled = name.trim().toLowerCase();
    weights.set(namesOf[spelled] ?? spelled, weightOf(parameters));
  }
  const any = weights.get('*') ?? 0;
  // Unpacked is always good, and the least liked where it is not named (RFC 9110, 12.5.3).
  let best: ContentCoding | undefined;
  let liking = weights.get('identity') ?? 0;
  for (const coding of contentCodings) {
    const weight = weights.get(coding) ?? any;
    if (weight > 0 && (best === undefined ? weight >= liking : weight > liking)) {
      best = coding;
      liking = weight;
    }
  }
  return best;
};

// Callers send few different texts, each over and over.
const MOST_TEXTS = 256;
const chosen = new Map<string, ContentCoding | undefined>();

/** How an `Accept-Encoding` wants a body packed; undefined means not at all. Of several that it likes alike it is the one that we like best. */
export const selectContentCoding = (accept: string | null): ContentCoding | undefined => {
  if (accept === null || accept === '') return undefined;
  if (chosen.has(accept)) return chosen.get(accept);
  const coding = choose(accept);
  if (chosen.size >= MOST_TEXTS) chosen.clear();
  if (accept.length <= MOST_TEXTS) chosen.set(accept, coding);
  return coding;
};

/** The coding of a body of so many bytes: short ones stay as they are. */
export const selectCodingForSize = (accept: string | null, bytes: number): ContentCoding | undefined =>
  bytes < LEAST_BYTES ? undefined : selectContentCoding(accept);

/** Compresses a body. */
export type CompressBody = (
  bytes: Uint8Array,
  coding: ContentCoding,
) => Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>>;

/** Compresses a body, a long one on another thread. */
export const compressBody: CompressBody = (bytes, coding) =>
  bytes.byteLength < AWAY_BYTES ? here[coding](bytes) : away[coding](bytes);
