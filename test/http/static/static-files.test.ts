import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { Env } from '#http/context/env.ts';
import { staticFiles, unknownPage } from '#http/static/static-files.ts';
import { serve } from '../tiny-service.ts';

const page = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'self'">${'words '.repeat(400)}`;
const files = [
  { path: '/docs/page', bytes: Buffer.from(page), mediaType: 'text/html; charset=utf-8' },
  { path: '/docs/bare', bytes: Buffer.from('<p>short</p>'), mediaType: 'text/html; charset=utf-8' },
  { path: '/docs/style.css', bytes: Buffer.from(page), mediaType: 'text/css' },
  { path: '/other', bytes: Buffer.from('elsewhere'), mediaType: 'text/plain' },
];
const { app } = serve({ pages: [{ prefixes: [], app: new Hono<Env>().get('/docs/*', staticFiles(files)) }] });
const fetchFile = async (path: string, init?: RequestInit): Promise<Response> =>
  app.request(`http://api.test${path}`, init);
const unpack = { gzip: gunzipSync, br: brotliDecompressSync };

test.each([
  ['gzip', 'gzip'],
  ['br;q=0.5, GZIP', 'gzip'],
  ['br, GZIP;q=0.5', 'br'],
  ['gzip;q=0', null],
  ['gzip; q=0.000', null],
  ['gzip;q=0.001', 'gzip'],
  ['br', 'br'],
  ['x-gzip', 'gzip'],
  ['deflate', null],
] as const)('a static file is compressed for Accept-Encoding %s: %s', async (accepted, encoding) => {
  const response = await fetchFile('/docs/page', { headers: { 'accept-encoding': accepted } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const headers = ['content-encoding', 'vary'].map((name) => response.headers.get(name));
  expect(headers).toEqual([encoding, 'Accept-Encoding']);
  expect(response.headers.get('content-length')).toBe(String(bytes.length));
  expect((encoding === null ? bytes : unpack[encoding](bytes)).toString()).toBe(page);
});

test('a static file is not compressed when that saves nothing', async () => {
  const response = await fetchFile('/docs/bare', { headers: { 'accept-encoding': 'gzip' } });
  expect([response.headers.get('content-encoding'), await response.text()]).toEqual([null, '<p>short</p>']);
});

test('a static file has its own content security policy, or one that allows nothing', async () => {
  const paths = ['/docs/page', '/docs/bare', '/docs/style.css'];
  const responses = await Promise.all(paths.map((path) => fetchFile(path)));
  expect(responses.map((response) => response.headers.get('content-security-policy'))).toEqual([
    "default-src 'self'; frame-ancestors 'none'",
    "default-src 'none'; frame-ancestors 'none'",
    "default-src 'none'; frame-ancestors 'none'",
  ]);
});

test('a static file is served to GET and HEAD at its own path only', async () => {
  expect((await fetchFile('/docs/page', { method: 'HEAD' })).status).toBe(200);
  for (const path of ['/docs/', '/docs/page/', '/docs/Page', '/other', '/docs/../other'])
    expect((await fetchFile(path)).status, path).toBe(404);
  expect((await fetchFile('/docs/page', { method: 'POST', body: 'x' })).status).toBe(404);
});

test('the page for unknown addresses is a 404 whose links fit the depth of the address', async () => {
  const missing = { path: '/docs/404', bytes: Buffer.from('<a href="./">Start</a>'), mediaType: 'text/html' };
  const docs = new Hono<Env>().get('/docs/*', unknownPage('/docs/', missing));
  const service = serve({ pages: [{ prefixes: [], app: docs }] });
  for (const [path, href] of Object.entries({ x: './', 'x/y': '../', 'x/y/z': '../../' })) {
    const response = await service.app.request(`http://api.test/docs/${path}`);
    expect([response.status, await response.text()]).toEqual([404, `<a href="${href}">Start</a>`]);
  }
});
