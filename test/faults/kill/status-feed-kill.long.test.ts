import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { localDate } from '#domain/time/dates.ts';
import { createKey } from '#store/access/subscription-keys.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { publishText, saveTinyMasterData } from '#test/support/tiny-world.ts';
import { createDraw } from '../support/random-draw.ts';
import { reportFault } from '../support/report-fault.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { feedSchedule, formatFeedLines, type FeedLine } from '../support/status-feed.ts';

const KILLS = Number(process.env['FEED_KILLS'] ?? 2);
const CONNECTIONS = 4;
const LINES_PER_ROUND = 600;
const BATCH = 10;

const { sql: db, url } = await sharedDatabase();
await saveTinyMasterData(db);
await publishText(db, feedSchedule, { today: localDate('2026-06-02'), horizonDays: 3 });
const { key } = await createKey(db, { name: 'sender', products: ['status-feed'] });

// Old flights have no events; a fixed date keeps these flights recent if midnight passes during the test.
const start = (): Promise<ServerProcess> =>
  startServerProcess([], { DATABASE_URL: url, FLIGHTDATA_TODAY: '2026-06-06', HORIZON_DAYS: '1' });

let server = await start();
afterAll(() => server.kill());

const reportSchema = z.object({ results: z.array(z.object({ messageId: z.string().optional(), result: z.string() })) });

/** Sends lines, again while the server is busy. Returns the IDs that the response acknowledges; undefined when the request failed. */
const send = async (base: string, lines: readonly FeedLine[]): Promise<readonly string[] | undefined> => {
  const headers = { 'subscription-key': key, 'content-type': 'application/x-ndjson' };
  const body = lines.map(({ text }) => `${text}\n`).join('');
  const response = await fetch(`${base}/status-messages`, { method: 'POST', headers, body }).catch(() => undefined);
  const content: unknown = await response?.json().catch(() => undefined);
  if (response?.status === 503) {
    await delay(200);
    return send(base, lines);
  }
  if (response?.status !== 200 || content === undefined) return undefined;
  return reportSchema.parse(content).results.flatMap(({ messageId }) => messageId ?? []);
};

test(
  'loses no acknowledged message of a request when the server is killed; sending again completes the rest',
  async () => {
    const seed = randomInt(2 ** 31);
    const draw = createDraw(seed);
    const acknowledged = new Set<string>();
    const sent: FeedLine[] = [];
    let midway = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const lines = formatFeedLines(kill, LINES_PER_ROUND, draw);
      sent.push(...lines);
      const batches = Array.from({ length: LINES_PER_ROUND / BATCH }, (_, index) =>
        lines.slice(index * BATCH, (index + 1) * BATCH),
      );
      let [done, failed] = [0, 0];
      const { base } = server;
      const work = async (): Promise<void> => {
        for (let batch = batches.shift(); batch && failed === 0; batch = batches.shift()) {
          const ids = await send(base, batch);
          for (const id of ids ?? []) acknowledged.add(id);
          if (ids) done += 1;
          else failed += 1;
        }
      };
      const working = Promise.all(Array.from({ length: CONNECTIONS }, work));
      const enough = 1 + draw(LINES_PER_ROUND / BATCH / 2);
      await expect.poll(() => done + failed, { interval: 1, timeout: 60_000 }).toBeGreaterThanOrEqual(enough);
      await delay(draw(20));
      await server.kill();
      await working;
      midway += failed > 0 ? 1 : 0;
      server = await start();
    }
    const countCopies = async (): Promise<ReadonlyMap<string, number>> => {
      const rows = await db<{ id: string; times: bigint }[]>`
        select id, count(*) as times from (select id from status_message union all select id from status_quarantine) as stored group by id`;
      return new Map(rows.map(({ id, times }) => [id, Number(times)]));
    };
    const copies = await countCopies();
    const lost = [...acknowledged].filter((id) => !copies.has(id)).length;
    const countDoubled = (all: ReadonlyMap<string, number>): number =>
      [...all.values()].filter((times) => times > 1).length;
    for (let from = 0; from < sent.length; from += 500)
      expect(await send(server.base, sent.slice(from, from + 500))).toBeDefined();
    const final = await countCopies();
    const missing = sent.filter(({ id }) => id !== undefined && !final.has(id)).length;
    const figures = { lost, doubled: countDoubled(copies) + countDoubled(final), missing };
    reportFault(2, { seed, kills: KILLS, midway, acknowledged: acknowledged.size, ...figures }, 'requests');
    expect([figures, acknowledged.size > 0]).toEqual([{ lost: 0, doubled: 0, missing: 0 }, true]);
  },
  240_000 + KILLS * 30_000,
);
