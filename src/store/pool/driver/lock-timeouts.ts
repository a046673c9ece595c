import type postgres from 'postgres';
import { beforeSettled, isDriverQuery, type DriverQuery } from './driver-query.ts';
import { newQuestionGate, type Bounds, type Question } from '../query-limiter.ts';

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
    if (!isDriverQuery(made)) return made;
    const ask = made.handler;
    // It is called once, when somebody waits for the query: parts of other queries never are.
    const admit = (query: DriverQuery): void => {
      const { reject } = query;
      const question: Question = gate.put({ ask: () => void ask(query), isActive: () => query.active, refuse: reject });
      beforeSettled(query, {
        resolved: () => gate.answered(question),
        rejected: (error) => gate.failed(question, error),
      });
      gate.admit(question);
    };
    made.handler = admit;
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
