import { setImmediate as nextTurn } from 'node:timers/promises';
import type postgres from 'postgres';

type Work<Types extends Record<string, unknown>> = (sql: postgres.TransactionSql<Types>) => unknown;

/** Rejects like the driver itself when a statement is put to a connection that is no more. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly code = 'CONNECTION_CLOSED';
}

/**
 * Lets a process outlive the loss of a connection in the middle of a transaction. The driver (3.4.9) writes the `rollback`, or
 * whatever statement comes next, to a socket it no longer has, from a timer, where nobody can catch it. So no statement
 * reaches a transaction whose connection is lost: the work is told at once, and `begin` rejects with the loss.
 */
export const surviveLoss = <Types extends Record<string, unknown>>(sql: postgres.Sql<Types>): postgres.Sql<Types> => {
  const { begin } = sql;
  const lasting = async (...given: readonly [Work<Types>] | readonly [string, Work<Types>]): Promise<unknown> => {
    const [options, work] = given.length === 1 ? ['', given[0]] : given;
    let lost = false;
    const guarded = (transaction: postgres.TransactionSql<Types>): postgres.TransactionSql<Types> =>
      new Proxy(transaction, {
        apply: (target, self, values) => {
          if (lost) throw new ConnectionLost('the connection of this transaction was lost');
          return Reflect.apply(target, self, values) as unknown;
        },
      });
    const done = begin(options, async (transaction) => {
      // `begin` has rejected already when the connection is lost; to settle here too would have the driver write to it.
      const unlessLost = <T>(settle: () => T): T | Promise<never> => (lost ? new Promise<never>(() => {}) : settle());
      try {
        const value = await work(guarded(transaction));
        return await unlessLost(() => ({ value }));
      } catch (error) {
        // A loss is known one turn after the statement that was under way has failed.
        await nextTurn();
        return await unlessLost(() => {
          throw error;
        });
      }
    });
    done.catch(() => {
      lost = true;
    });
    return (await done).value;
  };
  return Object.assign(sql, { begin: lasting });
};
