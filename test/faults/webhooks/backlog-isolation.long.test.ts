import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '#test/support/database.ts';
import { addAccountEvents, insertAccount, insertEndpoint } from '#test/jobs/deliveries/delivery-fixture.ts';
import { openWebhookReceiver } from '#test/jobs/deliveries/delivery-fixture.ts';
import type { Account, WebhookReceiver } from '#test/jobs/deliveries/delivery-fixture.ts';
import { computeQuantile } from '#test/support/quantile.ts';
import { assertsTimes, reportFault } from '../support/report-fault.ts';
import { createWorkers } from '../support/workers.ts';

/** Events that wait for one endpoint while a hundred others receive theirs; 100,000 in the full length. */
const BACKLOG = Number(process.env['PUSH_BACKLOG'] ?? 3000);
/** Measurements of the short form are few; its times are not asserted. */
const ROUNDS = BACKLOG >= 100_000 ? 3 : 1;
/** How long latencies are measured beside bad receivers, seconds; 0 measures once. */
const SECONDS = Number(process.env['PUSH_SECONDS'] ?? 0);

let fresh: FreshDatabase;
let receiver: WebhookReceiver;
const children = createWorkers('push');
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  fresh = await freshDatabase();
  receiver = await openWebhookReceiver();
});
afterEach(async () => {
  await children.killAll();
  for (const close of closers.splice(0)) await close();
  await receiver.close();
  await fresh.drop();
});

const createEndpoints = async (count: number, url: (index: number) => string): Promise<readonly Account[]> => {
  const accounts: Account[] = [];
  for (let index = 0; index < count; index += 1) {
    const account = await insertAccount(fresh.sql);
    await insertEndpoint(fresh.sql, { account, url: url(index) });
    accounts.push(account);
  }
  return accounts;
};
const listFlights = (count: number): readonly number[] => Array.from({ length: count }, (_, flight) => flight);

test(
  '10: a long backlog of one endpoint does not delay endpoints with few events',
  async () => {
    const small = await createEndpoints(100, (index) => `${receiver.url}/small/${index}`);
    const other = await openWebhookReceiver();
    closers.push(other.close);
    const big = await createEndpoints(1, () => `${other.url}/big`);
    const worker = await children.start(fresh.url, {});
    const measure = async (): Promise<number> => {
      const before = receiver.received.length;
      const from = await addAccountEvents(fresh.sql, small, { flights: listFlights(10) });
      await receiver.waitUntil(({ length }) => length === before + 1000);
      return performance.now() - from;
    };
    // The first round opens connections and warms up; it is not counted.
    await measure();
    const measureRounds = async (): Promise<number> => {
      const times: number[] = [];
      while (times.length < ROUNDS) times.push(await measure());
      return Math.min(...times);
    };
    const aloneMs = await measureRounds();
    for (let added = 0; added < BACKLOG; added += 10_000)
      await addAccountEvents(fresh.sql, big, { flights: listFlights(Math.min(10_000, BACKLOG - added)) });
    await other.waitUntil(({ length }) => length > 0);
    const besideMs = await measureRounds();
    const sentMeanwhile = other.received.length;
    const ratio = Number((besideMs / aloneMs).toFixed(2));
    const from = performance.now();
    await other.waitUntil(({ length }) => length === BACKLOG);
    const perSecond = Math.round(((BACKLOG - sentMeanwhile) / (performance.now() - from)) * 1000);
    const [alone, beside] = [Math.round(aloneMs), Math.round(besideMs)];
    const figures = { backlog: BACKLOG, 'delivered of it meanwhile': sentMeanwhile, alone, beside, ratio };
    reportFault(10, { ...figures, 'per second': perSecond });
    await children.stop(worker);
    // Without isolation, the others would wait until the backlog is delivered.
    expect(sentMeanwhile).toBeLessThan(BACKLOG);
    expect(ratio).toBeLessThanOrEqual(assertsTimes ? 2 : Infinity);
  },
  900_000 + BACKLOG * 20,
);

/** Starts a receiver whose connections hang, trickle, reset or return 503, in turn. */
const startBadReceiver = async (): Promise<string> => {
  const open = new Set<Socket>();
  let count = 0;
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    const kind = (count += 1) % 4;
    socket.on('data', () => {
      if (kind === 0) socket.resetAndDestroy();
      if (kind === 1) socket.write('HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n');
      if (kind === 2) {
        const trickle = setInterval(() => socket.write('x'), 1000);
        socket.write('HTTP/1.1 ');
        socket.on('close', () => clearInterval(trickle));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test(
  '9: fifty bad receivers do not delay the others',
  async () => {
    const healthy = await createEndpoints(20, (index) => `${receiver.url}/healthy/${index}`);
    const urls: string[] = [];
    for (let index = 0; index < 50; index += 1) urls.push(await startBadReceiver());
    await children.start(fresh.url, {});
    /** Measures the p50 and p99 latency from commit to receipt, milliseconds. */
    const measure = async (accounts: readonly Account[]) => {
      const latencies: number[] = [];
      const until = performance.now() + SECONDS * 1000;
      do {
        const before = receiver.received.length;
        const from = await addAccountEvents(fresh.sql, accounts, { flights: listFlights(5) });
        await receiver.waitUntil(({ length }) => length === before + 5 * healthy.length);
        latencies.push(...receiver.received.slice(before).map(({ at }) => Math.max(0, at - from)));
        await delay(20);
      } while (performance.now() < until);
      return [0.5, 0.99].map((share) => Math.round(computeQuantile(latencies, share))) as [number, number];
    };
    // The first events open connections and warm up; they are not counted.
    await measure(healthy);
    const without = await measure(healthy);
    const badAccounts = await createEndpoints(50, (index) => `${urls[index]}/bad`);
    const beside = await measure([...healthy, ...badAccounts]);
    const listFailures = () => fresh.sql`select from push_attempt where outcome <> 'delivered'`;
    await expect.poll(listFailures).not.toHaveLength(0);
    const failed = (await listFailures()).length;
    const figures = { 'without p50, p99 ms': without, 'beside 50 bad p50, p99 ms': beside, 'failed attempts': failed };
    reportFault(9, figures, 'through the worker');
    // An attempt on a hanging receiver takes 15 s: healthy ones must stay well below that on any machine.
    const maxMs = assertsTimes ? Math.max(3000, 6 * without[1]) : 10_000;
    expect(beside[1]).toBeLessThan(Math.min(maxMs, 10_000));
  },
  900_000 + SECONDS * 60_000,
);
