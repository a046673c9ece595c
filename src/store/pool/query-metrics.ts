import type { Sql } from './database.ts';
import { beforeSettled, isDriverQuery, type DriverQuery } from './driver/driver-query.ts';

/** Told of the text of a query when it begins; answers what is to be told when it ends. */
export type OnQuery = (text: string) => ((error?: unknown) => void) | undefined;

/** Parameters stay out: the text has their places. */
const textOf = ({ strings }: DriverQuery): string => strings.join('?').replaceAll(/\s+/g, ' ').trim();

let watched: OnQuery | undefined;

const watchOne = (query: unknown): void => {
  if (!watched || !isDriverQuery(query) || query.executed) return;
  const onEnd = watched(textOf(query));
  if (!onEnd) return;
  beforeSettled(query, { resolved: onEnd, rejected: onEnd });
};

/**
 * Tells of each query of this process, in whatever transaction, from now on. The driver (3.4.9) has no hook for it: all of its queries begin
 * in one method of their class, which is wrapped. Costs nothing where it is not called. Answers how to stop.
 */
export const watchQueries = (sql: Sql, onQuery: OnQuery): (() => void) => {
  const isWrapped = watched !== undefined;
  watched = onQuery;
  const stop = (): void => {
    watched = undefined;
  };
  // Made, and never put to the database.
  const query: object = sql.unsafe('');
  const shared: unknown = Object.getPrototypeOf(query);
  if (isWrapped || wrapped.has(query.constructor) || typeof shared !== 'object' || shared === null) return stop;
  const begin: unknown = Reflect.get(shared, 'handle');
  if (typeof begin !== 'function') throw new Error('the driver has no such method as handle any more');
  wrapped.add(query.constructor);
  Reflect.set(shared, 'handle', function handle(this: unknown): unknown {
    watchOne(this);
    const begun: unknown = Reflect.apply(begin, this, []);
    return begun;
  });
  return stop;
};

const wrapped = new WeakSet<object>();
