import type {
  DeadLetter as WireLetter,
  DeadLetters,
} from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { Rendered } from '../../../../http/response/rendered.ts';
import type { RequestContext } from '../../../../http/router/request-context.ts';
import {
  countDeadLetters,
  listDeadLetters as lettersOf,
  type DeadLetter,
} from '../../../../store/deliveries/push-log.ts';
import { deliveryPage } from './delivery-page.ts';
import type { Deps } from '../shared/deps.ts';
import { foundEndpoint } from '../endpoints/find-endpoint.ts';
import type { ListDeadLettersInput } from '../shared/routes.ts';
import { showTimestamp } from '../shared/to-timestamp.ts';

const showLetter = ({ number, lastNumber, eventId, attempts, reason, givenUpAt }: DeadLetter): WireLetter => ({
  position: number,
  toPosition: lastNumber,
  eventId: eventId ?? null,
  attempts,
  reason,
  givenUpTimestamp: showTimestamp(givenUpAt),
});

/** GET /flight-info-alerts/endpoints/{endpointId}/dead-letters: one page of what was given up, in the order of the stream. */
export const listDeadLetters = async (
  { params: { endpointId }, query }: ListDeadLettersInput,
  context: RequestContext,
  { sql, cursorSecret }: Deps,
): Promise<Rendered<DeadLetters>> => {
  return deliveryPage({
    context,
    query,
    bound: { endpointId },
    secret: cursorSecret,
    find: () => foundEndpoint(sql, context, endpointId),
    read: ({ after = 0 }, limit) => lettersOf(sql, { endpointId, after, limit }),
    count: () => countDeadLetters(sql, endpointId),
    numberOf: ({ number }) => number,
    show: showLetter,
  });
};
