import type { PushEndpoint } from '../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { answer, type Answer } from '../../../http/rendered.ts';
import type { RequestContext } from '../../../http/request-context.ts';
import { listEndpoints } from '../../../store/push-endpoints.ts';
import type { Deps } from './deps.ts';
import { foundStream } from './found-stream.ts';
import type { ListPushEndpointsInput } from './routes.ts';
import { showEndpoint } from './show-endpoint.ts';

/** GET /flight-info-alerts/endpoints: all endpoints of the account in the header. */
export const listPushEndpoints = async (
  { headers: { accountId } }: ListPushEndpointsInput,
  context: RequestContext,
  { sql, clock }: Deps,
): Promise<Answer<200, PushEndpoint[]>> => {
  await foundStream(sql, context, accountId);
  const endpoints = await listEndpoints(sql, accountId);
  const now = clock();
  const shown = endpoints.map((endpoint) => showEndpoint(endpoint, now));
  // The address is the same for all accounts.
  return answer(200, shown, { Vary: 'Subscription-Key, accountId' });
};
