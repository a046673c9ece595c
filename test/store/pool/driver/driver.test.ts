import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { isUnavailable, observeQueries, openDriverPool } from '../../../../src/store/pool/driver/driver.ts';
import { openDatabase } from '../../../../src/store/pool/database.ts';
import { sharedDatabase } from '../../../support/database.ts';

const fresh = await sharedDatabase();

test('queries the array types of the catalog once for all pools, which can reserve their first connection', async () => {
  // The types that the first connection of the process queries are shared when a second one opens.
  await fresh.sql`select array['2024-12-31'::date]`;
  await fresh.sql.begin(() => fresh.sql`select 1`);
  const texts: string[] = [];
  const stop = observeQueries(fresh.sql, (text) => {
    texts.push(text);
    return undefined;
  });
  const open = () => openDatabase({ url: fresh.url, applicationName: 'flightdata-test', max: 1 });
  const pools = [open(), open()] as const;
  expect([...(await pools[0]`select array['2024-12-31'::date] as days`)]).toEqual([{ days: ['2024-12-31'] }]);
  expect(texts.filter((text) => text.includes('pg_type'))).toEqual([]);
  stop();
  const reserved = await pools[1].reserve();
  expect([...(await reserved`select array['2024-12-31'::date] as days`)]).toEqual([{ days: ['2024-12-31'] }]);
  reserved.release();
  for (const pool of pools) await pool.end();
});

test('the next connection works after a loss between a query and its scheduled write', async () => {
  const { sql, destroyConnections } = openDriverPool({
    url: fresh.url,
    applicationName: 'flightdata-test',
    // A connection without a startup message would stay so for longer than a test may take.
    settings: { max: 1, connect_timeout: 600 },
  });
  await sql`select 1`;
  const lost = sql`select 2`.then(String, (error: unknown) => error);
  // The driver has scheduled the write after a few microtasks, and writes in the next turn of the event loop.
  for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
  destroyConnections();
  expect(isUnavailable(await lost)).toBe(true);
  const query = (): Promise<unknown> => sql`select 3 as three`.then((rows) => [...rows]).catch(() => undefined);
  await expect.poll(query).toEqual([{ three: 3 }]);
  await sql.end({ timeout: 1 });
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
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(socket);
      socket.on('error', () => {});
      // A pipe does not forward a reset.
      socket.on('close', () => sockets.delete(socket) && other.destroy());
      socket.pipe(other);
    }
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
  const statements: string[] = [];
  const stop = observeQueries(fresh.sql, (text) => {
    if (text.startsWith('listen')) statements.push(text);
    return undefined;
  });
  try {
    const received: string[] = [];
    await pool.listen('days', (payload) => received.push(payload));
    await pool.listen('keys', () => {});
    proxy.stop();
    await expect.poll(() => statements.length).toBeGreaterThan(3);
    await proxy.restart();
    const notify = (): Promise<unknown> => fresh.sql`select pg_notify('days', 'again')`;
    await expect.poll(() => notify().then(() => received[0])).toBe('again');
    // One statement an attempt; the driver's own `listen` sends one for each channel and each attempt before.
    const [first, second, ...attempts] = statements;
    expect([first, second, new Set(attempts)]).toEqual([
      'listen "days"',
      'listen "keys"',
      new Set(['listen "days"; listen "keys"']),
    ]);
  } finally {
    stop();
    await pool.end({ timeout: 1 });
    proxy.stop();
  }
});
