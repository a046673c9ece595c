import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { parseAccept } from 'hono/utils/accept';

/** How an `Accept` header rates a media type. `specificity`: 2 for the type itself, 1 for `type/*`, 0 for any type, -1 for no match. */
type Rating = {
  readonly type: string;
  readonly quality: number;
  readonly specificity: number;
  readonly position: number;
};

/** Rates a type by its most specific media range (RFC 9110, 12.5.1); among equal ranges the highest quality counts. */
const rateType = (type: string, ranges: readonly (readonly [range: string, quality: number])[]): Rating => {
  const matching = ['*/*', `${type.split('/')[0]}/*`, type];
  let best: Rating = { type, quality: 0, specificity: -1, position: 0 };
  for (const [position, [range, quality]] of ranges.entries()) {
    const specificity = matching.indexOf(range);
    if (specificity < 0 || specificity < best.specificity) continue;
    if (specificity === best.specificity && quality <= best.quality) continue;
    best = { type, quality, specificity, position };
  }
  return best;
};

/**
 * Returns the offered type that an `Accept` header prefers; undefined when it accepts none. Among types of equal quality, the more
 * specific range wins, then the range that comes first in the header, then the type that is offered first.
 */
export const selectMediaType = (accept: string | null, offered: readonly string[]): string | undefined => {
  // Most clients send these, which need no parsing.
  if (accept === null || accept === '*/*' || accept.trim() === '') return offered[0];
  const ranges = parseAccept(accept).map(({ type, q }) => [type.toLowerCase(), q] as const);
  const [best] = offered
    .map((type) => rateType(type, ranges))
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality || b.specificity - a.specificity || a.position - b.position);
  return best?.type;
};

export type ContentCoding = 'zstd' | 'br' | 'gzip';

/** Supported content codings, the server's preference first. Node.js 20, on which the mock runs too, has no zstd. */
export const contentCodings: readonly ContentCoding[] =
  'zstdCompress' in zlib ? ['zstd', 'br', 'gzip'] : ['br', 'gzip'];

/** Below this size, extra headers and decompression cost more than compression saves. */
const MIN_BYTES = 1024;
/**
 * From this size on, compression takes over 0.5 ms and runs on another thread. A page of 100 flights takes 0.15 ms with zstd, as much as
 * passing it to a thread and back.
 */
const THREAD_MIN_BYTES = 256 * 1024;

const zstdParams = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
const brParams = (size: number) => ({
  params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: size },
});
const gzipParams = { level: 1 };

const compressSync: Readonly<Record<ContentCoding, (bytes: Uint8Array) => Buffer<ArrayBuffer>>> = {
  zstd: (bytes) => zlib.zstdCompressSync(bytes, zstdParams),
  br: (bytes) => zlib.brotliCompressSync(bytes, brParams(bytes.byteLength)),
  gzip: (bytes) => zlib.gzipSync(bytes, gzipParams),
};

const [brotliAsync, gzipAsync] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)];
const compressOnThread: Readonly<Record<ContentCoding, (bytes: Uint8Array) => Promise<Buffer<ArrayBuffer>>>> = {
  zstd: (bytes) => promisify(zlib.zstdCompress)(bytes, zstdParams),
  br: (bytes) => brotliAsync(bytes, brParams(bytes.byteLength)),
  gzip: (bytes) => gzipAsync(bytes, gzipParams),
};

const codingsByName: Readonly<Record<string, ContentCoding | undefined>> = {
  zstd: 'zstd',
  br: 'br',
  gzip: 'gzip',
  'x-gzip': 'gzip',
};

const parseAcceptEncoding = (accept: string): ContentCoding | undefined => {
  const weights = new Map<string, number>();
  for (const { type, q } of parseAccept(accept)) {
    const name = type.toLowerCase();
    weights.set(codingsByName[name] ?? name, q);
  }
  const any = weights.get('*') ?? 0;
  // `identity` is always acceptable, and has the lowest preference where it is not named (RFC 9110, 12.5.3).
  let best: ContentCoding | undefined;
  let bestWeight = weights.get('identity') ?? 0;
  for (const coding of contentCodings) {
    // `*` means gzip: proxies send it for clients that decode nothing newer.
    const weight = weights.get(coding) ?? (coding === 'gzip' ? any : 0);
    if (weight > 0 && (best === undefined ? weight >= bestWeight : weight > bestWeight)) {
      best = coding;
      bestWeight = weight;
    }
  }
  return best;
};

// Clients send few different values, each many times.
const MAX_CACHED = 256;
const MAX_CACHED_CHARACTERS = 256;
const cache = new Map<string, ContentCoding | undefined>();

/** Returns the coding that `Accept-Encoding` prefers, or undefined for none. Among codings of equal weight the server's preference decides. */
export const selectContentCoding = (accept: string | null): ContentCoding | undefined => {
  if (accept === null || accept === '') return undefined;
  if (cache.has(accept)) return cache.get(accept);
  const coding = parseAcceptEncoding(accept);
  if (cache.size >= MAX_CACHED) cache.clear();
  if (accept.length <= MAX_CACHED_CHARACTERS) cache.set(accept, coding);
  return coding;
};

/** Returns the coding of a body by its size in bytes: short bodies are not compressed. */
export const selectCodingForSize = (accept: string | null, bytes: number): ContentCoding | undefined =>
  bytes < MIN_BYTES ? undefined : selectContentCoding(accept);

/** Compresses a body. */
export type CompressBody = (
  bytes: Uint8Array,
  coding: ContentCoding,
) => Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>>;

/** Compresses a body, a long one on another thread. */
export const compressBody: CompressBody = (bytes, coding) =>
  bytes.byteLength < THREAD_MIN_BYTES ? compressSync[coding](bytes) : compressOnThread[coding](bytes);
