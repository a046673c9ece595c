import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headers, serveWorld, type ServedWorld } from '../database/served-world.ts';
import { reportFault } from '../support/report-fault.ts';
import { startServerProcess } from '../support/server-process.ts';
import { startSteadyLoad } from '../support/steady-load.ts';
import { missingPrograms, startLocalCluster } from './local-cluster.ts';

/** Reads for each number of replicas; each page is requested once, so that no cache contains it. */
const READS = Number(process.env['SCALE_OUT_READS'] ?? 2000);
const TICKS_PER_SECOND = 100;

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

describe.skipIf(missingPrograms.length > 0)('a cluster', () => {
  let cluster: ReturnType<typeof startLocalCluster>;
  let world: ServedWorld;
  beforeAll(async () => {
    cluster = startLocalCluster({ basePort: 27_400 });
    world = await serveWorld(cluster.leaderUrl);
    await world.server.kill();
  }, 240_000);
  afterAll(async () => {
    await world?.close();
    cluster?.remove();
  });

  test.each([0, 1, 2])(
    'with %i replicas, the leader needs this much processor time for uncached reads',
    { timeout: 300_000 },
    async (count) => {
      const leader = (await cluster.findLeader()) ?? 1;
      const [leaderUrl = '', ...nodeUrls] = cluster.urls.split(',');
      const replicas = nodeUrls.filter((_, index) => index + 1 !== leader).slice(0, count);
      const server = await startServerProcess([], {
        DATABASE_URL: [leaderUrl, ...replicas].join(','),
        FLIGHTDATA_TODAY: '2026-06-01',
        LIMIT_PER_MINUTE: '0',
        LIMIT_PER_MONTH: '0',
        CACHE_MB: '0',
      });
      try {
        const load = (offset: number) =>
          startSteadyLoad({
            base: server.base,
            headers,
            paths: Array.from(
              { length: READS },
              (_, index) => `${path}&Limit=${(index % 1000) + 1}&_=${offset + index}`,
            ),
            keepAliveConnections: 8,
          });
        const warmUp = load(0);
        await warmUp.waitForMore(300);
        await warmUp.stop();
        const pid = cluster.readPostmaster(leader);
        const before = readCpuSeconds(pid);
        const startedAt = performance.now();
        const measured = load(READS);
        await measured.waitForMore(READS);
        const results = await measured.stop();
        const seconds = (performance.now() - startedAt) / 1000;
        const perThousand = ((readCpuSeconds(pid) - before) / results.length) * 1_000_000;
        const idleSeconds = await measureIdle(pid, seconds);
        reportFault(
          52,
          {
            reads: results.length,
            'reads/s': Math.round(results.length / seconds),
            'leader, ms of processor time per 1,000 reads': Math.round(perThousand),
            'of these without reads': Math.round((idleSeconds / results.length) * 1_000_000),
          },
          `${count} replicas`,
        );
        expect(results.filter(({ status }) => status !== 200).length).toBe(0);
      } finally {
        await server.stop();
      }
    },
  );

  /** Returns the processor time of the same period without reads. */
  const measureIdle = async (pid: number, seconds: number): Promise<number> => {
    const before = readCpuSeconds(pid);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return readCpuSeconds(pid) - before;
  };
});
