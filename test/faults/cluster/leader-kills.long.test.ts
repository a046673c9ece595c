import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventPage } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { formatTimes } from '#test/support/quantile.ts';
import { headers, serveWorld, type ServedWorld } from '../database/served-world.ts';
import { startHttpFeed, type AcknowledgedBatch } from '../support/http-feed.ts';
import { reportFault } from '../support/report-fault.ts';
import { startSteadyLoad, type LoadResult } from '../support/steady-load.ts';
import { missingPrograms, startLocalCluster } from './local-cluster.ts';

/** 10 in the full length. */
const KILLS = Number(process.env['LEADER_KILLS'] ?? 1);
/** 500 messages a second. */
const BATCH = 100;
const BATCH_PERIOD_MS = 200;
/** The clock of the server starts on this day, so its instants differ by whole days from those of the machine. */
const SERVER_DAY = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;

const hotPath = '/flight-instances?version=v2&DepartureDateTime=2026-06-01&Content=Status';
/** Each is requested once in a thousand requests: no cache contains it. */
const coldPaths = Array.from({ length: 1000 }, (_, index) => `${hotPath}&Limit=${index + 1}`);

/** Pulls the events of the account, one page after the other. */
const startPull = ({ server, accountId }: ServedWorld) => {
  const events: { readonly position: number; readonly id: string; readonly gate: number }[] = [];
  const statuses = new Map<string, number>();
  let after = 0;
  let isOver = false;
  const pull = async (): Promise<void> => {
    const url = `${server.base}/flight-info-alerts/events?version=v1&After=${after}&Limit=1000`;
    const response = await fetch(url, { headers: { ...headers, accountId } });
    const outcome = `${response.status}${response.headers.has('data-as-of') ? ' stale' : ''}`;
    statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
    if (response.status !== 200) return;
    const page: EventPage = await response.json();
    for (const event of page.data) {
      const [, gate = '0'] = /"gate":"G(\d+)"/.exec(JSON.stringify(event)) ?? [];
      events.push({ position: event.position, id: event.messageId, gate: Number(gate) });
    }
    after = page.position;
  };
  const run = async (): Promise<void> => {
    while (!isOver) {
      await pull().catch((error: unknown) => statuses.set(String(error), (statuses.get(String(error)) ?? 0) + 1));
      await delay(100);
    }
  };
  const running = run();
  return {
    events,
    statuses,
    stop: async (): Promise<void> => {
      isOver = true;
      await running;
    },
  };
};

/** Waits for up to two minutes until a list is empty; what is left is reported with the figures. */
const untilEmpty = async (list: () => readonly number[]): Promise<void> => {
  const deadline = performance.now() + 120_000;
  while (list().length > 0 && performance.now() < deadline) await delay(200);
};

const isStale = ({ headers: sent }: LoadResult): boolean => sent['data-as-of'] !== undefined;

/** Returns the number of the newest gate in a response; 0 without one. */
const readGate = ({ body }: LoadResult): number => Number(/"gate":"G(\d+)"/.exec(body)?.[1] ?? 0);

/** Whether a stale response has all messages that were acknowledged up to the instant that it names. */
const isHeaderRight = (result: LoadResult, acknowledged: readonly AcknowledgedBatch[]): boolean => {
  const asOf = Date.parse(String(result.headers['data-as-of']));
  const age = Number(result.headers.age);
  const now = Date.now();
  const realAsOf = asOf - SERVER_DAY + (now - (now % DAY_MS));
  const before = acknowledged.findLast(({ at }) => at <= realAsOf);
  return (
    age >= 0 && age <= 61 && result.headers['cache-control'] === 'no-store' && readGate(result) >= (before?.last ?? 0)
  );
};

describe.skipIf(missingPrograms.length > 0)('a cluster', () => {
  let cluster: ReturnType<typeof startLocalCluster>;
  let world: ServedWorld;
  beforeAll(async () => {
    cluster = startLocalCluster({ basePort: 26_400 });
    world = await serveWorld(cluster.leaderUrl, { DATABASE_URL: cluster.urls, METRICS_PORT: '0' });
  }, 240_000);
  afterAll(async () => {
    await world?.close();
    cluster?.remove();
  });

  test(
    'loses no read, no acknowledged message and no event when its leader is killed',
    { timeout: 180_000 + KILLS * 180_000 },
    async () => {
      const load = { base: world.server.base, headers, pauseMs: 20, keepsBodies: true };
      const cold = startSteadyLoad({ ...load, paths: coldPaths, keepAliveConnections: 4 });
      const hot = startSteadyLoad({ ...load, paths: [hotPath], keepAliveConnections: 4 });
      const feed = startHttpFeed(world.server.base, { batch: BATCH, periodMs: BATCH_PERIOD_MS });
      const pulled = startPull(world);
      const startedAt = Date.now();
      const writableMs: number[] = [];
      const kills: number[] = [];
      for (let round = 0; round < KILLS; round += 1) {
        await Promise.all([cold.waitForMore(50), hot.waitForMore(50)]);
        const before = feed.acknowledged.length;
        await expect.poll(() => feed.acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(before + 5);
        const leader = await cluster.findLeader();
        if (leader === undefined) throw new Error('there is no leader');
        const killedAt = Date.now();
        kills.push(performance.now());
        cluster.killNode(leader);
        await expect
          .poll(() => feed.acknowledged.findLast(({ at }) => at > killedAt + 500), { timeout: 120_000, interval: 20 })
          .toBeDefined();
        const next = feed.acknowledged.find(({ at }) => at > killedAt + 500);
        writableMs.push((next?.at ?? 0) - killedAt);
        cluster.startNode(leader);
        await cluster.untilComplete();
      }
      await feed.stop();
      const seconds = (Date.now() - startedAt) / 1000;
      const reads = [...(await cold.stop()), ...(await hot.stop())];
      const sent = feed.acknowledged.at(-1)?.last ?? 0;
      // The messages of a batch about one flight make one event, of the last of them.
      const expected = feed.acknowledged.map(({ last }) => last);
      const gates = () => new Set(pulled.events.map(({ gate }) => gate));
      const listLost = () => expected.filter((gate) => !gates().has(gate));
      await untilEmpty(listLost);
      const pushed = () =>
        new Set(world.receiver.received.flatMap(({ body }) => body.match(/(?<="gate":")G\d+/g) ?? []));
      const listLostInPush = () => expected.filter((gate) => !pushed().has(`G${gate}`));
      await untilEmpty(listLostInPush);
      await pulled.stop();
      const lost = listLost().length;
      const lostInPush = listLostInPush().length;
      const doubled = pulled.events.length - new Set(pulled.events.map(({ id }) => id)).size;
      const gaps = pulled.events.filter(({ position }, index) => position !== index + 1).length;
      const failed = reads.filter(({ status }) => status !== 200);
      // The processor of this machine was busy: that is not the outage.
      const overloaded = failed.filter(({ body }) => body.includes('#overloaded'));
      const stale = reads.filter(isStale);
      const wrong = stale.filter((one) => !isHeaderRight(one, feed.acknowledged)).length;
      const errorLines = world.server
        .output()
        .split('\n')
        .filter((line) => line.includes('"level":"error"'));
      if (failed.length > 0) {
        console.log(errorLines.map((line) => line.slice(0, 300)).join('\n'));
        for (const { status, path, ms, body, at } of failed) {
          const killedAt = kills.findLast((earlier) => earlier <= at);
          const when =
            killedAt === undefined ? 'before the first kill' : `${Math.round(at - killedAt)} ms after a kill`;
          console.log(`${status} ${path} after ${Math.round(ms)} ms, ${when}: ${body.slice(0, 100)}`);
        }
      }
      const [messages] = await world.db`select count(*) as stored from status_message where source <> 'asm'`;
      const figures = {
        kills: KILLS,
        reads: reads.length,
        stale: stale.length,
        failed: failed.length - overloaded.length,
        overloaded: overloaded.length,
        'wrong headers': wrong,
        'messages acknowledged': sent,
        'messages lost': sent - Number(messages?.stored),
        'messages/s': Math.round(sent / seconds),
        'lost at pull': lost,
        'doubled at pull': doubled,
        'gaps of positions': gaps,
        'lost at push': lostInPush,
        'writes again': formatTimes(writableMs),
        'requests of the feed repeated': feed.listFailures(),
        'error lines': errorLines.length,
        pull: JSON.stringify([...pulled.statuses]),
      };
      reportFault(51, figures);
      expect(
        failed
          .filter((one) => !overloaded.includes(one))
          .slice(0, 3)
          .map(({ status, body, path }) => [status, path, body]),
      ).toEqual([]);
      expect([wrong, lost, doubled, gaps, lostInPush]).toEqual([0, 0, 0, 0, 0]);
    },
  );
});
