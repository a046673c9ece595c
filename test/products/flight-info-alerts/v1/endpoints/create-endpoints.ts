import type { AlertsService } from '../alerts-service.ts';

/** The response to the creation of an endpoint. */
export type CreatedEndpoint = {
  readonly endpointId: string;
  readonly signing: string;
  readonly secret: string | null;
  readonly publicKey: string | null;
  readonly position: number;
};

export const HOOK = 'https://hooks.zx.example/events';

/** Creates an endpoint, which must succeed. */
export const createEndpoint = async (
  world: AlertsService,
  accountId: string,
  settings: object = {},
): Promise<CreatedEndpoint> => {
  const response = await world.sendJson('POST', '/endpoints', { body: { accountId, url: HOOK, ...settings } });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
};

/** Returns the status and the JSON body of a response. */
export const readResponse = async (
  response: Promise<Response>,
): Promise<readonly [status: number, body: Record<string, unknown>]> => {
  const responded = await response;
  return [responded.status, await responded.json()];
};

/** Returns the status, the type and the invalid members of an error response. */
export const readError = async (response: Promise<Response>): Promise<unknown> => {
  const [status, { type, errors }] = await readResponse(response);
  return [status, String(type).replace('/docs/errors#', ''), errors];
};
