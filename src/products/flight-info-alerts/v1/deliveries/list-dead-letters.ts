import type {
  DeadLetter as WireLetter,
  DeadLetters,
} from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { HttpResponse } from '../../../../http/response/http-response.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import {
  countDeadLetters,
  listDeadLetters as lettersOf,
  type DeadLetter,
} from '../../../../store/deliveries/delivery-log.ts';
import { buildDeliveryPage } from './delivery-page.ts';
import type { Deps } from '../shared/deps.ts';
import { getEndpoint } from '../endpoints/find-endpoint.ts';
import type { ListDeadLettersInput } from '../shared/routes.ts';
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
  { params: { endpointId }, query }: ListDeadLettersInput,
  context: RequestContext,
  { sql, cursorSecret }: Deps,
): Promise<HttpResponse<200, DeadLetters>> => {
  return buildDeliveryPage({
    context,
    query,
    filters: { endpointId },
    secret: cursorSecret,
    assertExists: () => getEndpoint(sql, context, endpointId),
    read: ({ after = 0 }, limit) => lettersOf(sql, { endpointId, after, limit }),
    count: () => countDeadLetters(sql, endpointId),
    getNumber: ({ number }) => number,
    toWire: toDeadLetter,
  });
};
