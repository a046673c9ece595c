/**
 * Measures uncached pages: each shape of query, first pages with the exact count and next pages without, against a bare server
 * with the same SQL, one that sends the same bytes from memory, and comparable frameworks.
 */
import { walkToPage, type RequestedPage } from './requested-page.ts';
import { figure, figuresOfTimes, printFigure, type Figure } from './figures.ts';
import { runAlternated, WARM_UP_SECONDS } from './load.ts';
import { comparePeers, compareSameDuties, startPeers, type Peers } from './peers/compare.ts';
import { listBenchQueries } from './queries.ts';
import { startService } from './service.ts';
import { playLoad, playMemory } from './prepared-stage.ts';
import { openWorld, readWorldSize } from './world.ts';

const LIMITS = [100, 10] as const;

const world = await openWorld(readWorldSize());
const service = await startService(world.url, { CACHE_MB: '0' });
const withCache = await startService(world.url);
const pages: RequestedPage[] = [];
for (const limit of LIMITS)
  for (const question of await listBenchQueries(world)) {
    const page = await walkToPage(world, { base: service.base, limit }, question);
    if (page) pages.push(page);
  }
const bare = await playLoad('./bare-server.ts', world.url, JSON.stringify(pages));
const memory = await playMemory(
  service.base,
  pages.map(({ path }) => path),
);
const peers: Peers | undefined = await startPeers(world, pages);

const nameOf = ({ name, page, limit }: RequestedPage): string =>
  `${name}, page ${page}${page === 1 ? ' with count' : ''}, ${limit} a page`;

const measure = async (page: RequestedPage, index: number): Promise<readonly Figure[]> => {
  const name = nameOf(page);
  const ours = { base: service.base, paths: [page.path], pid: service.pid };
  const kept = { base: withCache.base, paths: [page.path], pid: withCache.pid };
  const { of, ratio, cpuRatio } = await runAlternated({
    ours,
    bare: { base: `http://127.0.0.1:${String(bare.firstMessage)}`, paths: [`/${index}`], pid: bare.process.pid },
    memory: { base: memory.base, paths: [page.path], pid: memory.pid },
  });
  const { perSecond } = of('ours');
  return [
    figure(`${name}: requests`, perSecond, 'requests/s'),
    ...figuresOfTimes(name, of('ours')),
    figure(`${name}: to bare node:http and postgres`, ratio('ours', 'bare'), 'ratio', { atLeast: 0.95 }),
    figure(`${name}: by processor, to bare node:http and postgres`, cpuRatio('ours', 'bare'), 'ratio'),
    figure(`${name}: to bare node:http from memory`, ratio('ours', 'memory'), 'ratio'),
    ...(peers ? await compareSameDuties(peers, { ours, page, name }) : []),
    ...(peers ? await comparePeers(peers, { ours, kept, page, index, name }) : []),
  ];
};

/** The ratio of first pages with an exact count to next pages without. */
const firstToNext = async (first: RequestedPage): Promise<readonly Figure[]> => {
  const next = pages.find(({ name, limit, page }) => page === 2 && name === first.name && limit === first.limit);
  if (!next) return [];
  const { ratio, cpuRatio } = await runAlternated({
    first: { base: service.base, paths: [first.path], pid: service.pid },
    next: { base: service.base, paths: [next.path], pid: service.pid },
  });
  const name = `${first.name}, ${first.limit} a page: first page with count to the next without`;
  return [
    figure(name, ratio('first', 'next'), 'ratio', { atLeast: 0.75 }),
    figure(`${name}, by processor`, cpuRatio('first', 'next'), 'ratio'),
  ];
};

const warmUp = (): Promise<unknown> =>
  runAlternated(
    {
      ours: { base: service.base, paths: pages.map(({ path }) => path) },
      bare: { base: `http://127.0.0.1:${String(bare.firstMessage)}`, paths: pages.map((_, index) => `/${index}`) },
    },
    WARM_UP_SECONDS,
  );

try {
  await warmUp();
  for (const [index, page] of pages.entries()) printFigure('serving', await measure(page, index));
  for (const page of pages) if (page.page === 1) printFigure('serving', await firstToNext(page));
  printFigure('serving', [figure('memory of the server', service.megabytes(), 'MB')]);
} finally {
  await Promise.all([service.stop(), withCache.stop(), bare.stop(), memory.stop(), peers?.stop()]);
  await world.leave();
}
