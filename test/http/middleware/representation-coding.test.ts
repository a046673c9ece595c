import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createBody, sendBody } from '#http/context/body.ts';
import type { PageContext } from '#http/context/env.ts';
import { computeEntityTag } from '#http/response/conditional.ts';
import { createApiOf, serve } from '../tiny-service.ts';

const bytes = Buffer.from(
  JSON.stringify({ data: Array.from({ length: 400 }, (_, index) => ({ flightNumber: index })) }),
);
const tag = computeEntityTag(bytes);

/** Requests an operation with an entity tag whose handler sends the bytes. */
const request = async (
  sent: Record<string, string>,
  send = (c: PageContext): Response => sendBody(c, createBody(bytes)),
): Promise<Response> => {
  const api = createApiOf((c) => {
    c.set('isConditional', true);
    return send(c);
  });
  return serve({ api }).send('/flight-instances', { headers: sent });
};

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

test('compresses a body that the handler sent as JSON', async () => {
  const response = await request({ 'accept-encoding': 'gzip' }, (c) => c.json(JSON.parse(bytes.toString()), 200));
  expect(summarize(response)).toMatchObject({ coding: 'gzip', tag: `${tag.slice(0, -1)}-gzip"` });
  expect(gunzipSync(await response.arrayBuffer()).equals(bytes)).toBe(true);
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
  const created = (c: PageContext): Response => sendBody(c, createBody(bytes), { status: 201 });
  const response = await request({ 'if-none-match': '*', 'accept-encoding': 'gzip' }, created);
  expect(summarize(response)).toMatchObject({ status: 201, coding: 'gzip', tag: null });
});

test('ignores a range, and announces none', async () => {
  const response = await request({ range: 'bytes=0-9', 'if-range': tag });
  expect([summarize(response), response.headers.get('accept-ranges'), response.headers.get('content-range')]).toEqual([
    { status: 200, coding: null, tag, length: String(bytes.length) },
    null,
    null,
  ]);
});

test('adds Accept-Encoding to a Vary of the handler', async () => {
  const varying = (c: PageContext): Response =>
    sendBody(c, createBody(bytes), { headers: { Vary: 'Subscription-Key, accountId' } });
  expect((await request({}, varying)).headers.get('vary')).toBe('Subscription-Key, accountId, Accept-Encoding');
});
