import type { explainEventRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import type { EventExplanation } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { matchAlert } from '#domain/alerts/alert-match.ts';
import type { Alert } from '#domain/alerts/alert.ts';
import type { EventFacts } from '#domain/alerts/event-facts.ts';
import { Problem } from '#http/response/problem.ts';

import { streamAlerts } from '#store/alerts/alerts.ts';
import { findStreamEvent } from '#store/events/event-log.ts';
import type { Deps } from '../shared/deps.ts';
import { getStream } from '../shared/account-access.ts';

type Verdict = EventExplanation['alerts'][number];

const toVerdict = (alert: Alert, facts: EventFacts): Verdict => {
  const verdict = matchAlert(alert, facts);
  return {
    alertId: alert.id,
    name: alert.name === '' ? null : alert.name,
    matched: verdict === 'matched',
    refusedBy: verdict === 'matched' ? null : verdict,
  };
};

/** GET /flight-info-alerts/events/{eventId}/explain: whether each current alert of the account matches an event. */
export const explainEvent = async (c: OperationContext<typeof explainEventRoute>, { sql }: Deps) => {
  const { eventId } = c.req.valid('param');
  const { accountId } = c.req.valid('header');
  const variables = c.var;
  const stream = await getStream(sql, variables, accountId);
  const event = await findStreamEvent(sql, eventId, stream);
  if (!event) throw new Problem('not-found', `The event ${eventId} does not exist or is no longer retained.`);
  const { id, facts, delivered } = event;
  const alerts: Verdict[] = [];
  await sql.begin(async (transaction) => {
    for await (const batch of streamAlerts(transaction, accountId))
      alerts.push(...batch.map((alert) => toVerdict(alert, facts)));
  });
  const explanation: EventExplanation = {
    messageId: id,
    documentType: facts.kind === 'status' ? 'FlightStatus' : 'ScheduleInstance',
    position: delivered?.number ?? null,
    alertId: delivered?.alertId ?? null,
    alerts,
  };
  return c.json(explanation, 200, { 'Cache-Control': 'no-store', Vary: 'Subscription-Key, accountId' });
};
