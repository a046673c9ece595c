import type postgres from 'postgres';
import { newQuestionGate, type Bounds, type Question } from './question-gate.ts';

/** A query of the driver before it is sent: it hands itself to its handler, and is settled by these two. */
type Query = Promise<unknown> & {
  handler: (query: Query) => unknown;
  readonly active: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

const isQuery = (made: unknown): made is Query => made instanceof Promise && 'handler' in made && 'reject' in made;

/**
 * Bounds how long whoever asks a pool waits, and how many do: what is not answered in time rejects with `STORE_BUSY`, and while the
 * database is away every question does so at once. The driver (3.4.9) itself keeps questions for as long as it takes, and any number.
 * `ping` asks it for a sign of life, unbounded. A transaction has as much time as a question; what comes of it afterwards nobody hears.
 */
export const boundWaiting = <Types extends Record<string, unknown>>(
  sql: postgres.Sql<Types>,
  bounds: Bounds,
  ping: () => Promise<unknown>,
): postgres.Sql<Types> => {
  const { begin, unsafe } = sql;
  const gate = newQuestionGate(bounds, ping);
  const guard = <T>(made: T): T => {
    if (!isQuery(made)) return made;
    const ask = made.handler;
    // It is called once, when somebody waits for the query: parts of other queries never are.
    made.handler = (query) => {
      const { resolve, reject } = query;
      const question: Question = gate.put({ ask: () => void ask(query), isActive: () => query.active, refuse: reject });
      query.resolve = (value) => {
        gate.answered(question);
        resolve(value);
      };
      query.reject = (error) => {
        gate.failed(question, error);
        reject(error);
      };
      gate.admit(question);
    };
    return made;
  };
  const beginInTime = (...given: Parameters<typeof begin>): Promise<unknown> =>
    gate.inTime(Reflect.apply(begin, sql, given));
  // The statement by which a transaction begins is asked through this member too.
  Object.assign(sql, {
    begin: beginInTime,
    unsafe: (...given: Parameters<typeof unsafe>) => guard(Reflect.apply(unsafe, sql, given)),
  });
  return new Proxy(sql, { apply: (target, self, values) => guard<unknown>(Reflect.apply(target, self, values)) });
};
