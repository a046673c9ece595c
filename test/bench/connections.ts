/** Builds, loads and searches connections of a year with 30,000 minimum connecting times. BENCH_YEAR_DAYS shortens it. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getConnectionDetails } from '#domain/connections/search/connection-details.ts';
import type { ConnectionSet } from '#domain/connections/set/connection-set.ts';
import { createConnectionSearch } from '#domain/connections/search/connection-search.ts';
import type { ConnectionFilter } from '#domain/connections/search/connection-filter.ts';
import { formatDate } from '#domain/time/dates.ts';
import type { Database } from '#store/pool/database.ts';
import { replaceMctFile } from '#store/connections/mct.ts';
import { watchConnections } from '#jobs/connections/watch-connections.ts';
import { createRandom } from '../lib/seeded-random.ts';
import type { BuildResult } from './build-connections.ts';
import { askers } from './connection-queries.ts';
import { syntheticMct } from './connections-mct.ts';
import { figure, figuresOfTimes, printFigure, quantilesOf, type Figure } from './figures.ts';
import { playLoad } from './prepared-stage.ts';
import { openWorld, readWorldSize } from './world.ts';

const MCT_RECORDS = 30_000;
const QUESTIONS = 1_000;
const PAIRS_A_TURN = 20_000;
const DAYS = Number(process.env['BENCH_YEAR_DAYS'] ?? 365);

const replaceMct = async (db: Database): Promise<void> => {
  const busiest = async (field: 'station' | 'carrier'): Promise<readonly string[]> => {
    const codes = await db<{ code: string }[]>`
      select ${field === 'station' ? db`l.iata` : db`designator`} as code
      from schedule_record r join location l on l.id = r.departure group by 1 order by count(*) desc limit 800`;
    return codes.map(({ code }) => code).filter((code) => code !== '');
  };
  const stations = await busiest('station');
  const mct = syntheticMct(MCT_RECORDS, { stations, carriers: await busiest('carrier') }, createRandom(1));
  await db.begin((sql) => replaceMctFile(sql, mct));
};

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

const memory = () => {
  globalThis.gc?.();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return { rss: megabytes(rss), heap: megabytes(heapUsed), buffers: megabytes(arrayBuffers) };
};

const building = async (url: string, from: string): Promise<void> => {
  const { firstMessage } = await playLoad('./build-connections.ts', url, from, String(DAYS));
  const { build, seconds, peakMegabytes } = firstMessage as BuildResult;
  const took = Object.values(seconds).reduce((sum, one) => sum + one, 0);
  printFigure('connections', [
    figure(`building ${build.days} days of ${build.flights} flights`, took, 's', { atMost: 60 }),
    ...Object.entries(seconds).map(([step, value]) => figure(`building: ${step}`, value, 's')),
    figure('building: candidate pairs', build.candidates, 'pairs'),
    figure('building: connections', build.built, 'connections'),
    figure('building: memory at most', peakMegabytes, 'MB', { atMost: 1500 }),
    figure('the set in memory', megabytes(build.bytes), 'MB'),
    figure('the set as it is stored', megabytes(build.storedBytes), 'MB'),
  ]);
};

const loading = async (db: Database): Promise<ConnectionSet> => {
  const before = memory();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = performance.now();
  const watch = await watchConnections(db, {
    clock: () => new Date(),
    onError: (error) => {
      throw error;
    },
  });
  const seconds = (performance.now() - startedAt) / 1000;
  delay.disable();
  const set = watch.current()?.set;
  await watch.stop();
  if (!set) throw new Error('there is no set of connections to load');
  const after = memory();
  printFigure('connections', [
    figure('loading the set into a server', seconds, 's'),
    figure('loading: longest block of the event loop', delay.max / 1e6, 'ms'),
    figure('loading: buffers', after.buffers - before.buffers, 'MB'),
    figure('loading: heap', after.heap - before.heap, 'MB'),
  ]);
  return set;
};

type Measured = { readonly ms: number; readonly longest: number; readonly slices: number; readonly total: number };

/** Returns the processor time of this thread, milliseconds; other programs do not count. */
const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Runs a query in slices as a request does, and times it and its longest slice. */
const runQuery = async (set: ConnectionSet, filter: ConnectionFilter, limit: number): Promise<Measured> => {
  await nextTurn();
  const startedAt = performance.now();
  let longest = 0;
  let slices = 0;
  let turnAt = processorMs();
  const endTurn = (): void => {
    longest = Math.max(longest, processorMs() - turnAt);
    slices += 1;
  };
  const walk = createConnectionSearch(set, filter, { limit, count: true });
  while (!walk.advance(PAIRS_A_TURN)) {
    endTurn();
    await nextTurn();
    turnAt = processorMs();
  }
  for (const found of walk.matches().slice(0, limit)) getConnectionDetails(set, found);
  endTurn();
  return { ms: performance.now() - startedAt, longest, slices, total: walk.total() };
};

const figuresOf = (name: string, measured: readonly Measured[]): readonly Figure[] => {
  const targets = name.startsWith('all but') ? [{ atMost: 5 }, { atMost: 50 }] : [];
  const most = Math.max(...measured.map(({ total }) => total));
  return [
    ...figuresOfTimes(name, quantilesOf(measured.map(({ ms }) => ms)), targets),
    figure(`${name}: found at most`, most, 'connections'),
  ];
};

/** A query by arrival airport alone scans all flights; it is reported separately. */
const isByArrival = (kind: string): boolean => kind === 'arrival airport';

const searching = async (set: ConnectionSet): Promise<void> => {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const kinds = Object.entries(askers(set, createRandom(7)));
  for (const limit of [10, 100]) {
    const others: Measured[] = [];
    for (const [kind, nextQuery] of kinds) {
      const measured: Measured[] = [];
      while (measured.length < Math.ceil(QUESTIONS / kinds.length))
        measured.push(await runQuery(set, nextQuery(), limit));
      printFigure('connections', figuresOf(`${kind}, ${limit} a page`, measured));
      if (!isByArrival(kind)) others.push(...measured);
    }
    printFigure('connections', figuresOf(`all but arrival airport, ${limit} a page`, others));
  }
  delay.disable();
  printFigure('connections', [figure('searching: longest block of the event loop', delay.max / 1e6, 'ms')]);
};

const { flightsPerDay } = readWorldSize();
const world = await openWorld({ flightsPerDay, days: DAYS, expandedDays: 1 });
try {
  // A server also keeps the previous set; this measures one.
  await world.db`delete from connection_snapshot`;
  await replaceMct(world.db);
  await building(world.url, formatDate(world.today));
  await searching(await loading(world.db));
} finally {
  await world.leave();
}
