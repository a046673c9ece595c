import type { PushEndpoint } from '../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { lastModified } from '../../../http/conditional.ts';
import { answer, type Answer } from '../../../http/rendered.ts';
import type { RequestContext } from '../../../http/request-context.ts';
import type { Deps } from './deps.ts';
import { foundEndpoint } from './found-endpoint.ts';
import type { GetPushEndpointInput } from './routes.ts';
import { shownSince, showEndpoint } from './show-endpoint.ts';

/** GET /flight-info-alerts/endpoints/{endpointId}. */
export const getPushEndpoint = async (
  { params: { endpointId } }: GetPushEndpointInput,
  context: RequestContext,
  { sql, clock }: Deps,
): Promise<Answer<200, PushEndpoint>> => {
  const endpoint = await foundEndpoint(sql, context, endpointId);
  const now = clock();
  return answer(200, showEndpoint(endpoint, now), lastModified(shownSince(endpoint, now), now));
};
