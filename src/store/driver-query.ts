/** A statement as the driver (3.4.9) has it: it hands itself to its handler when somebody waits for it, and is settled by two members of its own. */
export type DriverQuery = Promise<unknown> & {
  /** Its text, in pieces between which its parameters stand. */
  readonly strings: readonly string[];
  /** It has been handed over already. */
  readonly executed: boolean;
  /** The database works on it. */
  readonly active: boolean;
  handler: (query: DriverQuery) => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

/** Whether something that a member of the driver gave is a statement, or a piece of one. */
export const isDriverQuery = (made: unknown): made is DriverQuery =>
  made instanceof Promise && 'handler' in made && 'executed' in made && 'resolve' in made && 'reject' in made;

/** Has something done just before those who wait for a statement hear how it ended, so before they can put another. */
export const beforeSettled = (
  query: DriverQuery,
  { resolved, rejected }: { readonly resolved?: () => void; readonly rejected: (error: unknown) => void },
): void => {
  const { resolve, reject } = query;
  if (resolved) {
    query.resolve = (value) => {
      resolved();
      resolve(value);
    };
  }
  query.reject = (error) => {
    rejected(error);
    reject(error);
  };
};
