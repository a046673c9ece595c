/*
 * Clients that take their time, and hold a connection for it: heads and bodies that trickle, answers that are taken in sips, connections on
 * which nothing comes. Quick with limits of a second or two; SLOW_CLIENTS=1000 is so many of each kind against the limits of service (two
 * minutes a round, of which there are SLOW_ROUNDS).
 */
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getDefaultConnectionLimits, type ConnectionLimits } from '../../../src/http/server/connection-limits.ts';
import { openHttpServer, type HttpServer, type HttpServerOptions } from '../../../src/http/server/server.ts';
import { computeQuantile } from '../../support/quantile.ts';
import { reportFault } from '../support/report-fault.ts';
import { serveTinyWorld, TEST_KEY, type TinyService } from '../../support/tiny-world.ts';
import { createChildProcesses } from '../support/child-processes.ts';
import { exchangeRaw } from './raw-http.ts';
import type { SlowAttack, ClosedConnection, AttackerReport } from './slow-connections.ts';

const slowClients = process.env['SLOW_CLIENTS'];
const isFull = slowClients !== undefined;
const clients = Number(slowClients ?? 40);
const requestsPerRound = isFull ? 500 : 150;
const rounds = Number(process.env['SLOW_ROUNDS'] ?? (isFull ? 3 : 2));
const quick: Partial<ConnectionLimits> = {
  headersTimeoutMs: 1_000,
  requestTimeoutMs: 1_500,
  keepAliveTimeoutMs: 1_500,
  inactivityTimeoutMs: 2_000,
  responseReadTimeoutMs: 1_500,
  checkIntervalMs: 100,
};
const limits: ConnectionLimits = { ...getDefaultConnectionLimits(), ...(!isFull && quick) };

/** So much later than its limit a connection is closed at most; a machine that does other things besides may take five times as long. */
const MAX_DELAY_MS = isFull ? 2_000 : 10_000;

let world: TinyService;
let server: HttpServer;
let port: number;
/** Tells, by the port of its client, that the server closed a connection. */
const closedByServer = new EventEmitter<{ port: [number | undefined] }>();
// Larger than what the kernels of both sides take.
const large = Buffer.alloc(16 * 1024 * 1024, 'x');
beforeAll(async () => {
  world = await serveTinyWorld();
  const fetch: HttpServerOptions['fetch'] = (request, peer) => {
    if (!request.url.endsWith('/large')) return world.app(request);
    if (peer instanceof Socket) {
      const { remotePort } = peer;
      peer.once('close', () => closedByServer.emit('port', remotePort));
    }
    return new Response(large, { headers: { 'content-length': String(large.length) } });
  };
  server = openHttpServer({ fetch, port: 0, hostname: '127.0.0.1', limits });
  port = (await server.listening).port;
});
afterAll(async () => {
  await server.close(0);
  await world.drop();
});

const HEAD = `Host: a\r\nSubscription-Key: ${TEST_KEY}\r\n`;

/** A tenth of those that read slowly: answers that lie in memory are heavy. */
const readers = Math.ceil(clients / 10);
const attacks: readonly (SlowAttack & { readonly within: number })[] = [
  {
    name: 'trickling heads',
    count: clients,
    opening: 'GET /flights/health HTTP/1.1\r\nHost: a\r\n',
    trickle: 'X: a\r\n',
    within: limits.headersTimeoutMs,
  },
  {
    name: 'trickling bodies',
    count: clients,
    opening: `POST /flight-info-alerts/profile HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n`,
    trickle: ' ',
    within: limits.requestTimeoutMs,
  },
  {
    name: 'trickling chunks without a key',
    count: clients,
    opening: 'POST /flight-info-alerts/profile HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n',
    trickle: '1\r\nx\r\n',
    within: limits.requestTimeoutMs,
  },
  {
    name: 'sipping readers',
    count: readers,
    opening: `GET /large HTTP/1.1\r\n${HEAD}\r\n`,
    sip: 1024,
    within: limits.responseReadTimeoutMs + limits.checkIntervalMs,
  },
  {
    name: 'readers that stopped',
    count: readers,
    opening: `GET /large HTTP/1.1\r\n${HEAD}\r\n`,
    sip: 0,
    within: Math.min(limits.inactivityTimeoutMs, limits.responseReadTimeoutMs + limits.checkIntervalMs),
  },
  { name: 'silent connections', count: clients, opening: '', within: limits.headersTimeoutMs },
  {
    name: 'idle connections',
    count: clients,
    opening: `GET /flights/health HTTP/1.1\r\n${HEAD}\r\n`,
    // Node adds a second, so that a client that reads of the timeout is the first to close.
    within: limits.keepAliveTimeoutMs + 1_000,
  },
];
const attackers = attacks.reduce((sum, { count }) => sum + count, 0);

const children = createChildProcesses(fileURLToPath(new URL('./slow-connections.ts', import.meta.url)));
afterAll(children.killAll);

/** Lets all attacks begin; answers, once all are connected, how to learn after how many milliseconds each was cut off. */
const attackAll = async (): Promise<() => Promise<readonly ClosedConnection[]>> => {
  const child = children.start(JSON.stringify({ port, attacks }));
  const cutOff: ClosedConnection[] = [];
  const [connected, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  child.on('message', (told: AttackerReport) => {
    if ('connected' in told) return connected.resolve();
    cutOff.push(told);
    return cutOff.length === attackers && over.resolve();
  });
  const tellCut = (ofPort: number | undefined): void => void child.send(ofPort ?? 0);
  closedByServer.on('port', tellCut);
  await connected.promise;
  return async () => {
    await over.promise;
    closedByServer.off('port', tellCut);
    await children.kill(child);
    return cutOff;
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
  for (let n = 0; n < requestsPerRound; n += 1) times.push(await sendTimed());
  return times;
};

test(
  'slow clients are cut off by the limits, and others are answered meanwhile as before',
  { timeout: 600_000 + rounds * 300_000 },
  async () => {
    await sendMany();
    const without: number[] = [];
    const coming: number[] = [];
    const during: number[] = [];
    const closing: Record<string, number> = {};
    const late: string[] = [];
    const rss = process.memoryUsage().rss;
    for (let round = 0; round < rounds; round += 1) {
      without.push(...(await sendMany()));
      const cutOff = await attackAll();
      // Thousands that come at once ask something, too, most of them; that is a load like any other, and over soon.
      const asTheyCome = await sendMany();
      coming.push(...asTheyCome);
      during.push(...(isFull ? await sendMany() : asTheyCome));
      for (const { name, ms } of await cutOff()) {
        closing[name] = Math.max(closing[name] ?? 0, ms);
        const within = attacks.find((one) => one.name === name)?.within ?? 0;
        if (ms > within + 2 * limits.checkIntervalMs + MAX_DELAY_MS) late.push(`${name}: ${Math.round(ms)} ms`);
      }
    }
    const grownMiB = (process.memoryUsage().rss - rss) / 1024 / 1024;
    const p99 = [computeQuantile(without, 0.99), computeQuantile(during, 0.99)] as const;
    const median = [computeQuantile(without, 0.5), computeQuantile(during, 0.5)] as const;
    reportFault({
      fault: 25,
      figure: {
        clients: attackers,
        medianMs: median.map((ms) => Number(ms.toFixed(2))),
        p99Ms: p99.map((ms) => Number(ms.toFixed(2))),
        p99Ratio: Number((p99[1] / p99[0]).toFixed(2)),
        p99MsAsTheyCome: Number(computeQuantile(coming, 0.99).toFixed(2)),
        closedAfterS: Object.fromEntries(
          Object.entries(closing).map(([name, ms]) => [name, Number((ms / 1000).toFixed(1))]),
        ),
        rssGrownMiB: Math.round(grownMiB),
      },
      bound: `all closed within their limits; p99 of others ${isFull ? 'below 2 times, or 10 ms' : 'below 5 times, or a second'}; memory below 256 MiB more`,
    });
    expect(late).toEqual([]);
    const [factor, floorMs] = isFull ? [2, 10] : [5, 1_000];
    expect(p99[1]).toBeLessThan(Math.max(factor * p99[0], floorMs));
    expect(grownMiB).toBeLessThan(256);
  },
);

test('when there are as many connections as there can be, idle ones make room, and the process stays', async () => {
  const most = isFull ? 2_000 : 50;
  const full = openHttpServer({
    fetch: world.app,
    port: 0,
    hostname: '127.0.0.1',
    limits: { ...limits, maxConnections: most, headersTimeoutMs: 1_000, checkIntervalMs: 100 },
  });
  const there = (await full.listening).port;
  const sockets: Socket[] = [];
  const flood = async (begin: string): Promise<void> => {
    const opened = Array.from({ length: most * 2 }, () => {
      const socket = connect({ port: there, host: '127.0.0.1' });
      socket.on('error', () => undefined).resume();
      if (begin !== '') socket.write(begin);
      return new Promise<void>((resolve) => {
        socket.once('data', () => resolve());
        socket.once('close', () => resolve());
        if (begin === '') socket.once('connect', () => resolve());
        sockets.push(socket);
      });
    });
    await Promise.all(opened);
  };
  const asked = async (): Promise<number> => {
    const started = performance.now();
    const bytes = `GET /flights/health HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`;
    const answered = async (): Promise<number | undefined> =>
      (await exchangeRaw(bytes, { port: there })).responses[0]?.status;
    await expect.poll(answered, { interval: 20 }).toBe(200);
    return performance.now() - started;
  };
  await flood(`GET /flights/health HTTP/1.1\r\n${HEAD}\r\n`);
  const behindIdle = await asked();
  await flood('');
  const behindSilent = await asked();
  for (const socket of sockets) socket.destroy();
  await full.close(0);
  reportFault({
    fault: 25,
    part: 'too many connections',
    figure: { most, opened: most * 4, behindIdleMs: Math.round(behindIdle), behindSilentMs: Math.round(behindSilent) },
    bound: 'a new client is answered: behind idle connections at once, behind silent ones once these are cut',
  });
  expect(behindIdle).toBeLessThan(isFull ? 5_000 : 20_000);
  expect(behindSilent).toBeLessThan(isFull ? 10_000 : 40_000);
});

/** Connections that this system lets wait for a server at most; where it does not say, few. */
const readBacklogLimit = async (): Promise<number> => {
  try {
    return Number(await readFile('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 100;
  }
};

test('of thousands that connect at one moment none is forgotten', async () => {
  const busy = openHttpServer({
    fetch: world.app,
    port: 0,
    hostname: '127.0.0.1',
    limits: { ...limits, headersTimeoutMs: 1_000, checkIntervalMs: 100 },
  });
  const there = (await busy.listening).port;
  const count = Math.min(4_000, Math.floor(getDefaultConnectionLimits().maxConnections / 2), await readBacklogLimit());
  // All at once, while the server, which shares this thread, can take none of them. One that it never heard of is not cut off.
  const cutOff = Array.from({ length: count }, () =>
    once(connect({ port: there, host: '127.0.0.1' }).resume(), 'close'),
  );
  const ended = await Promise.race([Promise.all(cutOff), delay(20_000, [])]);
  await busy.close(0);
  reportFault({
    fault: 25,
    part: 'all at once',
    figure: { connected: count, cutOff: ended.length },
    bound: 'all are cut off',
  });
  expect(ended).toHaveLength(count);
});

test('a process takes no more connections than half of the files it may open', () => {
  const { maxConnections } = getDefaultConnectionLimits();
  expect(maxConnections).toBeGreaterThan(100);
  expect(maxConnections).toBeLessThanOrEqual(10_000);
});
