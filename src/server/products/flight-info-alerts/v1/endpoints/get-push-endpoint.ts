import type { getPushEndpointRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { toLastModifiedHeader } from '#http/response/conditional.ts';

import type { Deps } from '../shared/deps.ts';
import { getEndpoint } from './find-endpoint.ts';
import { lastChangedAt, toEndpoint } from './to-endpoint.ts';

/** GET /flight-info-alerts/endpoints/{endpointId}. */
export const getPushEndpoint = async (
  c: OperationContext<typeof getPushEndpointRoute>,
  { sql, secrets, clock }: Deps,
) => {
  const { endpointId } = c.req.valid('param');
  const variables = c.var;
  const endpoint = await getEndpoint({ sql, secrets }, variables, endpointId);
  const now = clock();
  return c.json(toEndpoint(endpoint, now), 200, toLastModifiedHeader(lastChangedAt(endpoint, now), now));
};
