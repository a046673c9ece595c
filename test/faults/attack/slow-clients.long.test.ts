/*
 * Slow clients that hold connections: trickled headers and bodies, responses read a few bytes at a time, silent connections. The short
 * form uses limits of one to two seconds; SLOW_CLIENTS=1000 runs that many of each kind against the default limits (two minutes a
 * round, SLOW_ROUNDS rounds).
 */
import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { getDefaultConnectionLimits, type ConnectionLimits } from '#http/server/connection-limits.ts';
import { openHttpServer, type HttpServerOptions } from '#http/server/server.ts';
import { computeQuantile } from '#test/support/quantile.ts';
import { assertsTimes, reportFault } from '../support/report-fault.ts';
import { serveTinyWorld, TEST_KEY } from '#test/support/tiny-world.ts';
import { exchangeRaw } from './raw-http.ts';
import type { SlowAttack, ClosedConnection, AttackerReport } from './slow-connections.ts';

const clients = Number(process.env['SLOW_CLIENTS'] ?? 40);
const isFull = clients >= 1000;
const requestsPerRound = isFull ? 500 : 100;
const rounds = Number(process.env['SLOW_ROUNDS'] ?? 1);
const quick: Partial<ConnectionLimits> = {
  headersTimeoutMs: 1_000,
  requestTimeoutMs: 1_500,
  keepAliveTimeoutMs: 1_500,
  inactivityTimeoutMs: 2_000,
  responseReadTimeoutMs: 1_500,
  checkIntervalMs: 100,
};
const limits: ConnectionLimits = { ...getDefaultConnectionLimits(), ...(!isFull && quick) };

/** How long after its limit a connection may be closed. */
const MAX_DELAY_MS = assertsTimes ? 2_000 : Infinity;

/** Emits the client port of each connection that the server closed. */
const closedByServer = new EventEmitter<{ port: [number | undefined] }>();
// Larger than the socket buffers of both sides.
const largeBody = Buffer.alloc(16 * 1024 * 1024, 'x');
const world = await serveTinyWorld();
const respond: HttpServerOptions['fetch'] = (request, { incoming: { socket } }) => {
  if (!request.url.endsWith('/large')) return world.app.fetch(request);
  const { remotePort } = socket;
  socket.once('close', () => closedByServer.emit('port', remotePort));
  return new Response(largeBody, { headers: { 'content-length': String(largeBody.length) } });
};
const server = openHttpServer({ fetch: respond, port: 0, hostname: '127.0.0.1', limits });
const { port } = await server.listening;
afterAll(async () => {
  await server.close(0);
  await world.drop();
});

const HEAD = `Host: a\r\nSubscription-Key: ${TEST_KEY}\r\n`;

/** A tenth as many slow readers, because each buffered response takes 16 MiB. */
const readers = Math.ceil(clients / 10);
const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, inactivityTimeoutMs } = limits;
const readMs = limits.responseReadTimeoutMs + limits.checkIntervalMs;
const post = `POST /flight-info-alerts/profile HTTP/1.1\r\n`;
const large = `GET /large HTTP/1.1\r\n${HEAD}\r\n`;
const health = `GET /flights/health HTTP/1.1\r\n${HEAD}\r\n`;
const sized = 'Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n';
const chunked = 'Host: a\r\nTransfer-Encoding: chunked\r\n\r\n';
/** Each attack, with the time within which its connections are closed. */
const attacks: readonly (SlowAttack & { readonly within: number })[] = [
  { name: 'slow heads', count: clients, opening: health.slice(0, -2), trickle: 'X: a\r\n', within: headersTimeoutMs },
  { name: 'slow bodies', count: clients, opening: post + HEAD + sized, trickle: ' ', within: requestTimeoutMs },
  { name: 'slow chunks', count: clients, opening: post + chunked, trickle: '1\r\nx\r\n', within: requestTimeoutMs },
  { name: 'slow readers', count: readers, opening: large, sip: 1024, within: readMs },
  { name: 'stopped readers', count: readers, opening: large, sip: 0, within: Math.min(inactivityTimeoutMs, readMs) },
  { name: 'silent connections', count: clients, opening: '', within: headersTimeoutMs },
  // Node adds a second, so that a client that honors the announced timeout closes first.
  { name: 'idle connections', count: clients, opening: health, within: keepAliveTimeoutMs + 1_000 },
];
const attackers = attacks.reduce((sum, { count }) => sum + count, 0);

const script = fileURLToPath(new URL('./slow-connections.ts', import.meta.url));

/** Starts all attacks. When all are connected, returns a function that waits until all are closed and returns their durations. */
const attackAll = async (): Promise<() => Promise<readonly ClosedConnection[]>> => {
  // The IPC channel also closes when this process dies, which ends the child.
  const child = fork(script, [JSON.stringify({ port, attacks })], { execArgv: [] });
  const closed: ClosedConnection[] = [];
  const [connected, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  child.on('message', (message: AttackerReport) => {
    if ('connected' in message) return connected.resolve();
    closed.push(message);
    return closed.length === attackers && finished.resolve();
  });
  const forwardClosed = (ofPort: number | undefined): void => void child.send(ofPort ?? 0);
  closedByServer.on('port', forwardClosed);
  await connected.promise;
  return async () => {
    await finished.promise;
    closedByServer.off('port', forwardClosed);
    child.kill('SIGKILL');
    return closed;
  };
};

const sendTimed = async (): Promise<number> => {
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/flight-instances?DepartureDateTime=2026-06-01`, {
    headers: { 'subscription-key': TEST_KEY },
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${response.status}`);
  return performance.now() - started;
};

const sendMany = async (): Promise<readonly number[]> => {
  const times: number[] = [];
  while (times.length < requestsPerRound) times.push(await sendTimed());
  return times;
};

test(
  'closes slow clients at the limits and serves others as fast as before',
  { timeout: 600_000 + rounds * 300_000 },
  async () => {
    await sendMany();
    const [before, during]: [number[], number[]] = [[], []];
    const closing: Record<string, number> = {};
    const rss = process.memoryUsage().rss;
    for (let round = 0; round < rounds; round += 1) {
      before.push(...(await sendMany()));
      const closed = await attackAll();
      // Thousands of new connections are a short load of their own, which is not measured.
      if (isFull) await sendMany();
      during.push(...(await sendMany()));
      for (const { name, ms } of await closed()) closing[name] = Math.max(closing[name] ?? 0, Math.round(ms));
    }
    const grownMiB = Math.round((process.memoryUsage().rss - rss) / 1024 / 1024);
    const quantiles = (share: number): readonly [number, number] =>
      [computeQuantile(before, share), computeQuantile(during, share)] as const;
    const [medianMs, p99Ms] = [quantiles(0.5), quantiles(0.99)];
    reportFault(25, { clients: attackers, medianMs, p99Ms, closedAfterMs: closing, grownMiB });
    const lateClosings = attacks.filter(
      ({ name, within }) => (closing[name] ?? 0) > within + 2 * limits.checkIntervalMs + MAX_DELAY_MS,
    );
    expect(lateClosings).toEqual([]);
    expect(p99Ms[1]).toBeLessThan(assertsTimes ? Math.max(2 * p99Ms[0], 10) : Infinity);
    expect(grownMiB).toBeLessThan(256);
  },
);

const openServer = async (more: Partial<ConnectionLimits> = {}) => {
  const own = { ...limits, headersTimeoutMs: 1_000, checkIntervalMs: 100, ...more };
  const opened = openHttpServer({ fetch: world.app.fetch, port: 0, hostname: '127.0.0.1', limits: own });
  return { port: (await opened.listening).port, close: () => opened.close(0) };
};

test('closes idle connections at the connection limit and keeps running', async () => {
  const maxConnections = isFull ? 2_000 : 50;
  const full = await openServer({ maxConnections });
  const sockets: Socket[] = [];
  const flood = async (begin: string): Promise<void> => {
    const opened = Array.from({ length: maxConnections * 2 }, () => {
      const socket = connect({ port: full.port, host: '127.0.0.1' });
      socket.on('error', () => undefined).resume();
      if (begin !== '') socket.write(begin);
      sockets.push(socket);
      return Promise.race([once(socket, begin === '' ? 'connect' : 'data'), once(socket, 'close')]);
    });
    // The server resets some of them.
    await Promise.allSettled(opened);
  };
  const measureFirstResponse = async (): Promise<number> => {
    const started = performance.now();
    const bytes = `GET /flights/health HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`;
    const requestStatus = async (): Promise<number | undefined> =>
      (await exchangeRaw(bytes, { port: full.port })).responses[0]?.status;
    await expect.poll(requestStatus, { interval: 20 }).toBe(200);
    return Math.round(performance.now() - started);
  };
  await flood(health);
  const behindIdleMs = await measureFirstResponse();
  await flood('');
  const behindSilentMs = await measureFirstResponse();
  for (const socket of sockets) socket.destroy();
  await full.close();
  reportFault(25, { maxConnections, opened: sockets.length, behindIdleMs, behindSilentMs }, 'too many connections');
  expect(behindIdleMs).toBeLessThan(assertsTimes ? 5_000 : Infinity);
  expect(behindSilentMs).toBeLessThan(assertsTimes ? 10_000 : Infinity);
});

/** Returns the limit of the accept backlog of this system; 100 when unknown. */
const readBacklogLimit = async (): Promise<number> => {
  try {
    return Number(await readFile('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 100;
  }
};

test('accepts thousands of simultaneous connections', async () => {
  const busy = await openServer();
  const count = Math.min(4_000, Math.floor(getDefaultConnectionLimits().maxConnections / 2), await readBacklogLimit());
  // They connect while the server, on the same thread, can accept none. A connection that it never accepted is not closed.
  const closed = await Promise.all(
    Array.from({ length: count }, () => once(connect({ port: busy.port, host: '127.0.0.1' }).resume(), 'close')),
  );
  await busy.close();
  reportFault(25, { connected: count }, 'all at once');
  expect(closed).toHaveLength(count);
});

test('limits connections to half of the open-file limit of the process', () => {
  const { maxConnections } = getDefaultConnectionLimits();
  expect(maxConnections).toBeGreaterThan(100);
  expect(maxConnections).toBeLessThanOrEqual(10_000);
});
