import type { listDeliveriesRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import type { Deliveries } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { sendRendered } from '#http/context/body.ts';
import { countAttempts, listAttempts } from '#store/deliveries/delivery-log.ts';
import { renderDeliveryPage } from './delivery-page.ts';
import type { Deps } from '../shared/deps.ts';
import { getEndpoint } from '../endpoints/find-endpoint.ts';
import { toDelivery } from './to-delivery.ts';

/** Limit of listed attempts: counting the millions in the log of a busy endpoint would be too slow. */
const MAX_ATTEMPTS = 10_000;

/** GET /flight-info-alerts/endpoints/{endpointId}/deliveries: one page of the log, newest attempts first. */
export const listDeliveries = async (
  c: OperationContext<typeof listDeliveriesRoute>,
  { sql, secrets, cursorSecret }: Deps,
) => {
  const { endpointId } = c.req.valid('param');
  const query = c.req.valid('query');
  const variables = c.var;
  const { Outcome: outcome, EventId: eventId } = query;
  const filter = { endpointId, outcome, eventId: eventId?.toLowerCase() };
  const page = await renderDeliveryPage({
    variables,
    query,
    filters: filter,
    secret: cursorSecret,
    assertExists: () => getEndpoint({ sql, secrets }, variables, endpointId),
    read: ({ after, precedingItems }, limit) =>
      listAttempts(sql, filter, { before: after, limit: Math.min(limit, MAX_ATTEMPTS - precedingItems) }),
    count: () => countAttempts(sql, filter, MAX_ATTEMPTS),
    getNumber: ({ id }) => id,
    toWire: toDelivery,
  });
  return sendRendered<Deliveries>(c, page);
};
