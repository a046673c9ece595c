import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#store/pool/database.ts';
import { formatTimes } from '#test/support/quantile.ts';
import { serveWorld, type ServedWorld } from '../database/served-world.ts';
import { startHttpFeed } from '../support/http-feed.ts';
import { reportFault } from '../support/report-fault.ts';
import { findNetworkObstacle, startLocalCluster } from './local-cluster.ts';

/** The leader is parted from the others and from etcd; in each second partition also from its clients. */
const PARTITIONS = Number(process.env['PARTITIONS'] ?? 1);
const WRITE_EACH_MS = 50;
/** A write without an acknowledgement after this time stays open, and the next one uses another connection. */
const PATIENCE_MS = 500;
/** The most writes that stay open on a node. */
const MAX_OPEN = 30;

const obstacle = findNetworkObstacle();
if (obstacle !== undefined) console.log(`the test of a partition does not run, no network namespaces: ${obstacle}`);

type Acknowledged = { readonly node: number; readonly id: number; readonly at: number };

/** Writes to each node itself, not through HAProxy, whatever its role; each row has the node that accepted it. */
const startWriters = (urls: readonly string[]) => {
  const acknowledged: Acknowledged[] = [];
  let [isOver, lastId] = [false, 0];
  const open = (url: string) => openDatabase({ url, applicationName: 'flightdata-test-writer', max: 1 });
  const writeToNode = async (url: string, index: number): Promise<void> => {
    const node = index + 1;
    const abandoned = new Set<ReturnType<typeof open>>();
    let sql = open(url);
    while (!isOver) {
      const id = ++lastId;
      const writing = sql`insert into written_to_node (id, node) values (${id}, ${node})`.then(
        () => void acknowledged.push({ node, id, at: performance.now() }),
        () => {},
      );
      const isSettled = await Promise.race([writing.then(() => true), delay(PATIENCE_MS, false)]);
      if (!isSettled && abandoned.size < MAX_OPEN) {
        const late = sql;
        abandoned.add(late);
        void writing.then(() => {
          abandoned.delete(late);
          return late.end({ timeout: 0 });
        });
        sql = open(url);
      }
      await delay(WRITE_EACH_MS);
    }
    await Promise.all([sql, ...abandoned].map((one) => one.end({ timeout: 0 })));
  };
  const running = Promise.all(urls.map(writeToNode));
  return {
    acknowledged: acknowledged as readonly Acknowledged[],
    stop: async (): Promise<void> => {
      isOver = true;
      await running;
    },
  };
};

describe.skipIf(obstacle !== undefined)('a cluster', () => {
  let cluster: ReturnType<typeof startLocalCluster>;
  let world: ServedWorld;
  beforeAll(async () => {
    cluster = startLocalCluster({ basePort: 29_400, hasNetworks: true });
    world = await serveWorld(cluster.leaderUrl, { DATABASE_URL: cluster.urls, METRICS_PORT: '0' });
    await world.db`create table written_to_node (id bigint primary key, node int not null)`;
  }, 240_000);
  afterAll(async () => {
    await world?.close();
    cluster?.remove();
  });

  test(
    'has never two leaders that accept writes, and loses none, when its leader is parted from the others',
    { timeout: 120_000 + PARTITIONS * 120_000 },
    async () => {
      const writers = startWriters(cluster.nodeUrls);
      const feed = startHttpFeed(world.server.base, { batch: 50, periodMs: 100 });
      const overlapsMs: number[] = [];
      const [acceptedMs, writableMs]: [number[], number[]] = [[], []];
      for (let round = 0; round < PARTITIONS; round += 1) {
        await cluster.untilComplete();
        const leader = await cluster.findLeader();
        if (leader === undefined) throw new Error('there is no leader');
        const isOf = (wanted: boolean) => (one: Acknowledged) => (one.node === leader) === wanted;
        const countBefore = writers.acknowledged.length;
        await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(countBefore + 20);
        const cutAt = performance.now();
        const fromHere = writers.acknowledged.length;
        cluster.cut(leader, { isIsolated: round % 2 === 1 });
        const since = () => writers.acknowledged.slice(fromHere);
        await expect.poll(() => since().filter(isOf(false)).length, { timeout: 60_000 }).toBeGreaterThan(20);
        // What the old leader would still acknowledge while the new one works.
        await delay(3000);
        cluster.join(leader);
        await cluster.untilComplete();
        await expect.poll(() => feed.acknowledged.at(-1)?.at ?? 0).toBeGreaterThan(Date.now() - 500);
        const lastOfOld = since().findLast(isOf(true))?.at ?? cutAt;
        const firstOfNew = since().find(isOf(false))?.at ?? Infinity;
        acceptedMs.push(lastOfOld - cutAt);
        writableMs.push(firstOfNew - cutAt);
        overlapsMs.push(Math.max(0, lastOfOld - firstOfNew));
      }
      await feed.stop();
      await writers.stop();
      const rows = await world.db<{ id: number }[]>`select id::int from written_to_node`;
      const stored = new Set(rows.map(({ id }) => id));
      const [messages] = await world.db<{ stored: number }[]>`
        select count(*)::int as stored from status_message where source <> 'asm'`;
      const figures = {
        partitions: PARTITIONS,
        'writes acknowledged': writers.acknowledged.length,
        'of them lost': writers.acknowledged.filter(({ id }) => !stored.has(id)).length,
        'two leaders at once': overlapsMs.filter((ms) => ms > 0).length,
        'the old leader accepted writes for': formatTimes(acceptedMs),
        'a new one after': formatTimes(writableMs),
        'messages acknowledged': feed.acknowledged.at(-1)?.last ?? 0,
        'messages lost': (feed.acknowledged.at(-1)?.last ?? 0) - (messages?.stored ?? 0),
      };
      reportFault(54, figures);
      expect(figures).toMatchObject({ 'of them lost': 0, 'two leaders at once': 0, 'messages lost': 0 });
    },
  );
});
