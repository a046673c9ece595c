import { afterAll, expect, test } from 'vitest';
import { insertKeyIfMissing } from '../../../src/store/access/subscription-keys.ts';
import { startServerProcess } from '../../faults/support/server-process.ts';
import { buildFile } from '../../feeds/ssim/build-file.ts';
import { sharedDatabase } from '../../support/database.ts';
import { publishText, saveTinyMasterData, TEST_KEY } from '../../support/tiny-world.ts';
import { buildFlownLeg } from '../../jobs/connections/flown-leg.ts';
import { callCommand } from '../call-command.ts';

const fresh = await sharedDatabase();
await saveTinyMasterData(fresh.sql);
await insertKeyIfMissing(fresh.sql, { name: 'tests', products: ['connections'], key: TEST_KEY });

const flights = [
  buildFlownLeg('101 LHR 1100 JFK 1400'),
  buildFlownLeg('102 JFK 1600 LAX 1900'),
  buildFlownLeg('103 JFK 1700 LAX 2000'),
  buildFlownLeg('104 JFK 1800 LAX 2100'),
] as const;
const load = (...records: readonly string[]) => publishText(fresh.sql, buildFile(...records), { horizonDays: 1 });

type Page = {
  readonly data: readonly object[];
  readonly paging: { readonly next?: string; readonly totalCount: number };
};
type PageResponse = { readonly status: number; readonly set: number; readonly page: Page };

const fetchPage = async (url: string): Promise<PageResponse> => {
  const response = await fetch(url, { headers: { 'Subscription-Key': TEST_KEY } });
  const page: Page = JSON.parse(await response.text());
  return { status: response.status, set: Number(response.headers.get('connections-set')), page };
};

await load(...flights.slice(0, 3));
const env = { DATABASE_URL: fresh.url, FLIGHTDATA_TODAY: '2026-06-02' };
const servers = await Promise.all([startServerProcess([], env), startServerProcess([], env)]);
afterAll(async () => {
  for (const server of servers) await server.kill();
});

test('servers of one database build one set, switch to each new set, and finish pages in the set they began in', async () => {
  const healths = (): Promise<readonly number[]> =>
    Promise.all(servers.map(async ({ base }) => (await fetch(`${base}/flight-connections/health`)).status));
  await expect.poll(healths).toEqual([200, 200]);

  const query = '/flight-connections?version=v1&DepartureAirport=LHR&ArrivalAirport=LAX&Limit=1';
  const totals = async (): Promise<readonly (readonly number[])[]> => {
    const responses = await Promise.all(servers.map(({ base }) => fetchPage(base + query)));
    return responses.map(({ set, page }) => [set, page.paging.totalCount]);
  };
  expect(await totals()).toEqual(servers.map(() => [1, 2]));
  const { page: first } = await fetchPage(servers[0].base + query);

  await load(...flights);
  const built = await callCommand(['build', 'connections', '--json'], env);
  expect([built.code, JSON.parse(built.out)]).toEqual([0, expect.objectContaining({ id: 2, built: 3 })]);
  await expect.poll(totals).toEqual(servers.map(() => [2, 3]));
  const { status, set, page } = await fetchPage(first.paging.next ?? '');
  expect([status, set, page.paging.totalCount, page.data.length]).toEqual([200, 1, 2, 1]);
  expect(page.paging.next ?? '').toBe('');
  const stopped = await Promise.all(servers.map((server) => server.stop()));
  expect(stopped.map(({ code }) => code)).toEqual([0, 0]);
});
