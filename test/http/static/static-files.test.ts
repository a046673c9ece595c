import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { toFetchResponse } from '../../../src/http/response/http-response.ts';
import { createStaticFilePages } from '../../../src/http/static/static-files.ts';

const page = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'self'">${'words '.repeat(400)}`;
const redirect = '<!doctype html><meta http-equiv="refresh" content="0; url=../page">';
const { respond } = createStaticFilePages('/docs/', [
  { path: '/docs/page', bytes: Buffer.from(page), mediaType: 'text/html; charset=utf-8' },
  { path: '/docs/bare', bytes: Buffer.from('<p>short</p>'), mediaType: 'text/html; charset=utf-8' },
  { path: '/docs/old/page', bytes: Buffer.from(redirect), mediaType: 'text/html' },
  { path: '/docs/style.css', bytes: Buffer.from(page), mediaType: 'text/css' },
  { path: '/other', bytes: Buffer.from('elsewhere'), mediaType: 'text/plain' },
]);
const fetchFile = async (path: string, init?: RequestInit): Promise<Response | undefined> => {
  const response = await respond(new Request(`http://api.test${path}`, init), new Date(0));
  return response && toFetchResponse(response, { isHead: init?.method === 'HEAD' });
};

test.each([
  ['gzip', 'gzip'],
  ['br, GZIP;q=0.5', 'gzip'],
  ['gzip;q=0', null],
  ['gzip; q=0.000', null],
  ['gzip;q=0.001', 'gzip'],
  ['br', null],
  ['x-gzip', null],
])('a static file is compressed for Accept-Encoding %s: %s', async (accepted, encoding) => {
  const response = await fetchFile('/docs/page', { headers: { 'accept-encoding': accepted } });
  const bytes = Buffer.from((await response?.arrayBuffer()) ?? new ArrayBuffer());
  const headers = ['content-encoding', 'vary'].map((name) => response?.headers.get(name));
  expect(headers).toEqual([encoding, 'Accept-Encoding']);
  expect(response?.headers.get('content-length')).toBe(String(bytes.length));
  expect((encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()).toBe(page);
});

test('a static file is not compressed when that saves nothing', async () => {
  const response = await fetchFile('/docs/bare', { headers: { 'accept-encoding': 'gzip' } });
  expect([response?.headers.get('content-encoding'), await response?.text()]).toEqual([null, '<p>short</p>']);
});

test('a static file has its own content security policy, or one that allows nothing', async () => {
  const paths = ['/docs/page', '/docs/bare', '/docs/style.css'];
  const responses = await Promise.all(paths.map((path) => fetchFile(path)));
  expect(responses.map((response) => response?.headers.get('content-security-policy'))).toEqual([
    "default-src 'self'; frame-ancestors 'none'",
    "default-src 'none'; frame-ancestors 'none'",
    "default-src 'none'; frame-ancestors 'none'",
  ]);
});

test('a page that moved is redirected permanently, with a relative address', async () => {
  const response = await fetchFile('/docs/old/page');
  expect([response?.status, response?.headers.get('location'), await response?.text()]).toEqual([301, '../page', '']);
});

test('a static file is served to GET and HEAD at its own path only', async () => {
  expect((await fetchFile('/docs/page', { method: 'HEAD' }))?.status).toBe(200);
  for (const path of ['/docs/', '/docs/page/', '/docs/Page', '/other', '/docs/../other'])
    expect(await fetchFile(path)).toBeUndefined();
  expect(await fetchFile('/docs/page', { method: 'POST', body: 'x' })).toBeUndefined();
});
