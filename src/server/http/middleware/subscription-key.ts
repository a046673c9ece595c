import type { CheckKey, KeyRecord } from '../auth/api-keys.ts';
import type { GetClientId } from '../auth/client-address.ts';
import { getPeer } from '../context/env.ts';
import type { Step } from './in-order.ts';

const HEADER = 'subscription-key';

/**
 * Checks the subscription key. `getClientId` counts invalid keys by client.
 *
 * @example pipeline.before(isKeyed, subscriptionKey(createKeyChecker({ findKey, clock })))
 */
export const subscriptionKey =
  (checkKey: CheckKey, getClientId?: GetClientId): Step =>
  (c) => {
    const { headers } = c.req.raw;
    const checked = checkKey(headers.get(HEADER), c.get('selected').product, () =>
      getClientId?.(getPeer(c), headers.get('x-forwarded-for')),
    );
    const keep = (record: KeyRecord): void => c.set('key', record);
    return checked instanceof Promise ? checked.then(keep) : keep(checked);
  };

/**
 * Lets the handler check the key again, whose response stays open.
 *
 * @example pipeline.before(staysOpen, keyRecheck(createKeyChecker({ findKey, clock })))
 */
export const keyRecheck =
  (checkKey: CheckKey): Step =>
  (c) => {
    const key = c.req.raw.headers.get(HEADER);
    const { product } = c.get('selected');
    c.set('recheckKey', async () => void (await checkKey(key, product)));
  };
