import { beforeEach, expect, test } from 'vitest';
import type { LocationPage, Problem } from '#generated/master-data/v1/types.gen.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { getJson, listPages } from '#test/products/responses.ts';
import { serveMasterData } from './master-data-service.ts';
import { sharedService } from '#test/support/shared-service.ts';

const world = sharedService(serveMasterData);
beforeEach(() => world.setToday('2026-06-01'));

const page = (path: string): Promise<LocationPage> => getJson(world, path);

test('all pages have the day of the first page', async () => {
  const path = '/locations?AirportCode=ZBU,ZOF,ZPT&Limit=1';
  const codesOf = (pages: readonly LocationPage[]) => pages.flatMap(({ data }) => data.map(({ code }) => code.iata));
  world.setToday('2026-06-30');
  const first = await page(path);
  world.setToday('2026-07-01');
  const rest = await listPages<LocationPage>(world, first.paging.next);
  expect([codesOf([first, ...rest]), codesOf([await page(path)])]).toEqual([['ZBU', 'ZOF', 'ZPT'], ['ZPT']]);
});

test('accepts a cursor with another limit and content', async () => {
  const { paging } = await page('/carriers?Limit=1');
  const cursor = new URL(paging.next ?? '').searchParams.get('After');
  const { data } = await page('/carriers?Limit=6&Content=Provenance');
  expect((await page(`/carriers?Limit=5&Content=Provenance&After=${cursor}`)).data).toEqual(data.slice(1));
});

const read = 'Mon, 01 Jun 2026 12:00:00 GMT';
test.each([
  // Records that depend on the day change at its start, others when they are read.
  ['2026-06-09', '/carriers/ZX', 'Tue, 09 Jun 2026 00:00:00 GMT'],
  ['2026-06-09', '/carriers', 'Tue, 09 Jun 2026 00:00:00 GMT'],
  ['2026-06-09', '/carriers/ZX?AsOf=2026-06-09', read],
  ['2026-06-09', '/carriers?AsOf=2026-06-09', read],
  ['2026-06-09', '/equipment', read],
  ['2026-06-09', '/equipment/789', read],
  // Records that contain the current time offset change with it.
  ['2026-10-25', '/locations/LHR?AsOf=2026-06-01', 'Sun, 25 Oct 2026 01:00:00 GMT'],
  ['2026-10-25', '/locations?AirportCode=LHR,IST&AsOf=2026-06-01', 'Sun, 25 Oct 2026 01:00:00 GMT'],
  ['2026-10-25', '/locations/IST?AsOf=2026-06-01', read],
  ['2026-10-25', '/locations/IST', 'Sun, 25 Oct 2026 00:00:00 GMT'],
])('Last-Modified is never too early on %s, %s', async (today, path, expected) => {
  world.setToday(today);
  expect((await world.get(path)).headers.get('last-modified')).toBe(expected);
});

test('a request with a time before the change returns the changed record', async () => {
  world.setToday('2026-10-25');
  const since = { 'subscription-key': TEST_KEY, 'if-modified-since': 'Sat, 24 Oct 2026 12:00:00 GMT' };
  const response = await world.get('/locations/LHR?AsOf=2026-06-01', since);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ timezone: { currentUtcVariation: '+0000' } });
});

// This test changes the records.
test('a changed record has another tag, and a cursor whose record no longer matches is rejected', async () => {
  const { paging } = await page('/locations?CountryCode=GB&Limit=2');
  const tag = (await world.get('/locations/JFK')).headers.get('etag') ?? '';
  const repeat = (): Promise<Response> =>
    world.get('/locations/JFK', { 'subscription-key': TEST_KEY, 'if-none-match': tag });
  expect((await repeat()).status).toBe(304);
  await world.db`update location set country_code = 'IE' where iata = 'LHR'`;
  await world.refresh();
  expect((await repeat()).status).toBe(304);
  expect(await getJson<Problem>(world, paging.next, 400)).toMatchObject({
    type: '/docs/errors#cursor-gone',
    errors: { After: ['marks an item that is no longer in the list'] },
  });
  await world.db`update location set name = 'Idlewild' where iata = 'JFK'`;
  await world.refresh();
  const changed = await repeat();
  expect([changed.status, changed.headers.get('etag') === tag]).toEqual([200, false]);
});
