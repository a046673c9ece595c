import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headers, serveWorld, type ServedWorld } from '../database/served-world.ts';
import { assertsTimes, reportFault } from '../support/report-fault.ts';
import { startServerProcess } from '../support/server-process.ts';
import { startSteadyLoad } from '../support/steady-load.ts';
import { missingPrograms, startLocalCluster } from './local-cluster.ts';

/** Reads for each number of replicas; each page is requested once, so that no cache contains it. */
const READS = Number(process.env['SCALE_OUT_READS'] ?? 300);
const TICKS_PER_SECOND = 100;
const CONNECTIONS = 8;

const path = '/flight-instances?version=v2&DepartureDateTime=2026-06-01&Content=Status';

/** Returns the processor time of a PostgreSQL server with its present and past processes, seconds (Linux only). */
const readCpuSeconds = (postmaster: number): number => {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number);
      const [, parent, , , , , , , , , , user = 0, system = 0, childUser = 0, childSystem = 0] = fields;
      if (parent === postmaster) ticks += user + system;
      if (Number(name) === postmaster) ticks += user + system + childUser + childSystem;
    } catch {
      // It has ended.
    }
  }
  return ticks / TICKS_PER_SECOND;
};

/** Without limits, which the leader counts, and without a page cache. */
const readerEnv = { FLIGHTDATA_TODAY: '2026-06-01', LIMIT_PER_MINUTE: '0', LIMIT_PER_MONTH: '0', CACHE_MB: '0' };

const startReads = (base: string, offset: number, keepAliveConnections = CONNECTIONS) =>
  startSteadyLoad({
    base,
    headers,
    paths: Array.from({ length: READS }, (_, index) => `${path}&Limit=${(index % 1000) + 1}&_=${offset + index}`),
    keepAliveConnections,
  });

describe.skipIf(missingPrograms.length > 0)('a cluster', () => {
  let cluster: ReturnType<typeof startLocalCluster>;
  let world: ServedWorld;
  let fourthUrl = '';
  /** What the leader needs for 1,000 reads more than without reads, by the number of replicas, milliseconds. */
  const leaderMs = new Map<number, number>();
  beforeAll(async () => {
    cluster = startLocalCluster({ basePort: 27_400 });
    world = await serveWorld(cluster.leaderUrl);
    await world.server.kill();
    fourthUrl = await cluster.addReplica();
  }, 240_000);
  afterAll(async () => {
    await world?.close();
    cluster?.remove();
  });

  test.each([0, 1, 2, 3])(
    'with %i replicas, the leader needs this much for uncached reads, with one or more less than a twentieth',
    { timeout: 300_000 },
    async (count) => {
      const leader = (await cluster.findLeader()) ?? 1;
      const [leaderUrl = '', ...nodeUrls] = cluster.urls.split(',');
      const replicas = [...nodeUrls.filter((_, index) => index + 1 !== leader), fourthUrl].slice(0, count);
      const server = await startServerProcess([], {
        DATABASE_URL: [leaderUrl, ...replicas].join(','),
        ...readerEnv,
      });
      try {
        const warmUp = startReads(server.base, 0);
        await warmUp.waitForMore(300);
        await warmUp.stop();
        const pid = cluster.readPostmaster(leader);
        const transactionsBefore = await countTransactions();
        const before = readCpuSeconds(pid);
        const startedAt = performance.now();
        const measured = startReads(server.base, READS);
        await measured.waitForMore(READS);
        const results = await measured.stop();
        const seconds = (performance.now() - startedAt) / 1000;
        const cpuSeconds = readCpuSeconds(pid) - before;
        const transactions = (await countTransactions()) - transactionsBefore;
        const idle = await measureIdle(pid, seconds);
        const perThousand = (amount: number): number => Math.round((amount / results.length) * 1000);
        const netMs = perThousand((cpuSeconds - idle.cpuSeconds) * 1000);
        leaderMs.set(count, netMs);
        const share = netMs / (leaderMs.get(0) ?? netMs);
        reportFault(
          52,
          {
            reads: results.length,
            'reads/s': Math.round(results.length / seconds),
            'leader, ms of processor time per 1,000 reads': perThousand(cpuSeconds * 1000),
            'of these without reads': perThousand(idle.cpuSeconds * 1000),
            'its share of one node': `${(share * 100).toFixed(1)} %`,
            'its transactions per 1,000 reads': perThousand(transactions),
            'without reads': perThousand(idle.transactions),
          },
          `${count} replicas`,
        );
        expect(results.filter(({ status }) => status !== 200).length).toBe(0);
        expect(share).toBeLessThan(count > 0 && assertsTimes ? 0.05 : Infinity);
      } finally {
        await server.stop();
      }
    },
  );

  test('two workers need as much processor time for a read as one', { timeout: 300_000 }, async () => {
    const measured: number[] = [];
    for (const workers of [1, 2]) {
      const server = await startServerProcess(['--workers', String(workers)], {
        DATABASE_URL: cluster.urls,
        ...readerEnv,
      });
      try {
        // Each worker has the same number of callers: with more of them, a turn of the event loop serves more requests.
        const load = startReads(server.base, 0, CONNECTIONS * workers);
        // Each of two workers compiles its code itself: before that, a read costs more.
        await load.waitForMore(Math.max(300, READS));
        const before = readCpuSeconds(server.pid);
        const countBefore = load.results.length;
        await load.waitForMore(READS);
        const cpuSeconds = readCpuSeconds(server.pid) - before;
        measured.push(cpuSeconds / (load.results.length - countBefore));
        await load.stop();
      } finally {
        await server.stop();
      }
    }
    const [one = 0, two = 0] = measured.map((seconds) => Math.round(seconds * 1_000_000));
    const ratio = (two / one).toFixed(2);
    reportFault(52, { 'ms of processor time per 1,000 reads with one worker': one, 'with two': two, ratio }, 'workers');
    expect(two / one).toBeLessThan(assertsTimes ? 1.1 : Infinity);
  });

  /** Counts the transactions of the leader so far. The statistics of a session are written when it has been idle for a second. */
  const countTransactions = async (): Promise<number> => {
    await delay(1100);
    const [row] = await world.db<{ transactions: number }[]>`
      select xact_commit::float8 as transactions from pg_stat_database where datname = current_database()`;
    return row?.transactions ?? 0;
  };

  /** Measures the same period without reads. */
  const measureIdle = async (pid: number, seconds: number) => {
    const transactionsBefore = await countTransactions();
    const before = readCpuSeconds(pid);
    await delay(seconds * 1000);
    const cpuSeconds = readCpuSeconds(pid) - before;
    return { cpuSeconds, transactions: (await countTransactions()) - transactionsBefore };
  };
});
