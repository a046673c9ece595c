import type postgres from 'postgres';

type ArrayTypes = Pick<postgres.Sql['options'], 'parsers' | 'serializers'>;

let shared: ArrayTypes | undefined;
/** The pools that were opened before the array types were known: the first connection of one of them queries them. */
const early = new Set<ArrayTypes>();

/** The object identifier of the array type `date[]`. When its parser is known, all array types are. */
const DATE_ARRAY = 1182;

/**
 * Shares the array types of the catalog among all pools of the process, so that only the first connection queries them. The driver does so on
 * each new connection, and nothing catches a failure of that query. `reserve` keeps the query: without it, it never resolves on a new connection.
 */
export const shareArrayTypes = <Types extends Record<string, unknown>>(sql: postgres.Sql<Types>): void => {
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
  const hasTypes = ({ parsers }: ArrayTypes): boolean => DATE_ARRAY in parsers;
  if (!shared) early.add(options);
  Object.defineProperty(options, 'fetch_types', {
    get: () => {
      shared ??= [...early].find(hasTypes);
      if (shared) early.clear();
      if (shared && !hasTypes(options)) {
        Object.assign(options.parsers, shared.parsers);
        Object.assign(options.serializers, shared.serializers);
      }
      return reserving > 0 || !hasTypes(options);
    },
  });
};
