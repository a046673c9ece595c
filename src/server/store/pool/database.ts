import type { CodelLimits } from '#lib/codel-queue.ts';
import { limitQueries, openDriverPool, type Database } from './driver/driver.ts';

export type { Database, Sql } from './driver/driver.ts';

export type DatabaseOptions = {
  /** A PostgreSQL URL over TCP, or over a unix socket as `postgres://user@/db?host=/dir` or `postgres://user@%2Fdir/db`. */
  readonly url: string;
  /** The name that the server shows for this process in `pg_stat_activity`. */
  readonly applicationName: string;
  /** The most connections that the pool opens; 10 by default. */
  readonly max?: number;
};

/**
 * Keys of the advisory locks of this service, in the two-key form with `LOCK_SPACE` as the first key: advisory locks belong to a
 * database, and another program in the same database may use small numbers too.
 */
export const LOCK_SPACE = 0x666c_6474;
export const MIGRATION_LOCK = 1;
export const SERVER_LOCK = 2;

/**
 * Opens a pool without time limits; it connects at the first query. `date` and `timestamp` are passed in both directions as the text that
 * PostgreSQL writes (`YYYY-MM-DD`, `YYYY-MM-DD HH:MM:SS`), `timestamptz` as a Date, and `int8`, hence `count(*)`, as a bigint.
 */
export const openDatabase = ({ url, applicationName, max = 10 }: DatabaseOptions): Database =>
  openDriverPool({ url, applicationName, settings: { max, idle_timeout: 300 } }).sql;

/** How long queries wait for a database that does not respond at all, milliseconds: requests are then rejected within two seconds. */
const UNRESPONSIVE_MS = 1400;
/** How long queries wait for a connection: a burst for a second, in lasting overload half of that. */
const QUEUE: CodelLimits = { targetMs: 500, intervalMs: 1000 };
/** How long a query waits behind others on its connection, milliseconds. */
const PIPELINE_MS = 1400;
/** How long a statement waits for a lock, milliseconds: nothing that runs during the day holds a lock for longer. */
const LOCK_MS = 500;
/** The driver sends a few queries over a connection before the first result (pipelining): that takes half the time of one after the other. */
const PIPELINED_PER_CONNECTION = 4;

export type LimitedDatabaseOptions = DatabaseOptions & {
  /** How long a statement may take while the database answers others, milliseconds. */
  readonly queryTimeoutMs: number;
  /** How long queries wait for a connection, by default up to a second. */
  readonly queue?: CodelLimits;
};

export type LimitedDatabase = Database & {
  /** Whether the database is unreachable for this pool, so that its queries are rejected at once. */
  readonly isAway: () => boolean;
  /** Whether queries wait for a database that may be lost, before that is certain: for up to 1.4 seconds. */
  readonly isStalled: () => boolean;
};

/**
 * Opens a pool for requests of clients: each query is answered in time or rejects with an error that is `isUnavailable`, and leaves nothing
 * behind. While the database is unreachable, queries reject at once.
 */
export const openLimitedDatabase = ({
  url,
  applicationName,
  max = 10,
  queryTimeoutMs,
  queue = QUEUE,
}: LimitedDatabaseOptions): LimitedDatabase => {
  const silenceMs = queryTimeoutMs + UNRESPONSIVE_MS;
  const { sql, destroyConnections } = openDriverPool({
    url,
    applicationName,
    settings: { max, idle_timeout: 300, connect_timeout: 2 },
    parameters: {
      statement_timeout: queryTimeoutMs,
      lock_timeout: LOCK_MS,
      idle_in_transaction_session_timeout: queryTimeoutMs,
    },
    silenceMs,
  });
  // All connections can be busy for long: probes have a connection of their own, which is opened when a query has waited.
  const { sql: probeSql, destroyConnections: destroyProbeConnection } = openDriverPool({
    url,
    applicationName,
    settings: { max: 1, idle_timeout: 20, connect_timeout: 2 },
    parameters: { statement_timeout: UNRESPONSIVE_MS },
    silenceMs: UNRESPONSIVE_MS,
  });
  const { unsafe, end } = sql;
  const probe = async (): Promise<void> => {
    // By then all queries on these connections have been rejected.
    const timer = setTimeout(() => {
      destroyProbeConnection();
      destroyConnections();
    }, silenceMs);
    try {
      await probeSql`select 1`.catch(() => unsafe('select 1'));
    } finally {
      clearTimeout(timer);
    }
  };
  Object.assign(sql, {
    end: async (options?: { readonly timeout?: number }): Promise<void> => {
      await Promise.all([end(options), probeSql.end({ timeout: 0 })]);
    },
  });
  const limits = {
    unresponsiveMs: UNRESPONSIVE_MS,
    queue,
    pipelineMs: PIPELINE_MS,
    executionMs: queryTimeoutMs,
    maxConcurrent: PIPELINED_PER_CONNECTION * max,
  };
  return limitQueries(sql, limits, probe);
};

/**
 * Opens a single connection that stays open while idle, for what belongs to a session, such as an advisory lock. `onClose` is called at
 * each loss of the connection; the next query opens another one.
 */
export const openSession = (url: string, applicationName: string, onClose: () => void = () => {}): Database =>
  openDriverPool({ url, applicationName, settings: { max: 1, idle_timeout: 0, max_lifetime: null, onclose: onClose } })
    .sql;

/** Opens a connection of a pool ahead of its first query. That the database cannot be reached is no error here. */
export const connectAhead = async (sql: Database): Promise<void> => {
  await sql`select 1`.catch(() => {});
};

/** How long a first connection may take, milliseconds. */
const FIRST_CONNECTION_MS = 4000;

/** Connects once; returns whether the database has a store, of any schema version. Rejects within four seconds. */
export const probeStore = async (url: string, applicationName: string): Promise<boolean> => {
  const { sql } = openDriverPool({
    url,
    applicationName,
    settings: { max: 1, connect_timeout: FIRST_CONNECTION_MS / 1000 },
    silenceMs: FIRST_CONNECTION_MS,
  });
  try {
    const [row] = await sql<{ exists: boolean }[]>`select to_regclass('schema_migration') is not null as exists`;
    return row?.exists ?? false;
  } finally {
    await sql.end({ timeout: 0 });
  }
};
