import type { DeliveryResult } from '#delivery/webhook/delivery-result.ts';
import { BEYOND_BACKOFF_MS, type PushHealth } from '#store/deliveries/endpoint-claims.ts';

/** Consecutive failures that open the circuit: an event that alone fails has successes in between. */
const FAILURES_TO_OPEN = 5;
/** The first, second ... backoff; the last value applies to all later ones. */
const backoffsMs: readonly number[] = [5000, 30_000, 120_000, 300_000];
/** An endpoint that has failed for five days is disabled, milliseconds. */
const DISABLE_AFTER_MS = 5 * 24 * 3_600_000;

/**
 * The health of an endpoint after an attempt, and why it is disabled if it is: a circuit breaker. Closed: events are sent. Open: nothing is sent
 * until the backoff is over. Half-open: one attempt at a time, until it succeeds. An endpoint that fails for five days is disabled.
 */
export type EndpointHealth = {
  readonly health: PushHealth;
  readonly disabledFor: 'gone' | 'failing' | undefined;
};

const healthy: PushHealth = { failures: 0, failingSince: undefined, backoffs: 0, backoffUntil: undefined };

const later = (a: Date | undefined, b: Date): Date => (a !== undefined && a > b ? a : b);

/** Returns the end of Retry-After. Only that of 429 and 503 applies to the whole endpoint; that of others, to the event. */
const retryAfterUntil = (outcome: DeliveryResult, now: Date): Date | undefined => {
  if (outcome.kind !== 'retry' || !outcome.retryAfterSeconds || ![429, 503].includes(outcome.status)) return undefined;
  return new Date(now.getTime() + outcome.retryAfterSeconds * 1000);
};

const addFailure = (before: PushHealth, outcome: DeliveryResult, now: Date): PushHealth => {
  const failures = before.failures + 1;
  // Attempts that were in progress when the circuit opened do not lengthen the backoff.
  const isOpen = before.backoffUntil !== undefined && before.backoffUntil > now;
  const opens = failures >= FAILURES_TO_OPEN && !isOpen;
  const backoffMs = backoffsMs[Math.min(before.backoffs, backoffsMs.length - 1)] ?? 0;
  const backoffUntil = opens ? later(before.backoffUntil, new Date(now.getTime() + backoffMs)) : before.backoffUntil;
  const retryAfter = retryAfterUntil(outcome, now);
  return {
    failures,
    failingSince: before.failingSince ?? now,
    backoffs: before.backoffs + (opens ? 1 : 0),
    backoffUntil: retryAfter ? later(backoffUntil, retryAfter) : backoffUntil,
  };
};

/** Returns the health of an endpoint after an attempt. */
export const updateHealth = (before: PushHealth, outcome: DeliveryResult, now: Date): EndpointHealth => {
  if (outcome.kind === 'gone') return { health: healthy, disabledFor: 'gone' };
  if (outcome.kind === 'delivered') {
    // A success among concurrent attempts does not end a backoff of another response.
    const isOpen = before.backoffUntil !== undefined && before.backoffUntil > now;
    const backoffUntil = isOpen ? before.backoffUntil : undefined;
    return { health: { ...healthy, backoffUntil }, disabledFor: undefined };
  }
  const health = addFailure(before, outcome, now);
  const failingMs = now.getTime() - (health.failingSince ?? now).getTime();
  const isDisabled = failingMs >= DISABLE_AFTER_MS && health.failures >= FAILURES_TO_OPEN;
  // A disabled endpoint that is enabled again starts healthy.
  return isDisabled ? { health: healthy, disabledFor: 'failing' } : { health, disabledFor: undefined };
};

/** Whether nothing is sent for now. A backoff that ends later than any can was written by a clock that has been set back since. */
export const isCircuitOpen = ({ backoffUntil }: PushHealth, now: Date): boolean =>
  backoffUntil !== undefined && backoffUntil > now && backoffUntil.getTime() <= now.getTime() + BEYOND_BACKOFF_MS;

/** Whether one attempt must succeed before more are made at a time. */
export const isHalfOpen = ({ failures, backoffUntil }: PushHealth): boolean =>
  backoffUntil !== undefined || failures >= FAILURES_TO_OPEN;
