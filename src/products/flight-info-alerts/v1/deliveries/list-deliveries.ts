import type { Deliveries } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { HttpResponse } from '../../../../http/response/http-response.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { countAttempts, listAttempts } from '../../../../store/deliveries/delivery-log.ts';
import { buildDeliveryPage } from './delivery-page.ts';
import type { Deps } from '../shared/deps.ts';
import { getEndpoint } from '../endpoints/find-endpoint.ts';
import type { ListDeliveriesInput } from '../shared/routes.ts';
import { toDelivery } from './to-delivery.ts';

/** Limit of listed attempts: counting the millions in the log of a busy endpoint would be too slow. */
const MAX_ATTEMPTS = 10_000;

/** GET /flight-info-alerts/endpoints/{endpointId}/deliveries: one page of the log, newest attempts first. */
export const listDeliveries = async (
  { params: { endpointId }, query }: ListDeliveriesInput,
  context: RequestContext,
  { sql, cursorSecret }: Deps,
): Promise<HttpResponse<200, Deliveries>> => {
  const { Outcome: outcome, EventId: eventId } = query;
  const filter = { endpointId, outcome, eventId: eventId?.toLowerCase() };
  return buildDeliveryPage({
    context,
    query,
    filters: filter,
    secret: cursorSecret,
    assertExists: () => getEndpoint(sql, context, endpointId),
    read: ({ after, precedingItems }, limit) =>
      listAttempts(sql, filter, { before: after, limit: Math.min(limit, MAX_ATTEMPTS - precedingItems) }),
    count: () => countAttempts(sql, filter, MAX_ATTEMPTS),
    getNumber: ({ id }) => id,
    toWire: toDelivery,
  });
};
