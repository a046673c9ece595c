import type { deletePushEndpointRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { deleteEndpoint } from '#store/deliveries/endpoints.ts';
import type { Deps } from '../shared/deps.ts';
import { getLockedEndpoint } from './find-endpoint.ts';
import { toEndpoint } from './to-endpoint.ts';

/** DELETE /flight-info-alerts/endpoints/{endpointId}: returns the deleted endpoint. */
export const deletePushEndpoint = async (
  c: OperationContext<typeof deletePushEndpointRoute>,
  { sql, secrets, clock }: Deps,
) => {
  const { endpointId } = c.req.valid('param');
  const variables = c.var;
  const deleted = await sql.begin(async (transaction) => {
    const endpoint = await getLockedEndpoint({ sql: transaction, secrets }, variables, endpointId);
    await deleteEndpoint(transaction, endpointId);
    return toEndpoint(endpoint, clock());
  });
  return c.json(deleted, 200);
};
