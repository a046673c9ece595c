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
  { resolved = () => {}, rejected }: { readonly resolved?: () => void; readonly rejected: (error: unknown) => void },
): void => {
  const { resolve, reject } = query;
  const resolveAfter = (value: unknown): void => {
    resolved();
    resolve(value);
  };
  const rejectAfter = (error: unknown): void => {
    rejected(error);
    reject(error);
  };
  // V8 takes a function that is written where a property is set for one that stays, and lays it among what is old; so they are named first.
  query.resolve = resolveAfter;
  query.reject = rejectAfter;
};

/**
 * The rows of an answer, taken out of it. A statement of the driver sets functions of its own in that way: it is old from its beginning, and its
 * answer, with all that is in it, outlives every quick collection of what is young. A server of pages spent more than a quarter of its processor on moving rows that
 * nobody needed any more. What is large and asked for often is therefore taken.
 */
export const takeRows = <Row>(answer: Row[]): Row[] => {
  const rows: Row[] = [];
  // Not by `splice` or `slice`: the answer is of a class of the driver, for which these go member by member, at several times the price.
  for (const row of answer) rows.push(row);
  answer.length = 0;
  return rows;
};
