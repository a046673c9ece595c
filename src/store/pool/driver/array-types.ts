import type postgres from 'postgres';

type Learned = Pick<postgres.Sql['options'], 'parsers' | 'serializers'>;

let arrays: Learned | undefined;

/** The array of dates, by its number: where it is known all are. */
const DATES = 1182;

/**
 * Has arrays learned once for all pools of the process. The driver (3.4.9) asks over each new connection, by a query of its own: where the
 * connection is lost just then that query fails where nobody can catch it, and the process ends. Only who reserves a connection has it asked:
 * the driver would leave him waiting for ever where the connection is a new one.
 */
export const learnArraysOnce = <Types extends Record<string, unknown>>(sql: postgres.Sql<Types>): void => {
  const { options, reserve } = sql;
  let reserving = 0;
  Object.assign(sql, {
    reserve: async () => {
      reserving += 1;
      return reserve().finally(() => {
        reserving -= 1;
      });
    },
  });
  Object.assign(options.parsers, arrays?.parsers);
  Object.assign(options.serializers, arrays?.serializers);
  Object.defineProperty(options, 'fetch_types', {
    get: () => {
      if (reserving > 0 || !(DATES in options.parsers)) return true;
      arrays ??= { parsers: options.parsers, serializers: options.serializers };
      return false;
    },
  });
};
