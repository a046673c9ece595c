import type { getPushProgressRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { findEndpointProgress } from '#store/deliveries/endpoint-progress.ts';
import type { Deps } from '../shared/deps.ts';
import { getEndpoint, endpointNotFoundProblem } from './find-endpoint.ts';
import { toTimestampOrNull } from '../shared/to-timestamp.ts';

/** GET /flight-info-alerts/endpoints/{endpointId}/progress. */
export const getPushProgress = async (
  c: OperationContext<typeof getPushProgressRoute>,
  { sql, secrets, clock }: Deps,
) => {
  const { endpointId } = c.req.valid('param');
  const variables = c.var;
  const progress = await findEndpointProgress(sql, await getEndpoint({ sql, secrets }, variables, endpointId));
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
  return c.json(body, 200, { 'Cache-Control': 'no-store' });
};
