import { expect, test } from 'vitest';
import { sendEventStream } from '#http/context/event-stream.ts';
import { computeEntityTag } from '#http/response/conditional.ts';
import { createApiOf, serve } from '../tiny-service.ts';

const modified = 'Mon, 01 Jun 2026 00:00:00 GMT';
const tag = computeEntityTag(Buffer.from('{"name":"Heathrow"}'));
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** Requests an operation that does, or does not, declare a 304. */
const request = async (headers: Record<string, string>, isConditional = true): Promise<Response> => {
  const api = createApiOf((c) => {
    c.set('isConditional', isConditional);
    return c.json({ name: 'Heathrow' }, 200, { 'Last-Modified': modified });
  });
  return serve({ api }).send('/flight-instances', { headers: { traceparent, ...headers } });
};

const commonHeaders = {
  'api-version': 'v3',
  'cache-control': 'private, no-cache',
  'last-modified': modified,
  vary: 'Subscription-Key, Accept-Encoding',
  'x-content-type-options': 'nosniff',
  'x-request-id': '0af7651916cd43dd8448eb211c80319c',
};

test('an entity tag is added to the headers of a 200; a 304 has the same without those of the body', async () => {
  const response = await request({});
  expect([response.status, Object.fromEntries(response.headers), await response.text()]).toEqual([
    200,
    { ...commonHeaders, etag: tag, 'content-type': 'application/json', 'content-length': '19' },
    '{"name":"Heathrow"}',
  ]);
  const again = await request({ 'If-None-Match': tag });
  const expected = [304, { ...commonHeaders, etag: tag }, ''];
  expect([again.status, Object.fromEntries(again.headers), await again.text()]).toEqual(expected);
});

test('a request with the time of the last change gets a 304', async () => {
  expect((await request({ 'If-Modified-Since': modified })).status).toBe(304);
  expect((await request({ 'If-Modified-Since': 'Sun, 31 May 2026 23:59:59 GMT' })).status).toBe(200);
});

test('an operation without a 304 in its contract has no entity tag and ignores conditions', async () => {
  const response = await request({ 'If-None-Match': '*', 'If-Modified-Since': modified }, false);
  expect([response.status, response.headers.get('etag')]).toEqual([200, null]);
});

test('a stream has the common headers and no entity tag, and the log has no size', async () => {
  const stream = { chunks: async function* () {}, onEnd: () => undefined, stallMs: 1000 };
  const { send, lines } = serve({
    api: createApiOf((c) => {
      c.set('isConditional', true);
      return sendEventStream(c, stream);
    }),
  });
  const { status, headers } = await send('/flight-instances', { headers: { 'If-None-Match': '*' } });
  const seen = ['api-version', 'x-content-type-options', 'etag'].map((name) => headers.get(name));
  const { bytes } = JSON.parse(lines.join(''));
  expect([status, ...seen, bytes]).toEqual([200, 'v3', 'nosniff', null, undefined]);
});
