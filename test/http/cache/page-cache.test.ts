import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import type { PageContents } from '#domain/cache/page-invalidation.ts';
import { sendRendered } from '#http/context/body.ts';
import { PageCache, createPageCacheMetrics } from '#http/cache/page-cache.ts';
import { formatMetrics } from '#telemetry/format-metrics.ts';
import { createApiOf, serve } from '../tiny-service.ts';

const day = localDate('2026-06-01');
const anyValue = { carriers: undefined, departures: undefined, arrivals: undefined, flightDays: undefined };
const contents: PageContents = {
  ...anyValue,
  days: { from: day, to: day },
  dependsOnStatuses: false,
  flights: new Set(),
};

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

type TestCacheOptions = {
  readonly maxBytes?: number;
  readonly pageBytes?: number;
  readonly hasContents?: boolean;
  readonly spareBytes?: number;
  readonly maxStalenessMs?: number;
  readonly publicUrl?: string;
};

/** A service with pages of this length, behind a cache of this many bytes. Its current version is v3, on `state.today`. */
const createTestCache = ({
  maxBytes = 1 << 20,
  pageBytes = 10_000,
  hasContents = true,
  spareBytes = 0,
  maxStalenessMs = 0,
  ...options
}: TestCacheOptions = {}) => {
  const dependency: object = {};
  const today = '2026-04-01';
  const state = { position: 0, touched: false, isUnavailable: false, dependency, lookups: 0, rendered: 0, today };
  const held = { hits: 0, misses: 0, pages: 0, bytes: 0 };
  const flightPageCache = new PageCache({
    changes: {
      isCaughtUp: () => false,
      catchUp: async () => {
        state.lookups += 1;
        if (state.isUnavailable) throw new Error('away');
      },
      position: () => state.position,
      isUnchanged: () => !state.touched,
      checkedAt: () => new Date(`${state.today}T11:59:50.500Z`),
      wasUnchanged: () => !state.touched,
    },
    getDependency: () => state.dependency,
    maxBytes,
    statistics: held,
  });
  const api = createApiOf((c) => {
    state.rendered += 1;
    const text = `page ${state.rendered} of ${c.get('query').replace('Limit=', '')} `;
    const bytes = Buffer.alloc(pageBytes + spareBytes, text).subarray(0, pageBytes);
    const hint = c.get('cacheHint');
    if (hint && hasContents) hint.contents = contents;
    return sendRendered(c, bytes);
  });
  const { app } = serve({
    ...options,
    api,
    flightPageCache,
    staleness: { maxStalenessMs, isOutage: () => true },
    clock: () => new Date(`${state.today}T12:00:00Z`),
  });
  const send = (query: string, { url = 'http://x/flight-instances', headers = {} } = {}) =>
    app.request(`${url}?${query}`, { headers });
  const get = async (query: string, { url = 'http://x/flight-instances', headers = {} } = {}): Promise<string> => {
    const response = await send(`Limit=${query}`, { url, headers: { 'Subscription-Key': 'good', ...headers } });
    if (!response.ok) return `status ${response.status}`;
    return Buffer.from(await response.arrayBuffer())
      .toString()
      .slice(0, 16);
  };
  return { state, held, get, send };
};

test('stores a page on its second request and serves it from then on', async () => {
  const { state, get } = createTestCache();
  const served = [await get('a'), await get('a'), await get('a'), await get('a')];
  expect(served).toEqual([1, 2, 2, 2].map((count) => `page ${count} of a page`));
  // Changes are queried for cached pages only.
  expect(state.lookups).toBe(2);
});

test.for<[string, (state: { touched: boolean; dependency: object }) => void]>([
  ['it shows has changed', (state) => (state.touched = true)],
  ['master data say has changed', (state) => (state.dependency = {})],
])('renders the page again after an event that %s', async ([, change]) => {
  const { state, get } = createTestCache();
  for (let times = 0; times < 3; times += 1) await get('a');
  change(state);
  expect([await get('a'), state.rendered]).toEqual(['page 3 of a page', 3]);
});

test('distinguishes version, base URL and query, and ignores other paths', async () => {
  const { state, get } = createTestCache();
  for (let times = 0; times < 3; times += 1) await get('a');
  await get('b');
  await get('a', { url: 'http://y/flight-instances' });
  for (let times = 0; times < 3; times += 1) await get('a', { url: 'http://x/flight-instances/2026-04-01/a' });
  // The current version is v2.
  state.today = '2025-06-01';
  await get('a');
  expect(state.rendered).toBe(8);
});

test('serves one page for a query with and without ignored parameters, which the response names', async () => {
  const { state, send } = createTestCache();
  const read = async (query: string, key = 'good'): Promise<readonly unknown[]> => {
    const response = await send(query, { headers: { 'Subscription-Key': key } });
    return [response.status, response.headers.get('ignored-parameters')];
  };
  for (let times = 0; times < 3; times += 1) await read('Limit=5');
  expect(state.rendered).toBe(2);
  expect(await read('_=1&Limit=5')).toEqual([200, '"_"']);
  expect(await read('Limit=5&_=2&utm_source=x')).toEqual([200, '"_", "utm_source"']);
  expect(await read('Limit=5&_=')).toEqual([200, null]);
  expect(await read('Limit=5')).toEqual([200, null]);
  expect(await read('Limit=5', 'strict')).toEqual([200, null]);
  expect(state.rendered).toBe(2);
  // A page that is first requested with such a name is stored without it.
  for (const time of [1, 2, 3]) await read(`Limit=6&_=${time}`);
  expect(state.rendered).toBe(4);
  expect(await read('Limit=6')).toEqual([200, null]);
  expect(state.rendered).toBe(4);
});

test('serves no cached page while changes cannot be queried', async () => {
  const { state, get } = createTestCache();
  for (let times = 0; times < 3; times += 1) await get('a');
  state.isUnavailable = true;
  expect([await get('a'), state.rendered]).toEqual(['status 500', 2]);
});

const staleHeaders = ({ status, headers }: Response) =>
  [status, ...['age', 'data-as-of', 'cache-control'].map((name) => headers.get(name))].join(' ');

test('while changes cannot be queried, serves pages as of the last check, for as long as configured', async () => {
  const { state, send } = createTestCache({ maxStalenessMs: 10_000 });
  const headers = { 'Subscription-Key': 'good' };
  for (let times = 0; times < 3; times += 1) await send('Limit=1', { headers });
  state.isUnavailable = true;
  const stale = await send('Limit=1', { headers });
  expect(staleHeaders(stale)).toBe('200 10 2026-04-01T11:59:50.500Z no-store');
  expect([(await stale.text()).slice(0, 16), state.rendered]).toEqual(['page 2 of 1 page', 2]);
  // The handler responds, and its page is not stored.
  state.touched = true;
  expect(staleHeaders(await send('Limit=1', { headers }))).toBe('200   private, no-cache');
  Object.assign(state, { touched: false, dependency: {} });
  expect(staleHeaders(await send('Limit=1', { headers }))).toBe('200   private, no-cache');
});

test('does not store a response without contents', async () => {
  const { state, get } = createTestCache({ hasContents: false });
  for (let times = 0; times < 4; times += 1) await get('a');
  expect(state.rendered).toBe(4);
});

test('drops the least recently used pages beyond the memory limit, and stores no long page', async () => {
  const { state, get } = createTestCache({ maxBytes: 100_000 });
  for (const query of ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd', 'e', 'e', 'f', 'f', 'g', 'g', 'h', 'h'])
    await get(query);
  await get('a');
  for (const query of ['i', 'i', 'j', 'j']) await get(query);
  const before = state.rendered;
  await get('a');
  expect(state.rendered).toBe(before);
  await get('b');
  expect(state.rendered).toBe(before + 1);
  const long = createTestCache({ maxBytes: 40_000 });
  for (let times = 0; times < 4; times += 1) await long.get('a');
  expect(long.state.rendered).toBe(4);
});

test('counts compressed bodies, and subtracts dropped pages', async () => {
  const { state, held, get } = createTestCache();
  for (let times = 0; times < 3; times += 1) await get('a');
  const plain = held.bytes;
  expect(held).toMatchObject({ pages: 1, hits: 1, misses: 2 });
  expect(plain).toBeGreaterThan(10_000);
  await get('a', { headers: { 'accept-encoding': 'gzip' } });
  const both = held.bytes;
  expect(both).toBeGreaterThan(plain);
  await get('a', { headers: { 'accept-encoding': 'gzip' } });
  expect(held.bytes).toBe(both);
  state.touched = true;
  await get('a');
  expect(held).toEqual({ pages: 1, bytes: plain, hits: 3, misses: 3 });
});

test('counts a compressed body once when two requests compress it at the same time', async () => {
  const { held, get, send } = createTestCache({ maxBytes: 64 << 20, pageBytes: 300_000 });
  for (let times = 0; times < 3; times += 1) await get('a');
  const plain = held.bytes;
  const headers = { 'Subscription-Key': 'good', 'accept-encoding': 'gzip' };
  const [one, other] = await Promise.all([send('Limit=a', { headers }), send('Limit=a', { headers })]);
  const lengths = [one, other].map((response) => Number(response.headers.get('content-length')));
  expect(lengths).toEqual([held.bytes - plain, held.bytes - plain]);
});

test('uses no more memory than counted, whatever buffer the bytes came from', async () => {
  const { held, get } = createTestCache({ maxBytes: 64 << 20, pageBytes: 2000, spareBytes: 1 << 18 });
  const used = (): number => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const before = used();
  for (let page = 0; page < 200; page += 1) {
    for (let times = 0; times < 3; times += 1)
      await get(`${page}`, { headers: { 'accept-encoding': ['gzip', 'br', 'zstd'][page % 3] } });
  }
  // Parts of responses that were read are released a moment later.
  await expect.poll(() => used() - before, { timeout: 20_000 }).toBeLessThan(2 * held.bytes);
});

test('stores no page with a long host or query, nor its key', async () => {
  const long = createTestCache({ publicUrl: `http://${'x'.repeat(2000)}` });
  for (let times = 0; times < 3; times += 1) await long.get('a');
  const { state, get } = createTestCache();
  for (let times = 0; times < 3; times += 1) await get('b'.repeat(2000));
  expect([long.state, state].map(({ rendered, lookups }) => [rendered, lookups])).toEqual([
    [3, 0],
    [3, 0],
  ]);
});

test('the metrics count lookups, pages and bytes', async () => {
  const { statistics, observe } = createPageCacheMetrics();
  Object.assign(statistics, { hits: 2, misses: 1, pages: 3, bytes: 4000 });
  expect(formatMetrics(await observe()).split('\n')).toEqual([
    '# HELP flightdata_page_cache_hits_total Page cache hits',
    '# TYPE flightdata_page_cache_hits_total counter',
    'flightdata_page_cache_hits_total 2',
    '# HELP flightdata_page_cache_misses_total Page cache misses',
    '# TYPE flightdata_page_cache_misses_total counter',
    'flightdata_page_cache_misses_total 1',
    '# HELP flightdata_page_cache_pages Pages in the page cache',
    '# TYPE flightdata_page_cache_pages gauge',
    'flightdata_page_cache_pages 3',
    '# HELP flightdata_page_cache_bytes Memory of the page cache, including compressed forms',
    '# TYPE flightdata_page_cache_bytes gauge',
    'flightdata_page_cache_bytes 4000',
    '',
  ]);
});
