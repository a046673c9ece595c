import { createBody, sendBody } from '#http/context/body.ts';
import type { PageContext } from '#http/context/env.ts';
import { renderMessagePage } from './render-page.ts';
import type { RenderMapPage } from './map-renderer.ts';
import type { FlightMapSource } from './map-source.ts';
import { openMapToken, type MapReference } from './map-token.ts';
import { pageStyleSource } from './page-style.ts';

/** Dependencies of the flight map page. */
export type FlightMapDeps = {
  /** Authenticates the tokens; the same in every process of a service. */
  readonly secret: Buffer;
  /** Returns the current data of the flight; undefined if it is no longer stored or an airport has no coordinates. */
  readonly findSource: (reference: MapReference) => Promise<FlightMapSource | undefined>;
  readonly renderPage: RenderMapPage;
};

/** The path of the page; the token follows as one path segment. */
export const FLIGHT_MAP_PATH = '/flight-map/';

/** The page may be framed anywhere and fetches nothing. No CORS headers: scripts of other origins must not read it. */
const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    `default-src 'none'`,
    `style-src ${pageStyleSource}`,
    'frame-ancestors *',
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

const errorPages = {
  unknown: {
    status: 404,
    title: 'Map not found',
    detail: 'The link to this map is incomplete or was changed.',
  },
  gone: { status: 404, title: 'Map not found', detail: 'The flight of this map is no longer stored.' },
  expired: {
    status: 410,
    title: 'Map expired',
    detail: 'A link to a map is valid for up to 12 hours. Request the flight again to get a new link.',
  },
  method: { status: 405, title: 'Method not allowed', detail: 'A map can only be read: use GET.' },
} as const;

const respondWithError = (c: PageContext, kind: keyof typeof errorPages): Response => {
  const { status, title, detail } = errorPages[kind];
  const isBrowser = /\btext\/html\b/i.test(c.req.raw.headers.get('accept') ?? '');
  const text = isBrowser
    ? renderMessagePage(title, detail)
    : JSON.stringify({ type: 'about:blank', title, status, detail });
  return sendBody(c, createBody(Buffer.from(text)), {
    status,
    headers: {
      ...pageHeaders,
      'Content-Type': isBrowser ? 'text/html; charset=utf-8' : 'application/problem+json',
      'Cache-Control': 'no-store',
      Vary: 'Accept',
      ...(kind === 'method' && { Allow: 'GET, HEAD' }),
    },
  });
};

/**
 * Creates the handler of `/flight-map/:token`, a page that shows one flight. The token is the authorization until it expires; no API key is
 * required.
 */
export const createFlightMapHandler =
  ({ secret, findSource, renderPage }: FlightMapDeps) =>
  async (c: PageContext): Promise<Response> => {
    const now = c.get('now').getTime();
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return respondWithError(c, 'method');
    const reference = openMapToken(secret, c.req.param('token') ?? '', now);
    if (reference === undefined) return respondWithError(c, 'unknown');
    if (reference === 'expired') return respondWithError(c, 'expired');
    const source = await findSource(reference);
    if (!source) return respondWithError(c, 'gone');
    return sendBody(c, createBody(await renderPage(source, now)), {
      headers: { ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'private, max-age=30' },
    });
  };
