import { createMiddleware } from 'hono/factory';
import { createKeyMask, type KeyMaskOptions } from '#lib/mask-keys.ts';
import type { Env } from '../context/env.ts';
import type { AccessLog } from '../observability/access-log.ts';

/**
 * Writes a line for each request when its response is ready to be sent, without API keys. `isKnown` finds those that have no generated form.
 *
 * @example app.use(accessLog(log, () => new Date()))
 */
export const accessLog = (
  log: AccessLog,
  clock: (request: Request) => Date,
  isKnown: KeyMaskOptions['isKnown'] = () => false,
) =>
  createMiddleware<Env>(async (c, next) => {
    const { raw } = c.req;
    const { target, product, result } = c.get('selected');
    const now = clock(raw);
    const requestId = c.get('requestId');
    const ownKey = raw.headers.get('subscription-key');
    const maskKeys = createKeyMask(target.keyCandidates, { ownKey, isKnown });
    const startedAt = performance.now();
    c.set('now', now);
    c.set('startedAt', startedAt);
    c.set('maskKeys', maskKeys);
    c.set('logFailure', (error) => log.failure(error, clock(raw), requestId));
    await next();
    const { 'content-length': length } = c.get('headers');
    const key = c.get('key');
    log.request({
      at: now,
      requestId,
      method: raw.method,
      path: maskKeys(c.get('loggedPath') ?? target.path),
      query: maskKeys(target.query),
      status: c.res.status,
      bytes: length === undefined ? undefined : Number(length),
      durationMs: performance.now() - startedAt,
      product,
      version: result?.version?.version.version,
      route: c.get('operation')?.path,
      subscriptionId: key?.subscriptionId,
      keyHint: key?.hint,
      problem: c.get('problem'),
    });
  });
