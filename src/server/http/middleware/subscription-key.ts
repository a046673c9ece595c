import { createMiddleware } from 'hono/factory';
import type { CheckKey, KeyRecord } from '../auth/api-keys.ts';
import type { GetClientId } from '../auth/client-address.ts';
import { getPeer, type Env } from '../context/env.ts';

/**
 * Checks the subscription key. `getClientId` counts invalid keys by client.
 *
 * @example app.use('/versions/*', subscriptionKey(createKeyChecker({ findKey, clock })))
 */
export const subscriptionKey = (checkKey: CheckKey, getClientId?: GetClientId) =>
  createMiddleware<Env>((c, next) => {
    const { headers } = c.req.raw;
    const key = headers.get('subscription-key');
    const product = c.get('product');
    const proceed = (record: KeyRecord): Promise<void> => {
      c.set('key', record);
      c.set('subscriptionId', record.subscriptionId);
      c.set('features', record.features ?? []);
      c.set('recheckKey', async () => void (await checkKey(key, product)));
      return next();
    };
    const checked = checkKey(key, product, () => getClientId?.(getPeer(c), headers.get('x-forwarded-for')));
    return checked instanceof Promise ? checked.then(proceed) : proceed(checked);
  });
