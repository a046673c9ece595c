import type { PushProgress } from '../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { answer, type Answer } from '../../../http/rendered.ts';
import type { RequestContext } from '../../../http/request-context.ts';
import { findProgress } from '../../../store/endpoint-progress.ts';
import type { Deps } from './deps.ts';
import { foundEndpoint, noEndpoint } from './found-endpoint.ts';
import type { GetPushProgressInput } from './routes.ts';
import { timestampOrNull } from './show-timestamp.ts';

/** GET /flight-info-alerts/endpoints/{endpointId}/progress. */
export const getPushProgress = async (
  { params: { endpointId } }: GetPushProgressInput,
  context: RequestContext,
  { sql, clock }: Deps,
): Promise<Answer<200, PushProgress>> => {
  const progress = await findProgress(sql, await foundEndpoint(sql, context, endpointId));
  if (!progress) throw noEndpoint(endpointId);
  const { position, end, restsUntil } = progress;
  const shown = {
    position,
    end,
    backlog: Math.max(0, end - position),
    retries: progress.retries,
    deadLetters: progress.deadLetters,
    failures: progress.failures,
    failingSinceTimestamp: timestampOrNull(progress.failingSince),
    restsUntilTimestamp: timestampOrNull(restsUntil && restsUntil > clock() ? restsUntil : undefined),
    lastDeliveryTimestamp: timestampOrNull(progress.deliveredAt),
  };
  return answer(200, shown, { 'Cache-Control': 'no-store' });
};
