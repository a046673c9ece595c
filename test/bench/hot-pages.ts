/**
 * Measures hot pages: a Zipf mix over airports and days with statuses, while 100 status messages per second arrive through the
 * feed, against bare node:http that sends the same bytes from memory and sees no changes.
 */
import { addDays, formatDate } from '#domain/time/dates.ts';
import { createWeightedPicker } from './synthetic/flights.ts';
import { createRandom } from '../lib/seeded-random.ts';
import { figure, figuresOfTimes, printFigure } from './figures.ts';
import { runAlternated, WARM_UP_SECONDS } from './load.ts';
import { playMemory } from './prepared-stage.ts';
import { startService } from './service.ts';
import { startStatusTrickle } from './status-trickle.ts';
import { openWorld, readWorldSize, type World } from './world.ts';

const PER_SECOND = 100;
/** 32 callers are typical of hot pages; 8 as well, because fewer callers share the cost of a freshness query. */
const CALLERS = [32, 8] as const;

const AIRPORTS = 100;
const DAYS = 3;
const REQUESTS = 4000;

/** Weights of a Zipf distribution: the n-th is requested 1/n as often as the first. */
const zipf = (count: number): readonly number[] => Array.from({ length: count }, (_, rank) => 1 / (rank + 1));

/** Lists departures with statuses of the busiest airports on three days, weighted by Zipf's law. */
const listHotPaths = async ({ db, today }: World, limit: number): Promise<readonly string[]> => {
  const airports = await db<{ iata: string }[]>`
    select l.iata from flight_instance i join location l on l.id = i.departure
    where departs_at >= ${formatDate(today)}::date and departs_at < ${formatDate(addDays(today, 1))}::date
    group by 1 order by count(*) desc, 1 limit ${AIRPORTS}`;
  const [airport, day] = [createWeightedPicker(zipf(airports.length)), createWeightedPicker(zipf(DAYS))];
  const chance = createRandom(3);
  const share = (): number => chance.integer(0, 999_999) / 1e6;
  return chance.times(REQUESTS, () => {
    const date = formatDate(addDays(today, day(share())));
    return `/flight-instances?DepartureDateTime=${date}&DepartureAirport=${airports[airport(share())]?.iata ?? ''}&Content=Status&Limit=${limit}`;
  });
};

/** Reads the hits and misses of the page cache from the metrics of a server. */
const readCache = async (url: string): Promise<{ readonly hit: number; readonly miss: number }> => {
  const lines = (await (await fetch(url)).text()).split('\n').filter((line) => /^[^#]*cache/.test(line));
  const sumOf = (word: string): number =>
    lines.reduce((sum, line) => sum + (line.includes(word) ? Number(line.split(' ').at(-1)) : 0), 0);
  return { hit: sumOf('hit'), miss: sumOf('miss') };
};

const world = await openWorld(readWorldSize());
const service = await startService(world.url);

const measure = async (
  limit: number,
  paths: readonly string[],
  memory: { readonly base: string; readonly pid?: number | undefined },
) => {
  for (const connections of CALLERS) {
    const targets = {
      ours: { base: service.base, paths, pid: service.pid, connections },
      memory: { base: memory.base, paths, pid: memory.pid, connections },
    };
    const calm = await runAlternated(targets, WARM_UP_SECONDS);
    const trickle = await startStatusTrickle(world, PER_SECOND);
    const before = await readCache(service.metrics);
    const busy = await runAlternated(targets);
    const after = await readCache(service.metrics);
    const stored = await trickle.stop();
    const hits = after.hit - before.hit;
    const requests = hits + after.miss - before.miss;
    const { perSecond } = busy.of('ours');
    const name = `${limit} a page, Zipf mix, ${connections} callers`;
    const whileStored = `${name}, ${PER_SECOND} messages/s`;
    const target = limit === 100 && connections === 32 ? { atLeast: 0.6 } : undefined;
    printFigure('hot', [
      figure(`${name}, nothing changes: to bare node:http from memory`, calm.ratio('ours', 'memory'), 'ratio'),
      figure(`${whileStored}: to bare node:http from memory`, busy.ratio('ours', 'memory'), 'ratio', target),
      figure(`${whileStored}: by processor, to the same`, busy.cpuRatio('ours', 'memory'), 'ratio'),
      figure(`${whileStored}: requests`, perSecond, 'requests/s'),
      ...figuresOfTimes(whileStored, busy.of('ours')),
      figure(`${name}: messages stored meanwhile`, stored, 'messages/s'),
      figure(`${name}: served from the cache`, (100 * hits) / requests, '%'),
    ]);
  }
};

try {
  for (const limit of [100, 10]) {
    const paths = await listHotPaths(world, limit);
    const memory = await playMemory(service.base, paths);
    await measure(limit, paths, memory);
    await memory.stop();
  }
  printFigure('hot', [figure('memory of the server', service.megabytes(), 'MB')]);
} finally {
  await service.stop();
  if (process.env['BENCH_KEEP'] !== undefined)
    process.stderr.write('the kept world has statuses now: pages with statuses are larger in a later run\n');
  await world.leave();
}
