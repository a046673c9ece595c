import { createMiddleware } from 'hono/factory';
import type { Env } from '../context/env.ts';

/**
 * Sets the headers that every response has unless a handler sets them itself. Responses differ by key and change with the next schedule: caches
 * must revalidate. There are no CORS headers: a key must never reach a browser. `hono/secure-headers` sets headers after the handler, among
 * them ten that mean something to pages only.
 *
 * @example app.use(secureHeaders())
 */
export const secureHeaders = () =>
  createMiddleware<Env>((c, next) => {
    c.set('headers', {
      'cache-control': 'private, no-cache',
      vary: 'Subscription-Key, Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'x-request-id': c.get('requestId'),
    });
    return next();
  });
