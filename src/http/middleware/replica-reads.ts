import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Sql } from '#store/pool/database.ts';
import type { Env, ReplicaDatabase } from '../context/env.ts';
import { Problem } from '../response/problem.ts';

/** A read replica of the database. */
export type Replica = ReplicaDatabase & {
  /** Whether the replica has everything by now that the primary has. */
  readonly isUpToDate: () => Promise<boolean>;
};

/**
 * Selects the replica for each read, round robin. The primary handles a request whose replica has not caught up, so that a response never depends
 * on which database produced it.
 *
 * @example app.use('/versions/*', replicaReads(replicas, (c) => c.get('product') === 'schedules'))
 */
export const replicaReads = (replicas: readonly Replica[], isRead: (c: Context<Env>) => boolean) => {
  let next = 0;
  return createMiddleware<Env>(async (c, continueRequest) => {
    const replica =
      ['GET', 'HEAD'].includes(c.req.method) && isRead(c) ? replicas[next++ % replicas.length] : undefined;
    if (replica && (await replica.isUpToDate())) c.set('replica', replica);
    await continueRequest();
  });
};

/** Runs a read on the replica of the request. Without one, or when it fails there, it runs on the primary. */
export const readFromReplica = async <T>(c: Context<Env>, primary: Sql, read: (sql: Sql) => Promise<T>): Promise<T> => {
  const replica = c.get('replica');
  if (!replica) return read(primary);
  try {
    return await read(replica.sql);
  } catch (error) {
    if (error instanceof Problem) throw error;
    replica.reportFailure(error);
    return read(primary);
  }
};
