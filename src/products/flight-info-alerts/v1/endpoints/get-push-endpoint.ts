import type { PushEndpoint } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { toLastModifiedHeader } from '../../../../http/response/conditional.ts';
import { type HttpResponse, jsonResponse } from '../../../../http/response/http-response.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import type { Deps } from '../shared/deps.ts';
import { getEndpoint } from './find-endpoint.ts';
import type { GetPushEndpointInput } from '../shared/routes.ts';
import { lastChangedAt, toEndpoint } from './to-endpoint.ts';

/** GET /flight-info-alerts/endpoints/{endpointId}. */
export const getPushEndpoint = async (
  { params: { endpointId } }: GetPushEndpointInput,
  context: RequestContext,
  { sql, clock }: Deps,
): Promise<HttpResponse<200, PushEndpoint>> => {
  const endpoint = await getEndpoint(sql, context, endpointId);
  const now = clock();
  return jsonResponse(200, toEndpoint(endpoint, now), toLastModifiedHeader(lastChangedAt(endpoint, now), now));
};
