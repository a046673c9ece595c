import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createFlightMapHandler } from '../../../../../src/products/flight-info/v2/map/flight-map-handler.ts';
import { toFetchResponse } from '../../../../../src/http/response/http-response.ts';
import { openMapRenderer } from '../../../../../src/products/flight-info/v2/map/map-renderer.ts';
import type { FlightMapSource } from '../../../../../src/products/flight-info/v2/map/map-source.ts';
import { sealMapToken, type MapReference } from '../../../../../src/products/flight-info/v2/map/map-token.ts';
import { atlantic, atMs } from './sample-flights.ts';

const secret = Buffer.alloc(32, 3);
const now = new Date(atMs('2027-03-01T13:30Z'));
const reference = { departsOn: '2027-03-01', statusOrder: 42n };
const token = sealMapToken(secret, { ...reference, expiresAt: now.getTime() + 60_000 });
const expired = sealMapToken(secret, { ...reference, expiresAt: now.getTime() });

const drawer = openMapRenderer();
afterAll(() => drawer.stop());

const requests: MapReference[] = [];
const pageOver = (source: FlightMapSource | undefined) =>
  createFlightMapHandler({
    secret,
    renderPage: drawer.render,
    findSource: (expected) => {
      requests.push(expected);
      return Promise.resolve(source);
    },
  });

const get = async (
  path: string,
  init: RequestInit = {},
  source: FlightMapSource | undefined = atlantic,
): Promise<Response> => {
  const response = await pageOver(source)(new Request(`http://localhost${path}`, init), now);
  if (!response) throw new Error(`no response at ${path}`);
  return toFetchResponse(response, { isHead: init.method === 'HEAD' });
};

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
    'x-content-type-options': 'nosniff',
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
    expect(await pageOver(atlantic)(new Request(`http://localhost${other}`), now), other).toBeUndefined();
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
      const init = { headers: { accept } };
      const response = await pageOver(source)(new Request(`http://localhost/flight-map/${text}`, init), now);
      if (!response) throw new Error('no response');
      const { status, headers } = toFetchResponse(response);
      const shown = ['content-type', 'vary', 'cache-control'].map((name) => headers.get(name));
      return [[status, ...shown], await toFetchResponse(response).text()];
    };
    const [seen, json] = await request('*/*');
    expect(seen).toEqual([status, 'application/problem+json', 'Accept', 'no-store']);
    expect(JSON.parse(json)).toEqual({ type: 'about:blank', title, status, detail });
    const [ofPerson, page] = await request('text/html,application/xhtml+xml;q=0.9,*/*;q=0.8');
    expect(ofPerson).toEqual([status, 'text/html; charset=utf-8', 'Accept', 'no-store']);
    expect(page).toContain(`<h1>${title}</h1><p>${detail}</p>`);
  },
);

test('the page of a map is read-only', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const response = await get(`/flight-map/${token}`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  }
});
