import { createKey } from '#store/access/subscription-keys.ts';
import { serveTinyWorld, TEST_KEY, type TinyService } from '#test/support/tiny-world.ts';

/** Sends a request with a JSON body to Flight Info Alerts. */
export type SendJson = (
  method: 'POST' | 'PATCH' | 'DELETE' | 'GET',
  path: string,
  options?: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>>; readonly key?: string },
) => Promise<Response>;

export type AlertsService = TinyService & {
  readonly sendJson: SendJson;
  /** A key of another subscription. */
  readonly foreignKey: string;
  readonly createAccount: (key?: string) => Promise<string>;
  /** Creates an alert, which must succeed, and returns its UUID. */
  readonly createAlert: (accountId: string, alert: object) => Promise<string>;
};

export const profile = {
  firstName: 'Ada',
  lastName: 'Field',
  email: 'ada@example.test',
  country: 'gb',
  companyName: 'Example Airways',
};

const BASE = '/flight-info-alerts';

/** Returns a text of the response to a creation, which must succeed. */
const textOfCreated = async (created: Promise<Response>, name: string): Promise<string> => {
  const response = await created;
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return String(Object(await response.json())[name]);
};

export const serveAlerts = async (options: Parameters<typeof serveTinyWorld>[0] = {}): Promise<AlertsService> => {
  const world = await serveTinyWorld(options);
  const { key: foreignKey } = await createKey(world.db, { name: 'stranger', products: ['flight-info-alerts'] });
  const sendJson: SendJson = (method, path, { body, headers = {}, key = TEST_KEY } = {}) =>
    world.send(`${BASE}${path}`, {
      method,
      headers: { 'subscription-key': key, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return {
    ...world,
    sendJson,
    foreignKey: foreignKey,
    createAccount: (key = TEST_KEY) => textOfCreated(sendJson('POST', '/profile', { body: profile, key }), 'accountId'),
    createAlert: (accountId, alert) =>
      textOfCreated(sendJson('POST', '/alerts', { body: { accountId, ...alert } }), 'data'),
  };
};
