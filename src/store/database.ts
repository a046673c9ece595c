import postgres from 'postgres';
import { connectPromptly } from './prompt-socket.ts';
import { surviveLoss } from './survive-loss.ts';

/** The types the driver is taught, by the names under which it offers them (`sql.types.bigint(1n)`). */
type Types = { readonly date: string; readonly timestamp: string; readonly bigint: bigint };

/** Anything that runs queries: the pool, or a transaction on one of its connections. Query functions ask for this. */
export type Sql = postgres.ISql<Types>;

/** The pool itself, which can also begin transactions, reserve a connection, listen, and end. */
export type Database = postgres.Sql<Types>;

export type DatabaseOptions = {
  /** A PostgreSQL URL over TCP, or over a unix socket as `postgres://user@/db?host=/dir` or `postgres://user@%2Fdir/db`. */
  readonly url: string;
  /** What the server shows of this process in `pg_stat_activity`. */
  readonly applicationName: string;
  /** The most connections the pool opens at once; 10 when not given. */
  readonly max?: number;
};

/**
 * Numbers of the advisory locks this service takes, in the two-key form whose first key is `LOCK_SPACE`: locks belong to a
 * database, and another program in the same one may use small numbers too.
 */
export const LOCK_SPACE = 0x666c_6474;
export const MIGRATION_LOCK = 1;
export const SERVER_LOCK = 2;

/** A wall-clock value has no zone, so it must pass through as text: a Date would be shifted by the zone of this process. */
const asText = (oid: number) => ({
  to: oid,
  from: [oid],
  serialize: (value: string): string => {
    if (typeof value !== 'string') throw new TypeError(`a date or timestamp is passed as text, not as ${typeof value}`);
    return value;
  },
  parse: (text: string): string => text,
});

const types = {
  date: asText(1082),
  timestamp: asText(1114),
  bigint: {
    to: 20,
    from: [20],
    serialize: (value: bigint | number | string): string => value.toString(),
    parse: (text: string): bigint => BigInt(text),
  },
};

/** The driver knows sockets as a path only; the two usual ways to write one in a URL would reach it as a host name. */
const splitSocket = (url: string): { readonly url: string; readonly path?: string } => {
  if (!/[?&]host=(%2f|\/)/i.test(url) && !/^[^/]*\/\/([^/?#@]*@)?%2f/i.test(url)) return { url };
  // A user before an empty host is common for sockets, and no URL to the parser.
  const parsed = new URL(url.replace(/^([^/]*\/\/[^/?#]*@)(?=\/)/, '$1localhost'));
  const directory = parsed.searchParams.get('host') ?? decodeURIComponent(parsed.hostname);
  const port = parsed.searchParams.get('port') ?? (parsed.port || '5432');
  parsed.searchParams.delete('host');
  parsed.searchParams.delete('port');
  parsed.hostname = 'localhost';
  return { url: parsed.toString(), path: `${directory}/.s.PGSQL.${port}` };
};

/**
 * Opens a pool; it connects at the first query. `date` and `timestamp` go in and out as the text PostgreSQL writes
 * (`YYYY-MM-DD`, `YYYY-MM-DD HH:MM:SS`), `timestamptz` as a Date, and `int8`, hence `count(*)`, as a bigint.
 */
export const openDatabase = ({ url, applicationName, max = 10 }: DatabaseOptions): Database =>
  open(url, { max, idle_timeout: 300 }, applicationName);

/** Opens one connection that stays open while idle, for what is bound to a session: a presence, an advisory lock. `onClose` hears of each loss. */
export const openSession = (url: string, applicationName: string, onClose: () => void = () => {}): Database =>
  open(url, { max: 1, idle_timeout: 0, max_lifetime: null, onclose: onClose }, applicationName);

const open = (url: string, options: postgres.Options<typeof types>, applicationName: string): Database => {
  const { url: plain, ...socket } = splitSocket(url);
  const sql = postgres(plain, {
    connect_timeout: 10,
    // The driver's own waits grow to 20 s; a server that is restarted is back within two.
    backoff: (attempts: number) => Math.min(0.05 * 2 ** attempts, 2),
    // Notices are remarks such as 'relation already exists, skipping'; failures are errors.
    onnotice: () => {},
    connection: { application_name: applicationName, TimeZone: 'UTC', DateStyle: 'ISO, YMD' },
    types,
    // A list of hosts is the driver's own affair: it tries them in turn.
    ...(socket.path === undefined && !/^[^/]*\/\/[^/?#]*,/.test(url) && { socket: connectPromptly }),
    ...socket,
    ...options,
  });
  return surviveLoss(sql);
};
