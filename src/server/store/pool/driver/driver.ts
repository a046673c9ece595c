import postgres from 'postgres';
import { shareArrayTypes } from './array-types.ts';
import { NotificationListener } from './notifications.ts';
import { createPoolSockets } from './socket-timeouts.ts';
import { guardTransactions } from './transaction-guard.ts';
import { valueTypes, type Database } from './values.ts';

// The only entrance to this folder: the rest of the program imports the driver and its workarounds from here. README.md lists them.
export { copyRows, copyText } from './copy-rows.ts';
export { isOverloaded, isUnavailable, isUnreachable, isWriteFailure } from './database-errors.ts';
export { limitQueries } from './query-limiter.ts';
export { observeQueries } from './query-observer.ts';
export { joinTexts, takeRows, type Database, type Sql } from './values.ts';

export type DriverPoolOptions = {
  readonly url: string;
  readonly applicationName: string;
  /** Options of the driver, such as the most connections. */
  readonly settings: postgres.Options<typeof valueTypes>;
  /** Parameters of each server session, by their names in PostgreSQL. */
  readonly parameters?: Readonly<Record<string, number>>;
  /** How long the server may leave a query unanswered before its connection is destroyed, milliseconds. */
  readonly silenceMs?: number;
};

export type DriverPool = {
  readonly sql: Database;
  /** Destroys all open connections; the pool opens new ones. */
  readonly destroyConnections: () => void;
};

/** Splits the two usual notations of a unix socket out of a URL: the driver would take the directory for a host name. */
export const splitSocketPath = (url: string): { readonly url: string; readonly path?: string } => {
  if (!/[?&]host=(%2f|\/)/i.test(url) && !/^[^/]*\/\/([^/?#@]*@)?%2f/i.test(url)) return { url };
  // A user before an empty host is common for sockets, but the URL parser rejects it.
  const parsed = new URL(url.replace(/^([^/]*\/\/[^/?#]*@)(?=\/)/, '$1localhost'));
  const directory = parsed.searchParams.get('host') ?? decodeURIComponent(parsed.hostname);
  const port = parsed.searchParams.get('port') ?? (parsed.port || '5432');
  parsed.searchParams.delete('host');
  parsed.searchParams.delete('port');
  parsed.hostname = 'localhost';
  return { url: parsed.toString(), path: `${directory}/.s.PGSQL.${port}` };
};

/** Opens a pool of the driver with all workarounds but `limitQueries`; it connects at the first query. */
export const openDriverPool = ({
  url,
  applicationName,
  settings,
  parameters,
  silenceMs,
}: DriverPoolOptions): DriverPool => {
  const { url: plainUrl, path } = splitSocketPath(url);
  const sockets = createPoolSockets({ path, silenceMs });
  const common = {
    connect_timeout: 10,
    // Notices such as 'relation already exists, skipping' are of no interest; failures are errors.
    onnotice: () => {},
    connection: { application_name: applicationName, TimeZone: 'UTC', DateStyle: 'ISO, YMD', ...parameters },
    types: valueTypes,
    ...(path !== undefined && { path }),
    // With several hosts the driver connects itself, because it tries one after the other.
    ...(!/^[^/]*\/\/[^/?#]*,/.test(url) && { socket: sockets.connect }),
  };
  const sql = postgres(plainUrl, { ...common, backoff: sockets.reconnectDelay, ...settings });
  shareArrayTypes(sql);
  const listener = new NotificationListener(({ onNotify: onnotify, onClose: onclose }) => {
    // `onnotify` exists; only the types of the driver lack it.
    const session = { max: 1, idle_timeout: 0, max_lifetime: null, fetch_types: false, onnotify, onclose };
    return postgres(plainUrl, { ...common, ...session, backoff: () => 0 });
  });
  const { end } = sql;
  const pool = guardTransactions(
    Object.assign(sql, {
      listen: listener.listen.bind(listener),
      end: async (options?: { readonly timeout?: number }): Promise<void> => {
        listener.close();
        await end(options);
        sockets.close();
      },
    }),
  );
  return { sql: pool, destroyConnections: sockets.destroyAll };
};
