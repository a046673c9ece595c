import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Env } from '../context/env.ts';
import { unavailableProblem } from '../response/problem.ts';

/** The responses that the headers describe: those for which the contract declares them. */
const describedStatuses: ReadonlySet<number> = new Set([200, 304, 404]);

const isRead = ({ req: { method } }: Context<Env>): boolean => method === 'GET' || method === 'HEAD';

/** Returns the age of data, milliseconds; 0 when a clock was set back. */
const computeAgeMs = (now: Date, asOf: Date): number => Math.max(0, now.getTime() - asOf.getTime());

/** Whether data as of an instant may be in the response of the request. */
export const isFreshEnough = (c: Context<Env>, asOf: Date): boolean =>
  c.get('maxStalenessMs') > 0 && computeAgeMs(c.get('now'), asOf) <= c.get('maxStalenessMs');

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

export type DataAsOfOptions = {
  /** How old data may be in responses while the primary database is unreachable, milliseconds; 0 rejects such requests. */
  readonly maxStalenessMs: number;
  /** Whether an error means that the primary is unreachable; by default none does. */
  readonly isOutage?: ((error: unknown) => boolean) | undefined;
  /** Called for each response from a replica or a cache while the primary is unreachable. */
  readonly onStale?: (() => void) | undefined;
};

/**
 * Adds the instant as of which the data of a response are, when that is not now: `Age` and `Data-As-Of`. No cache may store such a response.
 *
 * @example app.use('/versions/*', dataAsOf({ maxStalenessMs: 60_000 }))
 */
export const dataAsOf = ({ maxStalenessMs, isOutage = () => false, onStale }: DataAsOfOptions) =>
  createMiddleware<Env>(async (c, next) => {
    c.set('maxStalenessMs', maxStalenessMs);
    c.set('isOutage', isOutage);
    const startedAt = performance.now();
    await next();
    const asOf = c.get('dataAsOf');
    if (!asOf || !isRead(c) || !describedStatuses.has(c.res.status)) return;
    const headers = c.get('headers');
    const ageMs = computeAgeMs(c.get('now'), asOf) + performance.now() - startedAt;
    headers['age'] = String(Math.ceil(ageMs / 1000));
    headers['data-as-of'] = asOf.toISOString();
    headers['cache-control'] = 'no-store';
    onStale?.();
  });
