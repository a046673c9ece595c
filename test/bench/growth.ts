/** Measures how cost grows: the same queries over a tenth of the flights and over all, and bytes per flight on disk. */
import { walkToPage } from './requested-page.ts';
import { figure, figuresOfTimes, printFigure, type Figure } from './figures.ts';
import { runAlternated } from './load.ts';
import { listBenchQueries } from './queries.ts';
import { startService, type Service } from './service.ts';
import { openWorld, readWorldSize, type World } from './world.ts';

const LIMIT = 100;

type Sizes = {
  readonly flights: number;
  readonly heap: number;
  readonly indexes: number;
  readonly rest: number;
  readonly records: number;
};

/** Bytes of flights and of everything else. */
const sizesOf = async ({ db }: World): Promise<Sizes> => {
  const [row] = await db<Sizes[]>`
    with day as (select inhrelid as id from pg_inherits where inhparent = 'flight_instance'::regclass)
    select (select count(*)::float8 from flight_instance) as flights,
      (select sum(pg_table_size(id))::float8 from day) as heap,
      (select sum(pg_indexes_size(id))::float8 from day) as indexes,
      (select sum(pg_total_relation_size(c.oid))::float8 from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and c.oid not in (select id from day)) as rest,
      (select count(*)::float8 from schedule_record) as records`;
  if (!row) throw new Error('the world has no flights');
  return row;
};

const served = async (world: World, service: Service, title: string): Promise<readonly Figure[]> => {
  const figures: Figure[] = [];
  for (const question of await listBenchQueries(world)) {
    const page = await walkToPage(world, { base: service.base, limit: LIMIT }, question);
    if (!page || page.page === 2) continue;
    const load = (await runAlternated({ ours: { base: service.base, paths: [page.path], pid: service.pid } })).of(
      'ours',
    );
    const name = `${title}: ${page.name}, page ${page.page}`;
    figures.push(figure(`${name}: requests`, load.perSecond, 'requests/s'));
    figures.push(figure(`${name}: processor of the server a request`, load.cpuMs, 'ms'));
    figures.push(...figuresOfTimes(name, load));
  }
  return figures;
};

const measure = async (flightsPerDay: number, days: number): Promise<void> => {
  const world = await openWorld({ flightsPerDay, days });
  const service = await startService(world.url, { CACHE_MB: '0' });
  const title = `${flightsPerDay} flights a day`;
  try {
    const { flights, heap, indexes, rest, records } = await sizesOf(world);
    const figures = await served(world, service, title);
    printFigure('growth', [
      figure(`${title}: flights`, flights, 'rows'),
      figure(`${title}: heap a flight`, heap / flights, 'bytes'),
      figure(`${title}: indexes a flight`, indexes / flights, 'bytes'),
      figure(`${title}: all else, a schedule record`, rest / records, 'bytes'),
      ...figures,
      figure(`${title}: memory of the server`, service.megabytes(), 'MB'),
      figure(`${title}: filled in`, world.filled.seconds, 's'),
      figure(`${title}: memory at most while it was filled`, world.filled.peakMegabytes, 'MB'),
    ]);
  } finally {
    await service.stop();
    await world.leave();
  }
};

const { flightsPerDay, days } = readWorldSize();
await measure(flightsPerDay / 10, days);
await measure(flightsPerDay, days);
