import { HttpResponse } from '../../../../http/response/http-response.ts';
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

type Body = {
  readonly status: number;
  readonly text: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
};

const respond = ({ status, text, headers }: Body): HttpResponse =>
  new HttpResponse({
    status,
    headers: { ...pageHeaders, 'Content-Length': String(Buffer.byteLength(text)), ...headers },
    body: typeof text === 'string' ? Buffer.from(text) : text,
  });

const respondWithError = (request: Request, kind: keyof typeof errorPages): HttpResponse => {
  const { status, title, detail } = errorPages[kind];
  const isBrowser = /\btext\/html\b/i.test(request.headers.get('accept') ?? '');
  return respond({
    status,
    text: isBrowser ? renderMessagePage(title, detail) : JSON.stringify({ type: 'about:blank', title, status, detail }),
    headers: {
      'Content-Type': isBrowser ? 'text/html; charset=utf-8' : 'application/problem+json',
      'Cache-Control': 'no-store',
      Vary: 'Accept',
      ...(kind === 'method' && { Allow: 'GET, HEAD' }),
    },
  });
};

/** Parses the token of a map path; undefined for other paths. */
const parseToken = (url: string): string | undefined => {
  const { pathname } = new URL(url);
  const token = pathname.startsWith(FLIGHT_MAP_PATH) ? pathname.slice(FLIGHT_MAP_PATH.length) : '';
  return token === '' || token.includes('/') ? undefined : token;
};

/**
 * Creates the handler of `/flight-map/{token}`, a page that shows one flight; it returns undefined for other paths. The
 * token is the authorization until it expires; no API key is required.
 */
export const createFlightMapHandler =
  ({
    secret,
    findSource,
    renderPage,
  }: FlightMapDeps): ((request: Request, now: Date) => Promise<HttpResponse | undefined>) =>
  async (request, now) => {
    const token = parseToken(request.url);
    if (token === undefined) return undefined;
    if (request.method !== 'GET' && request.method !== 'HEAD') return respondWithError(request, 'method');
    const reference = openMapToken(secret, token, now.getTime());
    if (reference === undefined) return respondWithError(request, 'unknown');
    if (reference === 'expired') return respondWithError(request, 'expired');
    const source = await findSource(reference);
    if (!source) return respondWithError(request, 'gone');
    return respond({
      status: 200,
      text: await renderPage(source, now.getTime()),
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'private, max-age=30' },
    });
  };
