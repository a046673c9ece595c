import type { Delivery } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { failureReasons } from '#delivery/webhook/delivery-result.ts';
import type { LoggedAttempt } from '#store/deliveries/delivery-log.ts';
import { toTimestamp, toTimestampOrNull } from '../shared/to-timestamp.ts';

/** Returns the wire form of a delivery attempt. */
export const toDelivery = ({
  number,
  madeAt,
  reason,
  status,
  nextAt,
  ...rest
}: Omit<LoggedAttempt, 'id'>): Delivery => ({
  eventId: rest.eventId,
  position: number ?? null,
  attempt: rest.attempt,
  attemptTimestamp: toTimestamp(madeAt),
  outcome: rest.outcome,
  reason: failureReasons.find((known) => known === reason) ?? null,
  status: status ?? null,
  durationMs: rest.durationMs,
  answer: rest.answer,
  nextAttemptTimestamp: toTimestampOrNull(nextAt),
});
