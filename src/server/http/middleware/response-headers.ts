import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Env, ResponseHeaders } from '../context/env.ts';

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
 * @example app.use(responseHeaders())
 */
export const responseHeaders = () =>
  createMiddleware<Env>((c, next) => {
    const headers: ResponseHeaders = {
      'cache-control': 'private, no-cache',
      vary: 'Subscription-Key, Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'x-request-id': c.get('requestId'),
    };
    c.set('headers', headers);
    bindHeader(c, headers);
    return next();
  });
