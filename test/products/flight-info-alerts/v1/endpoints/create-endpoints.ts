import type { AlertsService } from '../alerts-service.ts';

/** The response to the creation of an endpoint. */
export type MadeEndpoint = {
  readonly endpointId: string;
  readonly signing: string;
  readonly secret: string | null;
  readonly publicKey: string | null;
  readonly position: number;
};

export const HOOK = 'https://hooks.zx.example/events';

/** Creates an endpoint, which must succeed. */
export const newEndpoint = async (
  world: AlertsService,
  accountId: string,
  settings: object = {},
): Promise<MadeEndpoint> => {
  const response = await world.sendJson('POST', '/endpoints', { body: { accountId, url: HOOK, ...settings } });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
};

/** Returns the status and the JSON body of a response. */
export const told = async (
  response: Promise<Response>,
): Promise<readonly [status: number, body: Record<string, unknown>]> => {
  const responded = await response;
  return [responded.status, await responded.json()];
};

/** Returns the status, the type and the invalid members of an error response. */
export const refusal = async (response: Promise<Response>): Promise<unknown> => {
  const [status, { type, errors }] = await told(response);
  return [status, String(type).replace('/docs/errors#', ''), errors];
};
