import { setImmediate as nextTurn } from 'node:timers/promises';
import type postgres from 'postgres';
import { beforeSettled, isDriverQuery } from './driver-query.ts';
import { isConnectionLost, isServerEnding } from '../unavailable.ts';

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
  const once = async (options: string, work: Work<Types>): Promise<unknown> => {
    let lost = false;
    const put = (statement: () => unknown): unknown => {
      if (lost) throw new ConnectionLost('the connection of this transaction was lost');
      const made = statement();
      if (isDriverQuery(made)) {
        beforeSettled(made, {
          rejected: (error) => {
            lost ||= isConnectionLost(error);
          },
        });
      }
      return made;
    };
    const guarded = (transaction: postgres.TransactionSql<Types>): postgres.TransactionSql<Types> =>
      new Proxy(transaction, {
        apply: (target, self, values) => put((): unknown => Reflect.apply(target, self, values)),
        get: (target, name): unknown => {
          const member: unknown = Reflect.get(target, name);
          return name === 'unsafe' && typeof member === 'function'
            ? (...values: readonly unknown[]) => put((): unknown => Reflect.apply(member, target, values))
            : member;
        },
      });
    const done = begin(options, async (transaction) => {
      // `begin` has rejected already when the connection is lost; to settle here too would have the driver write to it.
      const unlessLost = <T>(settle: () => T): T | Promise<never> => (lost ? new Promise<never>(() => {}) : settle());
      try {
        const value = await work(guarded(transaction));
        return await unlessLost(() => ({ value }));
      } catch (error) {
        // A statement fails as soon as its socket does, and the loss is known when that is closed: at the end of the same turn or the next.
        // A `rollback` that is begun between the two stays in the driver, which then never greets the server over that connection again.
        await nextTurn();
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
  const lasting = async (...given: readonly [Work<Types>] | readonly [string, Work<Types>]): Promise<unknown> => {
    const [options, work] = given.length === 1 ? ['', given[0]] : given;
    let hasBegun = false;
    const begun: Work<Types> = (transaction) => {
      hasBegun = true;
      return work(transaction);
    };
    try {
      return await once(options, begun);
    } catch (error) {
      // The driver keeps what a server said last when it ended a connection, and gives it to whoever uses that connection next, once it has connected anew.
      if (hasBegun || !isServerEnding(error)) throw error;
      return await once(options, begun);
    }
  };
  return Object.assign(sql, { begin: lasting });
};
