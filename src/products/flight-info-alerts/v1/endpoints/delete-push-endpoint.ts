import type { PushEndpoint } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { deleteEndpoint } from '../../../../store/deliveries/endpoints.ts';
import type { Deps } from '../shared/deps.ts';
import { getLockedEndpoint } from './find-endpoint.ts';
import type { DeletePushEndpointInput } from '../shared/routes.ts';
import { toEndpoint } from './to-endpoint.ts';

/** DELETE /flight-info-alerts/endpoints/{endpointId}: returns the deleted endpoint. */
export const deletePushEndpoint = async (
  { params: { endpointId } }: DeletePushEndpointInput,
  context: RequestContext,
  { sql, clock }: Deps,
): Promise<PushEndpoint> =>
  sql.begin(async (transaction) => {
    const endpoint = await getLockedEndpoint(transaction, context, endpointId);
    await deleteEndpoint(transaction, endpointId);
    return toEndpoint(endpoint, clock());
  });
