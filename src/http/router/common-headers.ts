import { HttpResponse } from '../response/http-response.ts';

/** Set on every response that does not set them itself. Responses differ by key and change with the next schedule: caches must revalidate. */
const defaultHeaders = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Subscription-Key, Accept-Encoding',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Spelling of header names that handlers may write in any letter case, by their lower case. */
const spellings: ReadonlyMap<string, string> = new Map(
  [...Object.keys(defaultHeaders), 'Content-Length', 'Link'].map((name) => [name.toLowerCase(), name]),
);

export type CommonHeaders = {
  readonly requestId: string;
  /** `API-Version`, `Deprecation` and `Sunset`; undefined where no version was selected. */
  readonly version: Readonly<Record<string, string>> | undefined;
  /** Value of `Link`, appended to that of the handler. */
  readonly link: string | undefined;
  /** `RateLimit-Policy` and `RateLimit`; undefined where no limits apply. */
  readonly rateLimit: Readonly<Record<string, string>> | undefined;
};

/**
 * Returns the response with the headers that every response has. It builds a new record, which is faster than to change one.
 * CORS headers are removed: a key must never reach a browser (requirements, 1).
 */
export const addCommonHeaders = (response: HttpResponse, common: CommonHeaders): HttpResponse => {
  const { status, headers: sent, body } = response;
  const headers: Record<string, string> = { ...defaultHeaders };
  for (const name in sent) {
    const value = sent[name];
    const lower = name.toLowerCase();
    if (value !== undefined && !lower.startsWith('access-control-')) headers[spellings.get(lower) ?? name] = value;
  }
  headers['X-Request-Id'] = common.requestId;
  Object.assign(headers, common.version);
  const { link } = common;
  if (link !== undefined) headers['Link'] = headers['Link'] === undefined ? link : `${headers['Link']}, ${link}`;
  // A 5xx has no rate limit headers: the failure may have happened before the limits were known.
  if (status < 500) Object.assign(headers, common.rateLimit);
  return new HttpResponse({ status, headers, body });
};
