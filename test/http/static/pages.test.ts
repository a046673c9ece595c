import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { Env, PageContext } from '#http/context/env.ts';
import { createPublishedPages } from '#http/static/published-pages.ts';
import type { StaticFile } from '#http/static/static-files.ts';
import { catalog, createApiOf, serve, summarizeResponse } from '../tiny-service.ts';

const secret = 'eyJzZWNyZXQiOjF9';
/** A service with one page at /flight-map/, and the log line of each path. */
const served = (respond = (c: PageContext): Response => c.body('a map', 200)) => {
  const { app, lines } = serve({
    api: createApiOf((c) => c.json({ version: 'health' }, 200)),
    pages: [
      {
        prefixes: ['/flight-map/'],
        app: new Hono<Env>().all('/flight-map/:token', respond).all('/flights/*', respond),
      },
      { prefixes: ['/docs/'], app: new Hono<Env>() },
    ],
  });
  const send = async (path: string): Promise<unknown> => {
    const { status } = await app.request(`http://api.test${path}`);
    const logged: unknown = JSON.parse(lines.at(-1) ?? '');
    return { status, path: Object(logged).path };
  };
  return { app, lines, send };
};

test.each([
  [`/flight-map/${secret}`, 200],
  [`/flight-map/${secret}/`, 404],
  [`/flight-map//${secret}`, 404],
  [`//flight-map/${secret}`, 404],
  [`///flight-map///${secret}//`, 404],
  [`/Flight-Map/${secret}`, 404],
  [`//FLIGHT-MAP//${secret}/`, 404],
  [`/docs/../flight-map/${secret}`, 200],
  [`/docs/%2e%2e/flight-map/${secret}`, 200],
  [`\\flight-map\\${secret}`, 200],
  [`/flight%2Dmap/${secret}`, 404],
  [`/%66light-map/${secret}`, 404],
  [`/flight-map%2F${secret}`, 404],
  [`/%2Fflight-map/${secret}`, 404],
  ['/flight-map', 404],
])('a page outside the contract %s returns %i, and the log shows only its prefix', async (path, status) => {
  const { lines, send } = served();
  expect(await send(path)).toEqual({ status, path: '/flight-map/...' });
  expect(lines.join('')).not.toContain(secret);
});

test('a page outside the contract that throws is a 500, and the log does not show its path', async () => {
  const { lines, send } = served(() => {
    throw new Error('the drawer is gone');
  });
  expect(await send(`/flight-map/${secret}`)).toEqual({ status: 500, path: '/flight-map/...' });
  expect(lines.join('')).toContain('the drawer is gone');
  expect(lines.join('')).not.toContain(secret);
});

test('a page outside the contract is called only where no product has the path; other paths are logged unchanged', async () => {
  const { app, send } = served();
  expect(await send('/flight-maps/x')).toEqual({ status: 404, path: '/flight-maps/x' });
  expect(await send('/docs/errors')).toEqual({ status: 404, path: '/docs/...' });
  const response = await app.request('http://api.test/flights/health');
  expect(await summarizeResponse(response)).toBe('200 health');
});

describe('the documentation', () => {
  const changes = { 'flight-info': '# Flight Info: <changes>' };
  const { app } = serve({ pages: [createPublishedPages({ catalog, files: [], changes })] });
  const fetchPage = async (path: string, method = 'GET'): Promise<readonly [number, string]> => {
    const response = await app.request(`http://api.test${path}`, { method });
    return [response.status, await response.text()];
  };

  test('of a version is its change log', async () => {
    expect(await fetchPage('/docs/flight-info/v1')).toEqual([
      200,
      '<!doctype html><html lang="en"><meta charset="utf-8"><title>Documentation</title><pre># Flight Info: &lt;changes&gt;</pre></html>\n',
    ]);
  });

  test('of errors lists every kind with its status', async () => {
    const [status, text] = await fetchPage('/docs/errors');
    expect(status).toBe(200);
    expect(text).toContain('- version-removed (404): Version removed\n');
    expect(text).toContain('- unavailable (503): Service unavailable\n');
  });

  test('starts with how the portal is built, and is not cached', async () => {
    const response = await app.request('http://api.test/docs/');
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await response.text()).toContain('`make run` builds it beside the server');
  });

  test('is the portal as soon as it is built, with its page for unknown addresses', async () => {
    const page = (path: string, text: string): StaticFile => ({
      path,
      bytes: Buffer.from(text),
      mediaType: 'text/html',
    });
    let built: readonly StaticFile[] = [];
    const pages = [createPublishedPages({ catalog, files: [], portal: () => built, changes })];
    const { app: served } = serve({ pages });
    const read = async (path: string): Promise<readonly [number, string]> => {
      const response = await served.request(`http://api.test${path}`);
      return [response.status, await response.text()];
    };
    const [status, text] = await read('/docs/');
    expect([status, text.includes('The portal is not built yet')]).toEqual([200, true]);
    built = [page('/docs/', 'start'), page('/docs/errors', 'errors'), page('/docs/404', 'no page')];
    expect([
      await read('/docs/'),
      await read('/docs/errors'),
      await read('/docs/nothing/v1'),
      await read('/docs/404'),
    ]).toEqual([
      [200, 'start'],
      [200, 'errors'],
      [404, 'no page'],
      [404, 'no page'],
    ]);
  });

  test.each(['/', '/docs'])('%s redirects there, relative to any prefix', async (path) => {
    const response = await app.request(`http://api.test${path}`);
    expect([response.status, response.headers.get('location')]).toEqual([302, 'docs/']);
  });

  test.each([
    ['GET', '/docs/errors/v1'],
    ['GET', '/docs/constructor'],
    ['GET', '/docs/__proto__/v1'],
    ['GET', '/docs/nothing/v1'],
    ['GET', '/docs/flight-info/v1/more'],
    ['POST', '/docs/flight-info/v1'],
  ])('returns 404 for %s %s', async (method, path) => {
    expect(await summarizeResponse(await app.request(`http://api.test${path}`, { method }))).toBe('404 unknown-path');
  });
});
