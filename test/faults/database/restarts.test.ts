import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventPage } from '#generated/flight-info-alerts/v1/types.gen.ts';
import type { Database } from '#store/pool/database.ts';
import { ingest, message } from '#test/jobs/status/messages.ts';
import { formatTimes } from '#test/support/quantile.ts';
import { assertsTimes, reportFault } from '../support/report-fault.ts';
import { isUnavailable, sendRequest, startSteadyLoad } from '../support/steady-load.ts';
import { startPrivatePostgres, type PrivatePostgres, type StopMode } from './private-postgres.ts';
import { headers, sampleRequests, serveWorld, type ServedWorld } from './served-world.ts';

/** 20 in the full length. */
const ROUNDS = Number(process.env['RESTART_ROUNDS'] ?? 1);
const modes: readonly StopMode[] = ['kill', 'fast', 'immediate'];
const paths = Object.values(sampleRequests);

let postgres: PrivatePostgres;
let world: ServedWorld;
beforeAll(async () => {
  postgres = await startPrivatePostgres();
  world = await serveWorld(postgres.url);
});
afterAll(async () => {
  await world?.close();
  await postgres?.remove();
});

const request = (path: string) => sendRequest({ base: world.server.base, path, headers });

/** Starts a feed that repeats each message until it is stored and remembers the stored gates. */
const startGateFeed = (db: Database) => {
  const stored: string[] = [];
  let isOver = false;
  const run = async (): Promise<void> => {
    for (let number = 1; !isOver; number += 1) {
      const gate = `G${number}`;
      // Each message has its own time: for equal times the order is undefined.
      const at = new Date(Date.UTC(2026, 5, 1, 6) + number * 1000).toISOString();
      const tryStore = (): Promise<boolean> =>
        ingest(db, [message({ id: gate, at, facts: { departureGate: gate } })]).then(
          () => true,
          () => false,
        );
      while (!(await tryStore())) await delay(50);
      stored.push(gate);
      await delay(20);
    }
  };
  const running = run();
  const stop = async (): Promise<void> => {
    isOver = true;
    await running;
  };
  return { stored, stop };
};

const findGates = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => text.match(/(?<="gate":")G\d+/g) ?? []));

/** Reads the gates in the events of the account. */
const readReportedGates = async (): Promise<ReadonlySet<string>> => {
  const texts: string[] = [];
  for (let after = 0; ;) {
    const url = `${world.server.base}/flight-info-alerts/events?version=v1&After=${after}&Limit=1000`;
    const response = await fetch(url, { headers: { ...headers, accountId: world.accountId } });
    if (response.status !== 200) break;
    const { data }: EventPage = await response.json();
    const last = data.at(-1);
    if (!last) break;
    after = last.position;
    texts.push(...data.map((event) => JSON.stringify(event)));
  }
  return findGates(texts);
};

test(
  '6: survives restarts of the database and responds with 503 meanwhile',
  { timeout: 600_000 + ROUNDS * 60_000 },
  async () => {
    const known = new Map<string, string>();
    for (const path of paths) {
      const { status, body } = await request(path);
      known.set(path, body);
      expect([path, status]).toEqual([path, 200]);
    }
    const load = startSteadyLoad({
      base: world.server.base,
      paths,
      headers,
      keepAliveConnections: 8,
      pauseMs: 10,
      keepsBodies: true,
    });
    const feed = startGateFeed(world.db);
    const [outageMs, recoveryMs]: [number[], number[]] = [[], []];
    const waitForMessages = async (): Promise<void> => {
      const from = feed.stored.length;
      await expect.poll(() => feed.stored.length).toBeGreaterThan(from + 3);
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all([load.waitForMore(20), waitForMessages()]);
      const startedAt = performance.now();
      await postgres.stop(modes[round % modes.length] ?? 'kill');
      await load.waitForMore(20, isUnavailable);
      await postgres.start();
      const restartedAt = performance.now();
      for (const path of paths) await expect.poll(async () => (await request(path)).status, { interval: 20 }).toBe(200);
      const servedAt = performance.now();
      outageMs.push(servedAt - startedAt);
      recoveryMs.push(servedAt - restartedAt);
      // Notifications of lost connections are recovered: messages are stored and delivered.
      await waitForMessages();
    }
    await feed.stop();
    const responses = await load.stop();
    const gates = new Set(feed.stored);
    await expect.poll(async () => gates.difference(await readReportedGates()), { interval: 100 }).toEqual(new Set());
    const listDelivered = () => findGates(world.receiver.received.map(({ body }) => body));
    await expect.poll(() => gates.difference(listDelivered()), { interval: 100 }).toEqual(new Set());

    const successful = responses.filter(({ status }) => status === 200);
    const slowestMs = Math.round(Math.max(...responses.map(({ ms }) => ms)));
    const counts = { rounds: ROUNDS, responses: responses.length, rejected: responses.filter(isUnavailable).length };
    const times = { slowestMs, outage: formatTimes(outageMs), recovery: formatTimes(recoveryMs) };
    reportFault(6, { ...counts, messages: gates.size, ...times }, 'restarts');
    const isWrong = (response: (typeof responses)[number]): boolean => response.body !== known.get(response.path);
    expect(responses.filter((one) => one.status !== 200 && !isUnavailable(one)).slice(0, 3)).toEqual([]);
    expect(successful.filter(isWrong).slice(0, 3)).toEqual([]);
    expect(slowestMs).toBeLessThan(assertsTimes ? 5000 : Infinity);
    expect(Math.max(...recoveryMs)).toBeLessThan(assertsTimes ? 15_000 : Infinity);
  },
);
