import postgres from 'postgres';
import { boundWaiting } from './driver/lock-timeouts.ts';
import { learnArraysOnce } from './driver/array-types.ts';
import { newListening } from './notifications.ts';
import { newSockets } from './driver/socket-timeouts.ts';
import { surviveLoss } from './driver/transaction-guard.ts';

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
 * What is asked waits for as long as it takes, also for a database that is away.
 */
export const openDatabase = ({ url, applicationName, max = 10 }: DatabaseOptions): Database =>
  open({ url, applicationName, settings: { max, idle_timeout: 300 } }).sql;

/** How long a database may answer nobody, milliseconds: what is asked of the service then is refused within two seconds. */
const PATIENCE_MS = 1400;
/** How long a question waits for its turn, milliseconds. */
const TURN_MS = 1400;
/** How long a statement waits for a lock of another one, milliseconds: nothing that goes on all day holds one for longer. */
const LOCK_MS = 500;
const MOST_WAITING = 1000;
/** The driver sends a few questions over a connection before the first of them is answered: that takes half the time of one after the other. */
const AT_ONCE_EACH = 4;

export type QuestionOptions = DatabaseOptions & {
  /** How long a statement may take while the database answers others, milliseconds. */
  readonly answerMs: number;
};

/**
 * Opens a pool for questions of people who wait: each is answered in time or rejects with an error that is `isUnavailable`, and nothing
 * of it stays behind. While the database is away they reject at once.
 */
export const openQuestions = ({ url, applicationName, max = 10, answerMs }: QuestionOptions): Database => {
  const silenceMs = answerMs + PATIENCE_MS;
  const { sql, breakOff } = open({
    url,
    applicationName,
    settings: { max, idle_timeout: 300, connect_timeout: 2 },
    parameters: { statement_timeout: answerMs, lock_timeout: LOCK_MS, idle_in_transaction_session_timeout: answerMs },
    silenceMs,
  });
  // All connections can be at work for long: a sign of life has one of its own, which is opened where somebody has waited.
  const { sql: aside, breakOff: breakOffAside } = open({
    url,
    applicationName,
    settings: { max: 1, idle_timeout: 20, connect_timeout: 2 },
    parameters: { statement_timeout: PATIENCE_MS },
    silenceMs: PATIENCE_MS,
  });
  const { unsafe, end } = sql;
  const ping = async (): Promise<void> => {
    // By then all that was asked over them has been refused.
    const late = setTimeout(() => {
      breakOffAside();
      breakOff();
    }, silenceMs);
    try {
      await aside`select 1`.catch(() => unsafe('select 1'));
    } finally {
      clearTimeout(late);
    }
  };
  Object.assign(sql, {
    end: async (options?: { readonly timeout?: number }): Promise<void> => {
      await Promise.all([end(options), aside.end({ timeout: 0 })]);
    },
  });
  const bounds = {
    patienceMs: PATIENCE_MS,
    turnMs: TURN_MS,
    answerMs,
    atOnce: AT_ONCE_EACH * max,
    mostWaiting: MOST_WAITING,
  };
  return boundWaiting(sql, bounds, ping);
};

/** Opens one connection that stays open while idle, for what is bound to a session: a presence, an advisory lock. `onClose` hears of each loss. */
export const openSession = (url: string, applicationName: string, onClose: () => void = () => {}): Database =>
  open({ url, applicationName, settings: { max: 1, idle_timeout: 0, max_lifetime: null, onclose: onClose } }).sql;

type Opening = {
  readonly url: string;
  readonly applicationName: string;
  readonly settings: postgres.Options<typeof types>;
  /** What the server is asked to keep to, by the names of its settings. */
  readonly parameters?: Readonly<Record<string, number>>;
  /** How long the server may leave something unanswered before a connection is given up, milliseconds. */
  readonly silenceMs?: number;
};

/** A pool, and how to give up all connections that it has. */
type Opened = { readonly sql: Database; readonly breakOff: () => void };

/** The driver's own sockets and listening are replaced; why is said where theirs are made. */
const open = ({ url, applicationName, settings, parameters, silenceMs }: Opening): Opened => {
  const { url: plain, path } = splitSocket(url);
  const sockets = newSockets({ path, silenceMs });
  const always = {
    connect_timeout: 10,
    // Notices are remarks such as 'relation already exists, skipping'; failures are errors.
    onnotice: () => {},
    connection: { application_name: applicationName, TimeZone: 'UTC', DateStyle: 'ISO, YMD', ...parameters },
    types,
    ...(path !== undefined && { path }),
    // A list of hosts is the driver's own affair: it tries them in turn.
    ...(!/^[^/]*\/\/[^/?#]*,/.test(url) && { socket: sockets.connect }),
  };
  const sql = postgres(plain, { ...always, backoff: sockets.pause, ...settings });
  learnArraysOnce(sql);
  const listening = newListening(({ onNotify: onnotify, onClose: onclose }) => {
    // `onnotify` is missing from the types of the driver alone.
    const session = { max: 1, idle_timeout: 0, max_lifetime: null, fetch_types: false, onnotify, onclose };
    return postgres(plain, { ...always, ...session, backoff: () => 0 });
  });
  const { end } = sql;
  const pool = surviveLoss(
    Object.assign(sql, {
      listen: listening.listen,
      end: async (options?: { readonly timeout?: number }): Promise<void> => {
        listening.end();
        await end(options);
        sockets.end();
      },
    }),
  );
  return { sql: pool, breakOff: sockets.breakOff };
};
