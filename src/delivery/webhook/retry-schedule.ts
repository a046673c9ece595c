import type { Outcome } from './outcome.ts';

const [second, minute, hour] = [1000, 60_000, 3_600_000];

/** Milliseconds to wait after the first, second ... attempt: 17 attempts within 71.7 hours, or 78.9 with all the jitter. */
export const retryWaitsMs: readonly number[] = [
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

/** A wait is lengthened by up to this share of it, so that those that failed together do not come back together. */
export const JITTER = 0.1;

export type Attempted = {
  /** Attempts that were made, this one included: 1 after the first. */
  readonly attempts: number;
  readonly now: Date;
  /** From 0 up to 1. */
  readonly random: number;
};

/** When to try again, or why not. */
export type NextAttempt = { readonly at: Date } | { readonly over: 'delivered' | 'gone' | 'exhausted' };

/**
 * What comes after an attempt. All that failed is tried again, also what looks final: a certificate is renewed, a route comes back.
 * `Retry-After` can only lengthen a wait.
 */
export const nextAttempt = (outcome: Outcome, { attempts, now, random }: Attempted): NextAttempt => {
  if (outcome.kind === 'delivered' || outcome.kind === 'gone') return { over: outcome.kind };
  const waitMs = retryWaitsMs[attempts - 1];
  if (waitMs === undefined) return { over: 'exhausted' };
  const askedMs = outcome.kind === 'retry' ? (outcome.retryAfterSeconds ?? 0) * second : 0;
  return { at: new Date(now.getTime() + Math.round(Math.max(waitMs, askedMs) * (1 + JITTER * random))) };
};
