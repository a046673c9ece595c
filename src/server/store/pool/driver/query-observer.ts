import { isPendingQuery, onSettle, type PendingQuery } from './pending-query.ts';
import type { Sql } from './values.ts';

/** Called with the text of a query when it starts; returns what to call when it ends. */
export type OnQuery = (text: string) => ((error?: unknown) => void) | undefined;

/** Returns the text with placeholders: parameters are never observed. */
const formatQueryText = ({ strings }: PendingQuery): string => strings.join('?').replaceAll(/\s+/g, ' ').trim();

let observer: OnQuery | undefined;

const observe = (query: unknown): void => {
  if (!observer || !isPendingQuery(query) || query.executed) return;
  const onEnd = observer(formatQueryText(query));
  if (!onEnd) return;
  onSettle(query, { resolved: onEnd, rejected: onEnd });
};

const wrapped = new WeakSet<object>();

/**
 * Observes every query of this process, in all pools and transactions. Returns a function that stops. The driver (3.4.9) has no hook for this,
 * but all its queries start in one method of their class, which is wrapped. Costs nothing until it is called.
 */
export const observeQueries = (sql: Sql, onQuery: OnQuery): (() => void) => {
  const isWrapped = observer !== undefined;
  observer = onQuery;
  const stop = (): void => {
    observer = undefined;
  };
  // Only created, to get at its class; it is never sent.
  const query: object = sql.unsafe('');
  const prototype: unknown = Object.getPrototypeOf(query);
  if (isWrapped || wrapped.has(query.constructor) || typeof prototype !== 'object' || prototype === null) return stop;
  const start: unknown = Reflect.get(prototype, 'handle');
  if (typeof start !== 'function') throw new Error('the driver no longer has the method handle');
  wrapped.add(query.constructor);
  Reflect.set(prototype, 'handle', function handle(this: unknown): unknown {
    observe(this);
    const started: unknown = Reflect.apply(start, this, []);
    return started;
  });
  return stop;
};
