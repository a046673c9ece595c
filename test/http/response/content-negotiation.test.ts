import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressBody, selectCodingForSize } from '#http/response/content-negotiation.ts';
import { selectContentCoding, selectMediaType } from '#http/response/content-negotiation.ts';

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
  ['*', 'gzip'],
  ['*;q=0.5, zstd;q=0', 'gzip'],
  ['*;q=0', undefined],
  ['identity', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.2, gzip;q=0.5', 'gzip'],
  ['identity;q=0', undefined],
  ['deflate', undefined],
  ['gzip;q=0.000', undefined],
  ['gzip;q=nonsense', 'gzip'],
  ['gzip;q=0x', 'gzip'],
  ['gzip; q=0', undefined],
  ['gzip ; q=0.8 , zstd ; q=0.9', 'zstd'],
] as const)('Accept-Encoding %j selects %s', ([accept, coding]) => {
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

const [json, events] = ['application/json', 'text/event-stream'];

test.each([
  [null, true],
  ['', true],
  ['*/*', true],
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['application/*', true],
  ['text/html,application/xhtml+xml,*/*;q=0.8', true],
  ['application/problem+json, application/json;q=0.1', true],
  ['text/html', false],
  ['application/problem+json', false],
  ['application/json;q=0', false],
  ['application/json;q=0, */*', false],
  ['*/*;q=0', false],
  ['*/*;q=0, application/json', true],
  ['application/*;q=0, */*;q=1', false],
  ['application/json;q=nonsense', true],
  ['application/json;q=0, application/json;charset=utf-8', true],
])('Accept: %s accepts JSON: %s', (accept, isAccepted) => {
  expect(selectMediaType(accept, [json])).toBe(isAccepted ? json : undefined);
});

test.each([
  [null, json],
  ['', json],
  ['*/*', json],
  [events, events],
  ['Text/Event-Stream; charset=utf-8', events],
  ['text/*', events],
  ['text/event-stream, */*', events],
  ['*/*, text/event-stream', events],
  ['text/event-stream, application/json', events],
  ['application/json, text/event-stream', json],
  ['application/json;q=0.5, text/event-stream;q=0.6', events],
  ['application/json, text/event-stream;q=0.9', json],
  ['text/event-stream;q=0, */*', json],
  ['application/*, text/*', json],
  ['text/html', undefined],
  ['*/*;q=0', undefined],
])('Accept: %s prefers %s', (accept, liked) => {
  expect(selectMediaType(accept, [json, events])).toBe(liked);
});
