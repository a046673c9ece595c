import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { afterAll, expect, test } from 'vitest';
import type { Env } from '#http/context/env.ts';
import { createFlightMapHandler, FLIGHT_MAP_PATH } from '#products/flight-info/v2/map/flight-map-handler.ts';
import { openMapRenderer } from '#products/flight-info/v2/map/map-renderer.ts';
import type { FlightMapSource } from '#products/flight-info/v2/map/map-source.ts';
import { sealMapToken, type MapReference } from '#products/flight-info/v2/map/map-token.ts';
import { serve } from '#test/http/tiny-service.ts';
import { atlantic, atMs } from './sample-flights.ts';

const secret = Buffer.alloc(32, 3);
const now = new Date(atMs('2027-03-01T13:30Z'));
const reference = { departsOn: '2027-03-01', statusOrder: 42n };
const token = sealMapToken(secret, { ...reference, expiresAt: now.getTime() + 60_000 });
const expired = sealMapToken(secret, { ...reference, expiresAt: now.getTime() });

const drawer = openMapRenderer();
afterAll(() => drawer.stop());

const requests: MapReference[] = [];
/** The service with the page over one flight. */
const appOver = (source: FlightMapSource | undefined) => {
  const handler = createFlightMapHandler({
    secret,
    renderPage: drawer.render,
    findSource: (expected) => {
      requests.push(expected);
      return Promise.resolve(source);
    },
  });
  const page = new Hono<Env>().all(`${FLIGHT_MAP_PATH}:token`, handler);
  return serve({ clock: () => now, pages: [{ prefixes: [FLIGHT_MAP_PATH], app: page }] }).app;
};

const get = async (
  path: string,
  init: { readonly method?: string; readonly headers?: Record<string, string> } = {},
  source: FlightMapSource | undefined = atlantic,
): Promise<Response> =>
  appOver(source).request(`http://localhost${path}`, {
    ...init,
    headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', ...init.headers },
  });

test('the page of a map is found by its token', async () => {
  requests.length = 0;
  const response = await get(`/flight-map/${token}`);
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(requests).toEqual([reference]);
  expect(text).toContain('<title>ZX 101, London to New York</title>');
  const style = /<style>([^]*?)<\/style>/.exec(text)?.[1] ?? '';
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'private, max-age=30',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors *; base-uri 'none'; form-action 'none'`,
    'referrer-policy': 'no-referrer',
    vary: 'Subscription-Key, Accept-Encoding',
    'x-content-type-options': 'nosniff',
    'x-request-id': '0af7651916cd43dd8448eb211c80319c',
    'x-robots-tag': 'noindex',
  });
});

test('the page of a map has the same headers and no body for HEAD', async () => {
  const [head, whole] = [await get(`/flight-map/${token}`, { method: 'HEAD' }), await get(`/flight-map/${token}`)];
  expect(await head.text()).toBe('');
  expect([head.status, Object.fromEntries(head.headers)]).toEqual([200, Object.fromEntries(whole.headers)]);
});

test('the page of a map is at no other path', async () => {
  const path = `/flight-map/${token}`;
  for (const other of ['/', '/flight-map', '/flight-map/', `${path}/`, `/x${path}`, `/Flight-Map/${token}`])
    expect((await get(other)).status, other).toBe(404);
});

const altered = `${token.slice(0, -2)}AA`;
const works = 'A link to a map is valid for up to 12 hours. Request the flight again to get a new link.';
test.each([
  [altered, atlantic, 404, 'Map not found', 'The link to this map is incomplete or was changed.'],
  [token, undefined, 404, 'Map not found', 'The flight of this map is no longer stored.'],
  [expired, atlantic, 410, 'Map expired', works],
] as const)(
  'the page of a map reports an error to a program and to a person: %s',
  async (text, source, status, title, detail) => {
    const request = async (accept: string): Promise<readonly [readonly unknown[], string]> => {
      const response = await appOver(source).request(`http://localhost/flight-map/${text}`, { headers: { accept } });
      const shown = ['content-type', 'vary', 'cache-control'].map((name) => response.headers.get(name));
      return [[response.status, ...shown], await response.text()];
    };
    const [seen, json] = await request('*/*');
    expect(seen).toEqual([status, 'application/problem+json', 'Accept, Accept-Encoding', 'no-store']);
    expect(JSON.parse(json)).toEqual({ type: 'about:blank', title, status, detail });
    const [ofPerson, page] = await request('text/html,application/xhtml+xml;q=0.9,*/*;q=0.8');
    expect(ofPerson).toEqual([status, 'text/html; charset=utf-8', 'Accept, Accept-Encoding', 'no-store']);
    expect(page).toContain(`<h1>${title}</h1><p>${detail}</p>`);
  },
);

test('the page of a map is read-only', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const response = await get(`/flight-map/${token}`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  }
});
