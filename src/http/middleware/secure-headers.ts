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
  createMiddleware<Env>(async (c, next) => {
    c.header('Cache-Control', 'private, no-cache');
    c.header('Vary', 'Subscription-Key, Accept-Encoding');
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('X-Request-Id', c.get('requestId'));
    await next();
  });
