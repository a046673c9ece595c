import type { listPushEndpointsRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { listEndpoints } from '#store/deliveries/endpoints.ts';
import type { Deps } from '../shared/deps.ts';
import { getStream } from '../shared/account-access.ts';
import { toEndpoint } from './to-endpoint.ts';

/** GET /flight-info-alerts/endpoints: all endpoints of the account in the header. */
export const listPushEndpoints = async (
  c: OperationContext<typeof listPushEndpointsRoute>,
  { sql, secrets, clock }: Deps,
) => {
  const { accountId } = c.req.valid('header');
  const variables = c.var;
  await getStream(sql, variables, accountId);
  const endpoints = await listEndpoints(sql, accountId, secrets);
  const now = clock();
  const wireEndpoints = endpoints.map((endpoint) => toEndpoint(endpoint, now));
  // The URL is the same for all accounts.
  return c.json(wireEndpoints, 200, { Vary: 'Subscription-Key, accountId' });
};
