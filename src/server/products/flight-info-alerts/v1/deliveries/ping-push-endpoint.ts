import type { pingPushEndpointRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import type { TestEvent } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { toAttemptLogEntry } from '#delivery/webhook/delivery-result.ts';
import { Problem } from '#http/response/problem.ts';

import { createEventId } from '#store/events/event-outbox.ts';
import { acquirePing, insertPingAttempt, releasePing } from '#store/deliveries/delivery-results.ts';
import type { Deps } from '../shared/deps.ts';
import { getEndpoint } from '../endpoints/find-endpoint.ts';
import { toDelivery } from './to-delivery.ts';
import { listActiveKeys } from '../endpoints/to-endpoint.ts';

/** POST /flight-info-alerts/endpoints/{endpointId}/ping: one attempt to deliver a test event, without retries. */
export const pingPushEndpoint = async (
  c: OperationContext<typeof pingPushEndpointRoute>,
  { sql, secrets, clock, deliverer }: Deps,
) => {
  const { endpointId } = c.req.valid('param');
  const variables = c.var;
  const endpoint = await getEndpoint({ sql, secrets }, variables, endpointId);
  const waitSeconds = await acquirePing(sql, endpointId);
  if (waitSeconds > 0)
    throw new Problem('too-soon', `A test is running, or was sent recently. Retry in ${waitSeconds} seconds.`, {
      headers: { 'Retry-After': String(waitSeconds) },
    });
  try {
    const madeAt = clock();
    const event: TestEvent = {
      messageId: createEventId(madeAt),
      messageTimestamp: String(madeAt.getTime()),
      documentType: 'Test',
      accountId: endpoint.accountId,
      endpointId,
    };
    const keys = listActiveKeys(endpoint, madeAt).map(({ key }) => key);
    const { url, header } = endpoint;
    variables.endTurn();
    const outcome = await deliverer.deliver(
      { url, keys, header },
      { id: event.messageId, body: JSON.stringify(event) },
    );
    const attempt = { eventId: event.messageId, madeAt, ...toAttemptLogEntry(outcome), nextAt: undefined };
    await insertPingAttempt(sql, { endpointId, ...attempt });
    const delivery = toDelivery({ ...attempt, number: undefined, attempt: 1 });
    return c.json({ event, delivery }, 200, { 'Cache-Control': 'no-store' });
  } finally {
    await releasePing(sql, endpointId);
  }
};
