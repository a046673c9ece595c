import type { AlertsService } from '../alerts-service.ts';

/** An endpoint that was created, as the answer tells it. */
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

/** The status of an answer and its JSON. */
export const told = async (
  response: Promise<Response>,
): Promise<readonly [status: number, body: Record<string, unknown>]> => {
  const answered = await response;
  return [answered.status, await answered.json()];
};

/** The status of a refusal, its kind and what it blames. */
export const refusal = async (response: Promise<Response>): Promise<unknown> => {
  const [status, { type, errors }] = await told(response);
  return [status, String(type).replace('/docs/errors#', ''), errors];
};
