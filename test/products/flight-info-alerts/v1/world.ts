import { createKey } from '../../../../src/store/access/subscription-keys.ts';
import { serveTinyWorld, TEST_KEY, type TinyService } from '../../../support/tiny-world.ts';

/** Sends a JSON body. */
export type Send = (
  method: 'POST' | 'PATCH' | 'DELETE' | 'GET',
  path: string,
  options?: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>>; readonly key?: string },
) => Promise<Response>;

/** A world with accounts of Flight Info Alerts. */
export type AlertsWorld = TinyService & {
  readonly send: Send;
  /** A key of another subscription. */
  readonly foreignKey: string;
  /** Creates an account and answers its UUID. */
  readonly newAccount: (key?: string) => Promise<string>;
  /** Creates an alert, which must succeed, and answers its UUID. */
  readonly newAlert: (accountId: string, alert: object) => Promise<string>;
};

export const profile = {
  firstName: 'Ada',
  lastName: 'Field',
  email: 'ada@example.test',
  country: 'gb',
  companyName: 'Example Airways',
};

const BASE = '/flight-info-alerts';

const sent = async (response: Promise<Response>): Promise<unknown> => {
  const answered = await response;
  if (answered.status !== 201) throw new Error(`${answered.status} ${await answered.text()}`);
  return answered.json();
};

/** Text at a name of a body. */
const textAt = (body: unknown, name: string): string =>
  typeof body === 'object' && body !== null ? String(Object.entries(body).find(([one]) => one === name)?.[1]) : '';

export const serveAlertsWorld = async (options: Parameters<typeof serveTinyWorld>[0] = {}): Promise<AlertsWorld> => {
  const world = await serveTinyWorld(options);
  const { key: foreignKey } = await createKey(world.db, { name: 'stranger', products: ['flight-info-alerts'] });
  const send: Send = (method, path, { body, headers = {}, key = TEST_KEY } = {}) =>
    world.send(`${BASE}${path}`, {
      method,
      headers: { 'subscription-key': key, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return {
    ...world,
    send,
    foreignKey,
    newAccount: async (key = TEST_KEY) =>
      textAt(await sent(send('POST', '/profile', { body: profile, key })), 'accountId'),
    newAlert: async (accountId, alert) =>
      textAt(await sent(send('POST', '/alerts', { body: { accountId, ...alert } })), 'data'),
  };
};
