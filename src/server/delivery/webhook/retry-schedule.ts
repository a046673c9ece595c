import type { DeliveryResult } from './delivery-result.ts';

const [second, minute, hour] = [1000, 60_000, 3_600_000];

/** Delays after the first, second ... attempt: 17 attempts within 71.7 hours, or 78.9 with maximum jitter. */
export const retryDelaysMs: readonly number[] = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  ...Array.from({ length: 8 }, () => 8 * hour),
];

/** A delay is lengthened by up to this share, so that deliveries that failed together are not retried together. */
export const JITTER = 0.1;

export type AttemptState = {
  /** Number of attempts made, including this one: 1 after the first. */
  readonly attempts: number;
  readonly now: Date;
  /** From 0 up to 1. */
  readonly random: number;
};

/** When the next attempt is due, or why there is none. */
export type NextAttempt = { readonly at: Date } | { readonly over: 'delivered' | 'gone' | 'exhausted' };

/**
 * Schedules the next attempt. All failures are retried, also seemingly permanent ones: certificates are renewed, routes come back. `Retry-After` can
 * only lengthen a delay.
 */
export const scheduleNextAttempt = (result: DeliveryResult, { attempts, now, random }: AttemptState): NextAttempt => {
  if (result.kind === 'delivered' || result.kind === 'gone') return { over: result.kind };
  const delayMs = retryDelaysMs[attempts - 1];
  if (delayMs === undefined) return { over: 'exhausted' };
  const retryAfterMs = result.kind === 'retry' ? (result.retryAfterSeconds ?? 0) * second : 0;
  return { at: new Date(now.getTime() + Math.round(Math.max(delayMs, retryAfterMs) * (1 + JITTER * random))) };
};
