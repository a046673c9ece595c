import { createMiddleware } from 'hono/factory';
import type { CheckKey } from '../auth/api-keys.ts';
import type { GetClientId } from '../auth/client-address.ts';
import { getPeer, type Env } from '../context/env.ts';

/**
 * Checks the subscription key, except on public operations. `getClientId` counts invalid keys by client.
 *
 * @example app.use('/versions/*', subscriptionKey(createKeyChecker({ findKey, clock })))
 */
export const subscriptionKey = (checkKey: CheckKey, getClientId?: GetClientId) =>
  createMiddleware<Env>(async (c, next) => {
    if (c.get('operation').isPublic) return next();
    const { headers } = c.req.raw;
    const key = headers.get('subscription-key');
    const product = c.get('product');
    const record = await checkKey(key, product, () => getClientId?.(getPeer(c), headers.get('x-forwarded-for')));
    c.set('key', record);
    c.set('subscriptionId', record.subscriptionId);
    c.set('features', record.features ?? []);
    c.set('recheckKey', async () => {
      await checkKey(key, product);
    });
    await next();
  });
