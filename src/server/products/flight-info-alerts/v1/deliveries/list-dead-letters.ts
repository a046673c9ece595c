import type { listDeadLettersRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import type { DeadLetter as WireLetter, DeadLetters } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { sendRendered } from '#http/context/body.ts';
import { countDeadLetters, listDeadLetters as lettersOf, type DeadLetter } from '#store/deliveries/delivery-log.ts';
import { renderDeliveryPage } from './delivery-page.ts';
import type { Deps } from '../shared/deps.ts';
import { getEndpoint } from '../endpoints/find-endpoint.ts';
import { toTimestamp } from '../shared/to-timestamp.ts';

const toDeadLetter = ({ number, lastNumber, eventId, attempts, reason, givenUpAt }: DeadLetter): WireLetter => ({
  position: number,
  toPosition: lastNumber,
  eventId: eventId ?? null,
  attempts,
  reason,
  givenUpTimestamp: toTimestamp(givenUpAt),
});

/** GET /flight-info-alerts/endpoints/{endpointId}/dead-letters: one page of abandoned deliveries, in stream order. */
export const listDeadLetters = async (
  c: OperationContext<typeof listDeadLettersRoute>,
  { sql, secrets, cursorSecret }: Deps,
) => {
  const { endpointId } = c.req.valid('param');
  const query = c.req.valid('query');
  const variables = c.var;
  const page = await renderDeliveryPage({
    variables,
    query,
    filters: { endpointId },
    secret: cursorSecret,
    assertExists: () => getEndpoint({ sql, secrets }, variables, endpointId),
    read: ({ after = 0 }, limit) => lettersOf(sql, { endpointId, after, limit }),
    count: () => countDeadLetters(sql, endpointId),
    getNumber: ({ number }) => number,
    toWire: toDeadLetter,
  });
  return sendRendered<DeadLetters>(c, page);
};
