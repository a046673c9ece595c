import { expect, onTestFinished, test, vi } from 'vitest';
import type { FlightInstancePage } from '#generated/flight-info/v2/types.gen.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { startServerProcess } from '#test/faults/support/server-process.ts';
import { readRealMasterData, realMasterDataDir } from '#test/support/real-master-data.ts';
import { findSharedData } from '#test/support/shared-data.ts';
import { createCaptureReplay } from '#test/support/sources/replay-captures.ts';
import { startReplayServer } from '#test/support/sources/replay-server.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { runCommand } from '../run-command.ts';

const absent = realMasterDataDir === undefined || findSharedData('live-feeds') === undefined;

test.skipIf(absent)(
  'a server that follows live feeds has flights of today, and another one takes over (needs ../shared/data)',
  { timeout: 240_000 },
  async () => {
    const clock = (): Date => new Date();
    const replay = await startReplayServer(clock);
    replay.respond = createCaptureReplay(clock);
    const { sql, url, drop } = await readRealMasterData();
    onTestFinished(drop);
    await insertKeyIfMissing(sql, { name: 'tests', products: ['flight-info'], key: TEST_KEY });
    const environment = { DATABASE_URL: url, SOURCES_MIRROR: replay.url, LIVE_CONTACT: 'ops@airline.example' };
    const sources = ['--live', 'avinor:OSL hkia'];
    const first = await startServerProcess(sources, environment);
    onTestFinished(first.kill);
    const startedAt = performance.now();
    const count = async (base: string, airport: string): Promise<number> => {
      const today = new Date(Date.now() + (airport === 'HKG' ? 8 : 1) * 3_600_000).toISOString().slice(0, 10);
      const query = `DepartureAirport=${airport}&DepartureDateTime=${today}&FlightType=Scheduled&Content=Status`;
      const response = await fetch(`${base}/flight-instances?${query}`, { headers: { 'Subscription-Key': TEST_KEY } });
      const page: FlightInstancePage = await response.json();
      return page.paging.totalCount;
    };
    const until = async (base: string, airport: string): Promise<number> => {
      await vi.waitUntil(async () => (await count(base, airport)) > 50, { timeout: 60_000, interval: 200 });
      return Math.round(performance.now() - startedAt) / 1000;
    };
    const seconds = [await until(first.base, 'OSL'), await until(first.base, 'HKG')];
    process.stderr.write(`flights of OSL after ${seconds[0]} s, of HKG after ${seconds[1]} s\n`);
    expect(replay.requests[0]?.headers['user-agent']).toMatch(/^flightdata\/\S+ \(\+ops@airline\.example\)$/);
    const second = await startServerProcess(sources, environment);
    onTestFinished(second.kill);
    await vi.waitUntil(() => replay.requests.length >= 5, { timeout: 60_000 });
    await first.stop();
    // The lease is released, and the times of the next requests stay: the second server does not repeat them.
    await vi.waitUntil(async () => (await sql`select from live_follower where worker is not null`).length === 1, {
      timeout: 30_000,
      interval: 200,
    });
    const times = replay.requests.filter(({ url: { pathname } }) => pathname.includes('avinor')).map(({ at }) => at);
    expect(times.filter((at) => at - (times[0] ?? 0) < 179_000)).toHaveLength(1);
    const { out } = await runCommand(['sources', 'live', '--json'], environment);
    const states: { readonly name: string; readonly places: readonly string[]; readonly rows: { taken: number } }[] =
      JSON.parse(out);
    expect(states.map(({ name, places, rows }) => [name, places, rows.taken > 100])).toEqual([
      ['avinor', ['OSL'], true],
      ['hkia', ['HKG'], true],
      ['swedavia', [], false],
    ]);
  },
);
