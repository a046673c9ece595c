import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Database, Sql } from '#store/pool/database.ts';
import type { Env, ReplicaDatabase, StaleReplica } from '../context/env.ts';
import { Problem } from '../response/problem.ts';
import type { CatalogOperation } from '../router/version-lifecycle.ts';
import { markStale } from './data-as-of.ts';

/** A read replica of the database. */
export type Replica = ReplicaDatabase & {
  /** Whether it is left alone for a while, because it failed or fell behind. */
  readonly isPaused: () => boolean;
  /** Whether the replica has everything by now that the primary has. */
  readonly isUpToDate: () => Promise<boolean>;
};

/** What is known of the primary, and which replica can take its place for reads. */
export type PrimaryState = {
  /** Whether the primary did not respond to the last check. */
  readonly isAway: () => boolean;
  /**
   * Returns a replica and the instant up to which it has all changes; undefined when there is none, or when an error of the primary is not
   * about its connection.
   */
  readonly findReplica: (error?: unknown) => Promise<StaleReplica | undefined>;
};

export type ReplicaReadsOptions = {
  readonly replicas: readonly Replica[];
  /** Operations that replicas handle when they are up to date. */
  readonly fromReplica: ReadonlySet<CatalogOperation>;
  /** By default no replica takes the place of the primary. */
  readonly primary?: PrimaryState | undefined;
};

/** Reads this request from a replica that may lack the latest changes. */
const useStaleReplica = (c: Context<Env>, replica: StaleReplica): void => {
  markStale(c, replica.asOf);
  c.set('replica', replica);
};

/**
 * Selects the replica for each read, round robin. The primary handles a request whose replica has not caught up, so that a response never depends
 * on which database produced it. While the primary is away, all reads go to replicas, and their responses say as of when they are.
 *
 * @example app.use('/versions/*', replicaReads({ replicas, fromReplica: new Set() }))
 */
export const replicaReads = ({ replicas, fromReplica, primary }: ReplicaReadsOptions) => {
  let next = 0;
  /** Returns the next replica in turn that is not paused. */
  const takeTurn = (): Replica | undefined => {
    for (let tried = 0; tried < replicas.length; tried += 1) {
      const replica = replicas[next++ % replicas.length];
      if (replica && !replica.isPaused()) return replica;
    }
    return undefined;
  };
  return createMiddleware<Env>(async (c, continueRequest) => {
    if (primary) c.set('findStaleReplica', (error) => primary.findReplica(error));
    const stale = primary?.isAway() ? await primary.findReplica() : undefined;
    if (stale) useStaleReplica(c, stale);
    else if (fromReplica.has(c.get('operation')) && !primary?.isAway()) {
      const replica = takeTurn();
      if (replica && (await replica.isUpToDate())) c.set('replica', replica);
    }
    await continueRequest();
  });
};

/** Most attempts of a read on replicas that may lack changes. */
const MAX_ATTEMPTS = 3;

/** Runs a read that failed on the primary on a replica that may lack changes; throws the error of the primary when there is none. */
const readFromStaleReplica = async <T>(
  c: Context<Env>,
  read: (sql: Database) => Promise<T>,
  primaryError: unknown,
): Promise<T> => {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const replica = await c.get('findStaleReplica')?.(primaryError);
    if (!replica) break;
    useStaleReplica(c, replica);
    try {
      return await read(replica.sql);
    } catch (error) {
      if (error instanceof Problem) throw error;
      replica.reportFailure(error);
    }
  }
  throw primaryError;
};

/**
 * Runs a read on the replica of the request. Without one, or when it fails there, it runs on the primary. When the primary is unreachable, it
 * runs on a replica that may lack the latest changes.
 */
export const readFromReplica = async <T, Primary extends Sql>(
  c: Context<Env>,
  primary: Primary,
  read: (sql: Primary | Database) => Promise<T>,
): Promise<T> => {
  const replica = c.get('replica');
  if (replica) {
    try {
      return await read(replica.sql);
    } catch (error) {
      if (error instanceof Problem) throw error;
      replica.reportFailure(error);
    }
  }
  try {
    return await read(primary);
  } catch (error) {
    if (error instanceof Problem) throw error;
    return readFromStaleReplica(c, read, error);
  }
};
