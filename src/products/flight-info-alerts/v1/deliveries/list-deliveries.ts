import type { Deliveries } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { HttpResponse } from '../../../../http/response/http-response.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { countAttempts, listAttempts } from '../../../../store/deliveries/delivery-log.ts';
import { buildDeliveryPage } from './delivery-page.ts';
import type { Deps } from '../shared/deps.ts';
import { getEndpoint } from '../endpoints/find-endpoint.ts';
import type { ListDeliveriesInput } from '../shared/routes.ts';
import { toDelivery } from './to-delivery.ts';

/** How many attempts a list has at most: the log of a busy endpoint has millions, which nobody counts or reads in pages. */
const MAX_LISTED = 10_000;

/** GET /flight-info-alerts/endpoints/{endpointId}/deliveries: one page of the log, the newest attempts first. */
export const listDeliveries = async (
  { params: { endpointId }, query }: ListDeliveriesInput,
  context: RequestContext,
  { sql, cursorSecret }: Deps,
): Promise<HttpResponse<200, Deliveries>> => {
  const { Outcome: outcome, EventId: eventId } = query;
  const wanted = { endpointId, outcome, eventId: eventId?.toLowerCase() };
  return buildDeliveryPage({
    context,
    query,
    filters: wanted,
    secret: cursorSecret,
    assertExists: () => getEndpoint(sql, context, endpointId),
    read: ({ after, precedingItems: shown }, limit) =>
      listAttempts(sql, wanted, { before: after, limit: Math.min(limit, MAX_LISTED - shown) }),
    count: () => countAttempts(sql, wanted, MAX_LISTED),
    numberOf: ({ id }) => id,
    toWire: toDelivery,
  });
};
