import { FlightDataConnectionError, FlightDataProblem } from './problem.ts';

/** Waits between attempts, milliseconds: twice as long each time, between half and all of it by chance. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** How long to wait after so many failures in a row before this one, milliseconds; `random` is from 0 on, less than 1. */
export const backoffMs = (failures: number, random: number): number =>
  Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures, 10), LONGEST_WAIT_MS) * (0.5 + random / 2);

/** Whether a request can be sent twice and be done once (RFC 9110, 9.2.2). */
export const isRepeatable = (method: string, headers: Headers): boolean =>
  ['GET', 'HEAD', 'PUT', 'DELETE'].includes(method) || headers.has('idempotency-key');

/**
 * Whether to send a request again after a failure. A 429 was refused before anything was done. After a 503 or without an answer nobody
 * knows, so that only what can be repeated is.
 */
export const isWorthRepeating = (error: unknown, canRepeat: boolean): boolean => {
  if (error instanceof FlightDataProblem) return error.status === 429 || (error.status === 503 && canRepeat);
  return error instanceof FlightDataConnectionError && error.failure !== 'unreadable' && canRepeat;
};
