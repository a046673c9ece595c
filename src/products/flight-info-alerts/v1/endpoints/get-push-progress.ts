import type { PushProgress } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { type HttpResponse, jsonResponse } from '../../../../http/response/http-response.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { findEndpointProgress } from '../../../../store/deliveries/endpoint-progress.ts';
import type { Deps } from '../shared/deps.ts';
import { getEndpoint, endpointNotFoundProblem } from './find-endpoint.ts';
import type { GetPushProgressInput } from '../shared/routes.ts';
import { toTimestampOrNull } from '../shared/to-timestamp.ts';

/** GET /flight-info-alerts/endpoints/{endpointId}/progress. */
export const getPushProgress = async (
  { params: { endpointId } }: GetPushProgressInput,
  context: RequestContext,
  { sql, clock }: Deps,
): Promise<HttpResponse<200, PushProgress>> => {
  const progress = await findEndpointProgress(sql, await getEndpoint(sql, context, endpointId));
  if (!progress) throw endpointNotFoundProblem(endpointId);
  const { position, end, backoffUntil } = progress;
  const body = {
    position,
    end,
    backlog: Math.max(0, end - position),
    retries: progress.retries,
    deadLetters: progress.deadLetters,
    failures: progress.failures,
    failingSinceTimestamp: toTimestampOrNull(progress.failingSince),
    restsUntilTimestamp: toTimestampOrNull(backoffUntil && backoffUntil > clock() ? backoffUntil : undefined),
    lastDeliveryTimestamp: toTimestampOrNull(progress.deliveredAt),
  };
  return jsonResponse(200, body, { 'Cache-Control': 'no-store' });
};
