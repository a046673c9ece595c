import { setImmediate as nextTurn } from 'node:timers/promises';
import type postgres from 'postgres';
import { isConnectionLost, isServerEnding } from './database-errors.ts';
import { isPendingQuery, onSettle } from './pending-query.ts';

type TransactionBody<Types extends Record<string, unknown>> = (sql: postgres.TransactionSql<Types>) => unknown;

/** Thrown, with the driver's own code, when a statement is issued on a connection that is lost. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly code = 'CONNECTION_CLOSED';
}

/** Wraps a transaction so that every statement goes through `issue`, also those of `unsafe`. */
const guardStatements = <Types extends Record<string, unknown>>(
  transaction: postgres.TransactionSql<Types>,
  issue: (statement: () => unknown) => unknown,
): postgres.TransactionSql<Types> =>
  new Proxy(transaction, {
    apply: (target, self, values) => issue((): unknown => Reflect.apply(target, self, values)),
    get: (target, name): unknown => {
      const member: unknown = Reflect.get(target, name);
      return name === 'unsafe' && typeof member === 'function'
        ? (...values: readonly unknown[]) => issue((): unknown => Reflect.apply(member, target, values))
        : member;
    },
  });

/**
 * Guards transactions against the loss of their connection. The driver (3.4.9) writes the `rollback`, or the next statement, to a socket that
 * is null, in a timer, where nothing can catch the error: the process exits. Here no statement reaches the driver after the loss; the body
 * gets an error at once, and `begin` rejects with the loss.
 */
export const guardTransactions = <Types extends Record<string, unknown>>(
  sql: postgres.Sql<Types>,
): postgres.Sql<Types> => {
  const { begin } = sql;
  const beginOnce = async (options: string, body: TransactionBody<Types>): Promise<unknown> => {
    let lost = false;
    const issue = (statement: () => unknown): unknown => {
      if (lost) throw new ConnectionLost('the connection of this transaction was lost');
      const query = statement();
      if (isPendingQuery(query)) {
        onSettle(query, {
          rejected: (error) => {
            lost ||= isConnectionLost(error);
          },
        });
      }
      return query;
    };
    const done = begin(options, async (transaction) => {
      // After a loss `begin` has already rejected; settling here too would make the driver write to the lost socket.
      const unlessLost = <T>(settle: () => T): T | Promise<never> => (lost ? new Promise<never>(() => {}) : settle());
      try {
        const value = await body(guardStatements(transaction, issue));
        return await unlessLost(() => ({ value }));
      } catch (error) {
        // A statement fails with its socket, but the loss is known only when the socket closes: in the same turn of the event loop or the next.
        // A `rollback` issued in between stays in the driver's write buffer, which then blocks the startup message of the next connection.
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
  const beginGuarded = async (
    ...given: readonly [TransactionBody<Types>] | readonly [string, TransactionBody<Types>]
  ): Promise<unknown> => {
    const [options, body] = given.length === 1 ? ['', given[0]] : given;
    let hasBegun = false;
    const markBegun: TransactionBody<Types> = (transaction) => {
      hasBegun = true;
      return body(transaction);
    };
    try {
      return await beginOnce(options, markBegun);
    } catch (error) {
      // The driver keeps the last error of a connection that the server ended, and rejects the first query after the reconnect with it.
      if (hasBegun || !isServerEnding(error)) throw error;
      return await beginOnce(options, markBegun);
    }
  };
  return Object.assign(sql, { begin: beginGuarded });
};
