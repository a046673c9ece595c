import { createMiddleware } from 'hono/factory';
import { setHeaders } from '../context/body.ts';
import type { Env } from '../context/env.ts';
import type { AdmitRequest } from '../rate-limit/rate-limiter.ts';

/**
 * Limits the requests of a subscription per minute, per month and at once, and sets the rate limit headers.
 *
 * @example app.use('/versions/*', rateLimit(createRateLimiter({ reserveRequests, clock })))
 */
export const rateLimit = (admitRequest: AdmitRequest) =>
  createMiddleware<Env>(async (c, next) => {
    const key = c.get('key');
    if (!key) throw new Error('the key of the request is not checked');
    // Most requests are admitted from memory, without a promise.
    const admitted = admitRequest(key);
    const { headers, release } = admitted instanceof Promise ? await admitted : admitted;
    c.set('releaseConcurrencySlot', release);
    setHeaders(c.get('headers'), headers);
    try {
      await next();
    } finally {
      release();
    }
  });
