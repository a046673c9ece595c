import { FlightDataConnectionError, FlightDataProblem } from './problem.ts';

/** Exponential backoff with jitter: doubled after each failure, times a random factor of 0.5 to 1. */
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** Returns the delay before a retry in milliseconds. `failures` counts earlier failures in a row; `random` is in [0, 1). */
export const computeBackoffMs = (failures: number, random: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** Math.min(failures, 10), MAX_DELAY_MS) * (0.5 + random / 2);

/** Returns whether a request is idempotent (RFC 9110, 9.2.2), also by an `Idempotency-Key`. */
export const isIdempotent = (method: string, headers: Headers): boolean =>
  ['GET', 'HEAD', 'PUT', 'DELETE'].includes(method) || headers.has('idempotency-key');

/**
 * Returns whether to retry after an error. A 429 is rejected before it has effects. After a 503 or without a response the effects are
 * unknown, so only idempotent requests are retried.
 */
export const isRetryable = (error: unknown, canRetry: boolean): boolean => {
  if (error instanceof FlightDataProblem) return error.status === 429 || (error.status === 503 && canRetry);
  return error instanceof FlightDataConnectionError && error.failure !== 'unreadable' && canRetry;
};
