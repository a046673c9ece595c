import type { Context } from 'hono';
import type { Env } from '../context/env.ts';
import { unavailableProblem } from '../response/problem.ts';

/** The responses that the headers describe: those for which the contract declares them. */
const describedStatuses: ReadonlySet<number> = new Set([200, 304, 404]);

const isRead = ({ req: { method } }: Context<Env>): boolean => method === 'GET' || method === 'HEAD';

/** Returns the age of data, milliseconds; 0 when a clock was set back. */
const computeAgeMs = (now: Date, asOf: Date): number => Math.max(0, now.getTime() - asOf.getTime());

/** Whether data as of an instant may be in the response of the request. */
export const isFreshEnough = (c: Context<Env>, asOf: Date): boolean => {
  const { maxStalenessMs } = c.get('staleness');
  return maxStalenessMs > 0 && computeAgeMs(c.get('now'), asOf) <= maxStalenessMs;
};

/**
 * Records that the response may lack changes after an instant; the earliest one counts. Throws Problem `unavailable` when the data are older
 * than reads may be.
 */
export const markStale = (c: Context<Env>, asOf: Date): void => {
  if (!isRead(c)) return;
  if (!isFreshEnough(c, asOf)) throw unavailableProblem();
  const known = c.get('dataAsOf');
  if (!known || asOf < known) c.set('dataAsOf', asOf);
};

/**
 * Sets the instant as of which the data of a response are, and their age: `Age` and `Data-As-Of`. No cache may store such a response.
 */
export const setDataAge = (c: Context<Env>): void => {
  const asOf = c.get('dataAsOf');
  if (!asOf || !isRead(c) || !describedStatuses.has(c.res.status)) return;
  const headers = c.get('headers');
  const ageMs = computeAgeMs(c.get('now'), asOf) + performance.now() - c.get('startedAt');
  headers['age'] = String(Math.ceil(ageMs / 1000));
  headers['data-as-of'] = asOf.toISOString();
  headers['cache-control'] = 'no-store';
  c.get('staleness').onStale?.();
};
