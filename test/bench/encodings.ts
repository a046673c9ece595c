/** Compares full pages with 304 responses, and compressed with uncompressed ones, with and without the page cache. */
import { WORLD_KEY } from './synthetic/seed-synthetic.ts';
import { figure, printFigure, type Figure } from './figures.ts';
import { runAlternated } from './load.ts';
import { listBenchQueries } from './queries.ts';
import { startService, type Service } from './service.ts';
import { openWorld, readWorldSize } from './world.ts';

const codings = ['zstd', 'gzip', 'br'] as const;

const headersOf = async (address: string, coding: string): Promise<Headers> => {
  const response = await fetch(address, { headers: { 'subscription-key': WORLD_KEY, 'accept-encoding': coding } });
  await response.arrayBuffer();
  return response.headers;
};
const tagOf = async (address: string) => (await headersOf(address, 'identity')).get('etag') ?? undefined;

/** The same concurrency as for hot pages. */
const connections = 32;

const measure = async ({ base, pid }: Service, path: string, { isCached }: { readonly isCached: boolean }) => {
  const where = isCached ? 'page of 100 from the cache' : 'page of 100 without a cache';
  const full = { base, pid, connections, paths: [path], headers: { 'accept-encoding': 'identity' } };
  const figures: Figure[] = [];
  const tag = await tagOf(`${base}${path}`);
  if (tag !== undefined) {
    const { ratio, cpuRatio, of } = await runAlternated({
      full,
      unchanged: { ...full, headers: { 'if-none-match': tag }, status: 304 },
    });
    const name = `${where}: 304 to a full page`;
    figures.push(figure(name, ratio('unchanged', 'full'), 'ratio'));
    figures.push(figure(`${name}, by processor`, cpuRatio('unchanged', 'full'), 'ratio'));
    figures.push(figure(`${where}: 304`, of('unchanged').perSecond, 'requests/s'));
    figures.push(figure(`${where}: full`, of('full').perSecond, 'requests/s'));
  }
  for (const coding of codings) {
    const headers = await headersOf(`${base}${path}`, coding);
    if (headers.get('content-encoding') !== coding) continue;
    const { ratio, cpuRatio } = await runAlternated({
      full,
      packed: { ...full, headers: { 'accept-encoding': coding } },
    });
    const target = coding === 'zstd' ? { atLeast: 0.7 } : undefined;
    figures.push(figure(`${where}: ${coding} to uncompressed`, ratio('packed', 'full'), 'ratio', target));
    figures.push(figure(`${where}: ${coding} to uncompressed, by processor`, cpuRatio('packed', 'full'), 'ratio'));
    figures.push(figure(`${where}: bytes with ${coding}`, Number(headers.get('content-length')), 'bytes'));
  }
  printFigure('encodings', figures);
};

const world = await openWorld(readWorldSize());
const cached = await startService(world.url);
const plain = await startService(world.url, { CACHE_MB: '0' });
try {
  const [question] = await listBenchQueries(world);
  const path = `/flight-instances?${question?.query ?? ''}&Limit=100`;
  await measure(plain, path, { isCached: false });
  await measure(cached, path, { isCached: true });
  const load = { connections, paths: [path] };
  const tag = await tagOf(`${cached.base}${path}`);
  if (tag !== undefined) {
    const { ratio, cpuRatio } = await runAlternated({
      full: { base: plain.base, pid: plain.pid, ...load },
      unchanged: { base: cached.base, pid: cached.pid, ...load, headers: { 'if-none-match': tag }, status: 304 },
    });
    const name = '304 from the cache to a full page from the database';
    printFigure('encodings', [
      figure(name, ratio('unchanged', 'full'), 'ratio', { atLeast: 10 }),
      figure(`${name}, by processor`, cpuRatio('unchanged', 'full'), 'ratio'),
    ]);
  }
} finally {
  await Promise.all([cached.stop(), plain.stop()]);
  await world.leave();
}
