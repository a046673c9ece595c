import type { Outcome } from '../../delivery/webhook/outcome.ts';
import { BEYOND_REST_MS, type PushHealth } from '../../store/deliveries/push-progress.ts';

/** An endpoint rests after so many failures in a row: what fails for one event alone has successes in between. */
export const FAILURES_TO_REST = 5;
/** Its first, second ... rest, and all after these, milliseconds. */
export const restsMs: readonly number[] = [5000, 30_000, 120_000, 300_000];
/** Nothing more is sent to what has failed for so long: five days, milliseconds. */
export const FAILING_MS = 5 * 24 * 3_600_000;

/** How an endpoint stands after an attempt: its health, and why nothing more is sent to it. */
export type AfterAttempt = {
  readonly health: PushHealth;
  readonly disabledFor: 'gone' | 'failing' | undefined;
};

const later = (a: Date | undefined, b: Date): Date => (a !== undefined && a > b ? a : b);

/** When a receiver asked to be left alone until; only 429 and 503 speak of more than the one event. */
const askedUntil = (outcome: Outcome, now: Date): Date | undefined => {
  if (outcome.kind !== 'retry' || !outcome.retryAfterSeconds || ![429, 503].includes(outcome.status)) return undefined;
  return new Date(now.getTime() + outcome.retryAfterSeconds * 1000);
};

const afterFailure = (before: PushHealth, outcome: Outcome, now: Date): PushHealth => {
  const failures = before.failures + 1;
  const failingSince = before.failingSince ?? now;
  const asked = askedUntil(outcome, now);
  // Attempts that were under way when a rest began do not lengthen it.
  const isResting = before.restsUntil !== undefined && before.restsUntil > now;
  const isWorn = failures >= FAILURES_TO_REST && !isResting;
  const restMs = restsMs[Math.min(before.rests, restsMs.length - 1)] ?? 0;
  const worn = isWorn ? later(before.restsUntil, new Date(now.getTime() + restMs)) : before.restsUntil;
  return {
    failures,
    failingSince,
    rests: before.rests + (isWorn ? 1 : 0),
    restsUntil: asked ? later(worn, asked) : worn,
  };
};

const untroubled: PushHealth = { failures: 0, failingSince: undefined, rests: 0, restsUntil: undefined };

/** What an attempt says of the endpoint as a whole. */
export const afterAttempt = (before: PushHealth, outcome: Outcome, now: Date): AfterAttempt => {
  if (outcome.kind === 'gone') return { health: untroubled, disabledFor: 'gone' };
  if (outcome.kind === 'delivered') {
    // One that succeeds beside others does not end the rest that these were asked for.
    const restsUntil = before.restsUntil !== undefined && before.restsUntil > now ? before.restsUntil : undefined;
    return { health: { ...untroubled, restsUntil }, disabledFor: undefined };
  }
  const health = afterFailure(before, outcome, now);
  const failingMs = now.getTime() - (health.failingSince ?? now).getTime();
  const isOver = failingMs >= FAILING_MS && health.failures >= FAILURES_TO_REST;
  // Nothing counts against what is disabled: once it is enabled again it starts afresh.
  return isOver ? { health: untroubled, disabledFor: 'failing' } : { health, disabledFor: undefined };
};

/** Whether nothing is sent to an endpoint for now. */
export const isAtRest = ({ restsUntil }: PushHealth, now: Date): boolean =>
  restsUntil !== undefined && restsUntil > now && restsUntil.getTime() <= now.getTime() + BEYOND_REST_MS;

/** Whether one attempt has to show first that it can be sent to again. */
export const isOnProbe = ({ failures, restsUntil }: PushHealth): boolean =>
  restsUntil !== undefined || failures >= FAILURES_TO_REST;
