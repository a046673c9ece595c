import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  selectCodingForSize,
  compressBody,
  selectContentCoding,
} from '../../../src/http/response/content-negotiation.ts';

test.for([
  [null, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0.5, gzip;q=0.5', 'br'],
  ['zstd;q=0, br;q=0.1', 'br'],
  ['*', 'zstd'],
  ['*;q=0.5, zstd;q=0', 'br'],
  ['*;q=0', undefined],
  ['identity', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.2, gzip;q=0.5', 'gzip'],
  ['identity;q=0', undefined],
  ['deflate', undefined],
  ['gzip;q=0.000', undefined],
  ['gzip;q=nonsense', 'gzip'],
  ['gzip ; q=0.8 , zstd ; q=0.9', 'zstd'],
] as const)('of %j it is %s', ([accept, coding]) => {
  expect(selectContentCoding(accept)).toBe(coding);
  // Remembered, it is the same.
  expect(selectContentCoding(accept)).toBe(coding);
});

test('short bodies are not compressed', () => {
  expect([selectCodingForSize('gzip', 1023), selectCodingForSize('gzip', 1024)]).toEqual([undefined, 'gzip']);
});

test.for([2000, 200_000])('%i bytes decompress to the same bytes', async (size) => {
  const bytes = Buffer.from('flights '.repeat(size / 8));
  const all = [
    zstdDecompressSync(await compressBody(bytes, 'zstd')),
    brotliDecompressSync(await compressBody(bytes, 'br')),
    gunzipSync(await compressBody(bytes, 'gzip')),
  ];
  expect(all.map((one) => one.equals(bytes))).toEqual([true, true, true]);
});
