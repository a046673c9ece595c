import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { computeEntityTag, selectRepresentation } from '../../../src/http/response/conditional.ts';
import { HttpResponse, toFetchResponse } from '../../../src/http/response/http-response.ts';

const bytes = Buffer.from(
  JSON.stringify({ data: Array.from({ length: 400 }, (_, index) => ({ flightNumber: index })) }),
);
const tag = computeEntityTag(bytes);
const created = (status: number, headers = {}): HttpResponse =>
  new HttpResponse({ status, headers, body: bytes, etag: tag });
const request = async (sent: Record<string, string>, status = 200): Promise<Response> =>
  toFetchResponse(await selectRepresentation(new Headers(sent), created(status)));

const summarize = (response: Response) => ({
  status: response.status,
  coding: response.headers.get('content-encoding'),
  tag: response.headers.get('etag'),
  length: response.headers.get('content-length'),
});

test('sends the body uncompressed without Accept-Encoding', async () => {
  const response = await request({});
  expect(summarize(response)).toEqual({ status: 200, coding: null, tag, length: String(bytes.length) });
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
});

test.for([
  ['zstd', zstdDecompressSync],
  ['gzip', gunzipSync],
] as const)('compressed with %s it has its own length and tag', async ([coding, unpacked]) => {
  const response = await request({ 'accept-encoding': coding });
  const body = Buffer.from(await response.arrayBuffer());
  const codedTag = `${tag.slice(0, -1)}-${coding}"`;
  expect(summarize(response)).toEqual({ status: 200, coding, tag: codedTag, length: String(body.length) });
  expect(unpacked(body).equals(bytes)).toBe(true);
});

test('a tag of any coding matches, and the 304 has the tag of the preferred coding', async () => {
  const zstdTag = `${tag.slice(0, -1)}-zstd"`;
  for (const sent of [tag, zstdTag, `W/${tag}`, `"x", ${zstdTag}`, '*']) {
    const response = await request({ 'if-none-match': sent, 'accept-encoding': 'zstd' });
    const expected = ['', { status: 304, coding: null, tag: zstdTag, length: null }];
    expect([await response.text(), summarize(response)]).toEqual(expected);
  }
  expect((await request({ 'if-none-match': `${tag.slice(0, -1)}-deflate"` })).status).toBe(200);
});

test('compresses other statuses than 200, and never replaces them with 304', async () => {
  const expected = { status: 201, coding: 'gzip' };
  expect(summarize(await request({ 'if-none-match': '*', 'accept-encoding': 'gzip' }, 201))).toMatchObject(expected);
});

test('adds Accept-Encoding to a Vary of the handler', async () => {
  const response = created(200, { Vary: 'Subscription-Key, accountId' });
  const { headers } = await selectRepresentation(new Headers(), response);
  expect(headers['Vary']).toBe('Subscription-Key, accountId, Accept-Encoding');
});

test('long bodies have distinct tags too', () => {
  const [one, other] = [Buffer.alloc(20_000, 'a'), Buffer.alloc(20_000, 'a')];
  expect(computeEntityTag(one)).toBe(computeEntityTag(other));
  other[19_999] = 98;
  expect(computeEntityTag(one)).not.toBe(computeEntityTag(other));
  expect(computeEntityTag(one)).toMatch(/^"[A-Za-z0-9_-]+"$/);
});
