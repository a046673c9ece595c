/** A query object of the driver (3.4.9), by the members that the patches use. It calls its handler when it is first awaited. */
export type PendingQuery = Promise<unknown> & {
  /** The text, split at the parameters. */
  strings: readonly string[];
  /** The values of the parameters. */
  args: readonly unknown[];
  /** The text and the parameters that were sent; undefined before. */
  string?: string | undefined;
  parameters?: readonly unknown[] | undefined;
  /** Whether it has been passed to its handler. */
  readonly executed: boolean;
  /** Whether the database is executing it. */
  readonly active: boolean;
  /** The connection to which it was written; null before. */
  readonly state: unknown;
  handler: (query: PendingQuery) => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

/** Returns whether a value returned by the driver is a query or a fragment of one. */
export const isPendingQuery = (value: unknown): value is PendingQuery =>
  value instanceof Promise && 'handler' in value && 'executed' in value && 'resolve' in value && 'reject' in value;

const nothing: readonly string[] = [];
const ignore = (): void => {};

/**
 * Drops what a settled query refers to. The driver assigns functions to each query that V8 allocates in the old generation: until the next full
 * collection they keep the query alive, and every minor collection copied the statements, values and callbacks of all queries since.
 */
const release = (query: PendingQuery): void => {
  query.strings = nothing;
  query.args = nothing;
  query.string = undefined;
  query.parameters = undefined;
  query.handler = ignore;
  query.resolve = ignore;
  query.reject = ignore;
};

/**
 * Adds callbacks that run before those who await the query continue, and so before they can send another one. With `retried`, a rejection for
 * which it returns true has no effect: the query was sent again.
 */
export const onSettle = (
  query: PendingQuery,
  {
    resolved = () => {},
    rejected,
    retried,
  }: {
    readonly resolved?: () => void;
    readonly rejected: (error: unknown) => void;
    readonly retried?: (error: unknown) => boolean;
  },
): void => {
  const { resolve, reject } = query;
  const resolveAfter = (value: unknown): void => {
    resolved();
    resolve(value);
    release(query);
  };
  const rejectAfter = (error: unknown): void => {
    if (retried?.(error) === true) return;
    rejected(error);
    reject(error);
    release(query);
  };
  // Named first: V8 allocates a function literal that is assigned to a property in the old generation, and with it all that the query references.
  query.resolve = resolveAfter;
  query.reject = rejectAfter;
};
