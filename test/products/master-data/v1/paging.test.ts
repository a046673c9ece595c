import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocationPage } from '../../../../generated/master-data/v1/types.gen.ts';
import { TEST_KEY, type TinyService } from '../../../support/tiny-world.ts';
import { parseBody, serveMasterData } from './master-data-service.ts';

let world: TinyService;
beforeAll(async () => {
  world = await serveMasterData();
});
afterAll(() => world.drop());

type Page = { readonly data: readonly unknown[]; readonly paging: LocationPage['paging'] };

const follow = (next: string): Promise<Page> => parseBody(world.get(next.replace('http://service.test', '')));

const listPages = async (path: string): Promise<readonly Page[]> => {
  const pages: Page[] = [];
  for (let next: string | undefined = path; next !== undefined; next = pages.at(-1)?.paging.next)
    pages.push(await follow(next));
  return pages;
};

const getProblem = async (path: string): Promise<string> => {
  const response = await world.get(path.replace('http://service.test', ''));
  const { type }: { type: string } = await response.json();
  return `${response.status} ${type}`;
};

describe('a walk returns every record once, in the order of the whole list', () => {
  test.each(
    ['/locations', '/locations?Near=51.5,-0.12&WithinKm=20038', '/carriers', '/equipment'].flatMap((list) =>
      [1, 2, 7].map((limit) => [list, limit] as const),
    ),
  )('%s, %i at a time', async (list, limit) => {
    const to = list.includes('?') ? '&' : '?';
    const whole = await follow(`${list}${to}Limit=1000`);
    const pages = await listPages(`${list}${to}Limit=${limit}`);
    expect(pages.flatMap(({ data }) => data)).toEqual(whole.data);
    const { totalCount } = whole.paging;
    const totals = pages.map(({ paging: { next: _, ...paging } }) => paging);
    expect(new Set(totals.map((paging) => JSON.stringify(paging)))).toEqual(
      new Set([JSON.stringify({ limit, totalCount, totalPages: Math.ceil(totalCount / limit) })]),
    );
    expect(pages).toHaveLength(Math.ceil(totalCount / limit));
  });
});

test('a walk stays on its first day', async () => {
  const question = '/locations?AirportCode=ZBU,ZOF,ZPT&Limit=1';
  try {
    world.setToday('2026-06-30');
    const first = await follow(question);
    world.setToday('2026-07-01');
    const rest = await listPages(first.paging.next ?? '');
    expect([first, ...rest].flatMap(({ data }) => data)).toMatchObject(
      ['ZBU', 'ZOF', 'ZPT'].map((iata) => ({ code: { iata } })),
    );
    expect((await follow(question)).data).toMatchObject([{ code: { iata: 'ZPT' } }]);
  } finally {
    world.setToday('2026-06-01');
  }
});

test('a cursor is valid for its search: other filters and other lists reject it', async () => {
  const { paging } = await follow('/carriers?Limit=1');
  const cursor = new URL(paging.next ?? '').searchParams.get('After') ?? '';
  const invalid = '400 /docs/errors#cursor-invalid';
  expect(await getProblem(`/carriers?Limit=1&CarrierCode=ZX&After=${cursor}`)).toBe(invalid);
  expect(await getProblem(`/equipment?Limit=1&After=${cursor}`)).toBe(invalid);
  expect(await getProblem(`/carriers?Limit=1&AsOf=2026-06-01&After=${cursor}`)).toBe(invalid);
  expect((await world.get(`/carriers?Limit=5&Content=Provenance&After=${cursor}`)).status).toBe(200);
});

test('rejects a cursor whose record no longer matches', async () => {
  const served = await serveMasterData();
  const { paging } = await parseBody<Page>(served.get('/locations?CountryCode=GB&Limit=2'));
  await served.db`update location set country_code = 'IE' where iata = 'LHR'`;
  await served.refresh();
  const response = await served.get((paging.next ?? '').replace('http://service.test', ''));
  const { type, errors }: { type: string; errors: unknown } = await response.json();
  await served.drop();
  expect([response.status, type, errors]).toEqual([
    400,
    '/docs/errors#cursor-gone',
    { After: ['marks an item that is no longer in the list'] },
  ]);
});

describe('a repeated request for a record', () => {
  const sendRequest = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    world.send(path, { method, headers: { 'subscription-key': TEST_KEY, ...headers } });

  test('has the same tag until it changes, and returns 304 until then', async () => {
    const served = await serveMasterData();
    const get = (headers: Record<string, string> = {}) =>
      served.get('/locations/JFK', { 'subscription-key': TEST_KEY, ...headers });
    const tag = (await get()).headers.get('etag') ?? '';
    expect((await get({ 'if-none-match': tag })).status).toBe(304);
    await served.db`update location set name = 'Idlewild' where iata = 'LHR'`;
    await served.refresh();
    expect((await get({ 'if-none-match': tag })).status).toBe(304);
    await served.db`update location set name = 'Idlewild' where iata = 'JFK'`;
    await served.refresh();
    const changed = await get({ 'if-none-match': tag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(tag);
    await served.drop();
  });

  test('returns 304 with its tag and its time, and without a body', async () => {
    const first = await sendRequest('/carriers/ZX');
    const { status, headers, body } = await sendRequest('/carriers/ZX', {
      'if-none-match': `"old", ${first.headers.get('etag')}`,
    });
    expect([status, body]).toEqual([304, null]);
    for (const name of ['etag', 'last-modified', 'api-version', 'cache-control', 'vary'])
      expect([name, headers.get(name)]).toEqual([name, first.headers.get(name)]);
    expect([headers.has('content-type'), headers.has('content-length')]).toEqual([false, false]);
  });

  test('returns the same for HEAD as for GET, without a body', async () => {
    const [fetched, headed] = [await sendRequest('/equipment'), await sendRequest('/equipment', {}, 'HEAD')];
    const stored = ['etag', 'last-modified', 'content-length'].map((name) => headed.headers.get(name));
    expect(stored).toEqual(['etag', 'last-modified', 'content-length'].map((name) => fetched.headers.get(name)));
    expect((await sendRequest('/equipment', { 'if-none-match': '*' }, 'HEAD')).status).toBe(304);
  });

  test('returns an error whatever the tag', async () => {
    expect((await sendRequest('/locations/QQQ', { 'if-none-match': '*' })).status).toBe(404);
    expect((await sendRequest('/locations?Limit=0', { 'if-none-match': '*' })).status).toBe(400);
    expect((await world.get('/locations', { 'if-none-match': '*' })).status).toBe(401);
  });
});

describe('Last-Modified is never too early', () => {
  const modified = async (path: string): Promise<string | null> => (await world.get(path)).headers.get('last-modified');
  afterAll(() => world.setToday('2026-06-01'));

  test('for records that depend on the day it is the start of the day, for others the time of reading', async () => {
    world.setToday('2026-06-09');
    expect(await modified('/carriers/ZX')).toBe('Tue, 09 Jun 2026 00:00:00 GMT');
    expect(await modified('/carriers')).toBe('Tue, 09 Jun 2026 00:00:00 GMT');
    expect(await modified('/carriers/ZX?AsOf=2026-06-09')).toBe('Mon, 01 Jun 2026 12:00:00 GMT');
    expect(await modified('/equipment')).toBe('Mon, 01 Jun 2026 12:00:00 GMT');
  });

  test('for records with a clock it is not before the last change of the clock', async () => {
    world.setToday('2026-10-25');
    expect(await modified('/locations/LHR?AsOf=2026-06-01')).toBe('Sun, 25 Oct 2026 01:00:00 GMT');
    expect(await modified('/locations?AirportCode=LHR,IST&AsOf=2026-06-01')).toBe('Sun, 25 Oct 2026 01:00:00 GMT');
    expect(await modified('/locations/IST?AsOf=2026-06-01')).toBe('Mon, 01 Jun 2026 12:00:00 GMT');
  });

  test('a request with an earlier time returns the changed record', async () => {
    world.setToday('2026-10-25');
    const since = { 'subscription-key': TEST_KEY, 'if-modified-since': 'Sat, 24 Oct 2026 12:00:00 GMT' };
    const body: { timezone: { currentUtcVariation: string } } = await parseBody(
      world.get('/locations/LHR?AsOf=2026-06-01', since),
    );
    expect(body.timezone.currentUtcVariation).toBe('+0000');
  });
});
