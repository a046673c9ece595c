import type { PushEndpoint } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { type HttpResponse, jsonResponse } from '../../../../http/response/http-response.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { listEndpoints } from '../../../../store/deliveries/endpoints.ts';
import type { Deps } from '../shared/deps.ts';
import { getStream } from '../shared/account-access.ts';
import type { ListPushEndpointsInput } from '../shared/routes.ts';
import { toEndpoint } from './to-endpoint.ts';

/** GET /flight-info-alerts/endpoints: all endpoints of the account in the header. */
export const listPushEndpoints = async (
  { headers: { accountId } }: ListPushEndpointsInput,
  context: RequestContext,
  { sql, clock }: Deps,
): Promise<HttpResponse<200, PushEndpoint[]>> => {
  await getStream(sql, context, accountId);
  const endpoints = await listEndpoints(sql, accountId);
  const now = clock();
  const wireEndpoints = endpoints.map((endpoint) => toEndpoint(endpoint, now));
  // The URL is the same for all accounts.
  return jsonResponse(200, wireEndpoints, { Vary: 'Subscription-Key, accountId' });
};
