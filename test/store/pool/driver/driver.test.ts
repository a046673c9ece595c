import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isUnavailable, observeQueries, openDriverPool } from '../../../../src/store/pool/driver/driver.ts';
import { openDatabase } from '../../../../src/store/pool/database.ts';
import { sharedDatabase } from '../../../support/database.ts';

const fresh = await sharedDatabase();

test('queries the array types of the catalog once for all pools', async () => {
  // The types that the first connection of the process queries are shared when a second one opens.
  await fresh.sql`select array['2024-12-31'::date]`;
  await Promise.all([fresh.sql`select pg_sleep(0.1)`, fresh.sql`select 1`]);
  const texts: string[] = [];
  const stop = observeQueries(fresh.sql, (text) => {
    texts.push(text);
    return undefined;
  });
  const pool = openDatabase({ url: fresh.url, applicationName: 'flightdata-test', max: 1 });
  try {
    expect([...(await pool`select array['2024-12-31'::date] as days`)]).toEqual([{ days: ['2024-12-31'] }]);
    expect(texts.filter((text) => text.includes('pg_type'))).toEqual([]);
  } finally {
    stop();
    await pool.end();
  }
});

test('the next connection works after a loss between a query and its scheduled write', async () => {
  const { sql, destroyConnections } = openDriverPool({
    url: fresh.url,
    applicationName: 'flightdata-test',
    settings: { max: 1, connect_timeout: 1 },
  });
  try {
    await sql`select 1`;
    const lost = sql`select 2`.then(String, (error: unknown) => error);
    // The driver has scheduled the write after a few microtasks, and writes in the next turn of the event loop.
    for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
    destroyConnections();
    expect(isUnavailable(await lost)).toBe(true);
    const startedAt = performance.now();
    const query = (): Promise<unknown> => sql`select 3 as three`.then((rows) => [...rows]).catch(() => undefined);
    let result = await query();
    while (!result && performance.now() - startedAt < 2500) result = await query();
    expect(result).toEqual([{ three: 3 }]);
  } finally {
    await sql.end({ timeout: 1 });
  }
});

/** Connects to the server of a URL, which may name the folder of a unix socket. */
const connectToServer = ({ hostname, port, searchParams }: URL): Socket => {
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  const number = searchParams.get('port') ?? (port === '' ? '5432' : port);
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${number}`) : connect(Number(number), host);
};

/** Starts a TCP proxy for the database that can be stopped and restarted. */
const startProxy = async () => {
  const target = new URL(fresh.url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connectToServer(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream);
    upstream.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    stop: (): void => {
      server.close();
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    restart: async (): Promise<void> => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
};

test('attempts to listen do not pile up while the database is unreachable', async () => {
  const proxy = await startProxy();
  const { username, password, pathname } = new URL(fresh.url);
  const url = `postgres://${username}:${password}@127.0.0.1:${proxy.port}${pathname}`;
  const pool = openDatabase({ url, applicationName: 'flightdata-test', max: 1 });
  let statements = 0;
  const stop = observeQueries(fresh.sql, (text) => {
    if (text.startsWith('listen')) statements += 1;
    return undefined;
  });
  try {
    await pool.listen('days', () => {});
    await pool.listen('keys', () => {});
    proxy.stop();
    await wait(3000);
    await proxy.restart();
    // Measured: 7 with the backoff, 16 with the driver's own `listen`, whose number grows with the square of the time.
    expect(statements).toBeLessThan(12);
  } finally {
    stop();
    await pool.end({ timeout: 1 });
    proxy.stop();
  }
});
