/*
 * An honest sender beside one whose bodies arrive slowly, against a server process: responses and times of the honest one. SENDER_REQUESTS sets the
 * requests of each part.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { computeQuantile } from '#test/support/quantile.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { createDraw } from '../support/random-draw.ts';
import { assertsTimes, reportFault } from '../support/report-fault.ts';
import { startServerProcess } from '../support/server-process.ts';
import { feedSchedule, formatFeedLines } from '../support/status-feed.ts';
import type { SlowAttack } from './slow-connections.ts';

const REQUESTS = Number(process.env['SENDER_REQUESTS'] ?? 30);
const MESSAGES = 10;
/** Requests before the first measurement; a tenth of a second each. */
const WARM_UP = assertsTimes ? 200 : 20;
/** How much longer the slowest requests may take beside an attack. */
const MAX_RATIO = assertsTimes ? 1.5 : Infinity;

const { sql: db, url } = await sharedDatabase();
await saveTinyMasterData(db);
await publishText(db, feedSchedule, { today: localDate('2026-06-02'), horizonDays: 3 });
const { key: honestKey } = await createKey(db, { name: 'honest', products: ['status-feed'] });
const { key: attackerKey } = await createKey(db, {
  name: 'attacker',
  products: ['status-feed', 'flight-info-alerts'],
});
const server = await startServerProcess([], {
  DATABASE_URL: url,
  FLIGHTDATA_TODAY: '2026-06-06',
  HORIZON_DAYS: '1',
});
afterAll(() => server.kill());

let rounds = 0;
/** Sends requests one after the other; returns the sorted times of those that were stored, and the others by status. */
const sendHonest = async (requests: number) => {
  const times: number[] = [];
  const refused: Record<string, number> = {};
  for (let request = 0; request < requests; request += 1) {
    rounds += 1;
    const body = formatFeedLines(rounds, MESSAGES, createDraw(rounds))
      .map(({ text }) => `${text}\n`)
      .join('');
    const startedAt = performance.now();
    const response = await fetch(`${server.base}/status-messages`, {
      method: 'POST',
      headers: { 'subscription-key': honestKey, 'content-type': 'application/x-ndjson' },
      body,
    });
    await response.arrayBuffer();
    if (response.status === 200) times.push(performance.now() - startedAt);
    else refused[response.status] = (refused[response.status] ?? 0) + 1;
  }
  return { times, refused };
};

const script = fileURLToPath(new URL('./slow-connections.ts', import.meta.url));

/** Starts an attack in a process of its own; returns a function that ends it. */
const startAttack = async (attack: SlowAttack): Promise<() => void> => {
  const port = Number(new URL(server.base).port);
  const child = fork(script, [JSON.stringify({ port, attacks: [attack] })], { execArgv: [] });
  await once(child, 'message');
  return () => child.kill('SIGKILL');
};

const open = (path: string, type: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nSubscription-Key: ${attackerKey}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
const slow = { trickle: ' ', isRepeated: true } as const;
const attacks: readonly SlowAttack[] = [
  { name: '16 bodies', count: 16, opening: open('/status-messages', 'application/x-ndjson', 5_000_000), ...slow },
  { name: '190 bodies', count: 190, opening: open('/status-messages', 'application/x-ndjson', 5_000_000), ...slow },
  {
    name: '190 JSON bodies',
    count: 190,
    opening: open('/flight-info-alerts/alerts', 'application/json', 1_000_000),
    ...slow,
  },
];

test('serves an honest sender as before while another one sends bodies slowly', { timeout: 1_200_000 }, async () => {
  await sendHonest(WARM_UP);
  const wrong: string[] = [];
  for (const attack of attacks) {
    const before = await sendHonest(REQUESTS);
    const end = await startAttack(attack);
    const beside = await sendHonest(REQUESTS);
    end();
    const p99 = [before, beside].map(({ times }) => computeQuantile(times, 0.99));
    const [calm = NaN, attacked = NaN] = p99;
    const ratio = attacked / calm;
    reportFault(
      61,
      {
        requests: REQUESTS,
        refused: JSON.stringify(beside.refused),
        p50Ms: [before, beside].map(({ times }) => computeQuantile(times, 0.5).toFixed(1)),
        p99Ms: p99.map((ms) => ms.toFixed(1)),
        ratio: ratio.toFixed(2),
      },
      attack.name,
    );
    if (beside.times.length < REQUESTS || ratio > MAX_RATIO) wrong.push(attack.name);
  }
  expect(wrong).toEqual([]);
});
