/**
 * `node test/bench/connections.ts`: measures building, loading and searching the connections of a year of the synthetic global schedule. The
 * database that holds it is kept from run to run; `node test/bench/connections.ts anew` makes it again.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { detailsOf } from '../../src/domain/connections/connection-details.ts';
import type { ConnectionSet } from '../../src/domain/connections/connection-set.ts';
import { newConnectionWalk } from '../../src/domain/connections/connection-walk.ts';
import type { WantedConnections } from '../../src/domain/connections/wanted-connections.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { replaceMctFile } from '../../src/store/mct.ts';
import { migrate } from '../../src/store/migrate.ts';
import { watchConnections } from '../../src/work/connections-watch.ts';
import { importMasterData } from '../../src/work/import-master-data.ts';
import { newChance } from '../connections/random/chance.ts';
import { urlOf } from '../support/database-url.ts';
import { sharedData } from '../support/shared-data.ts';
import type { Built } from './build-connections.ts';
import { askers } from './connection-questions.ts';
import { syntheticMct } from './connections-mct.ts';
import type { Loaded } from './load-world.ts';
import { play } from './stage.ts';

const NAME = 'flightdata_bench_connections';
const FIRST_DAY = '2026-11-02';
const LAST_DAY = '2027-11-01';
const MCT_RECORDS = 30_000;
const QUESTIONS = 1_000;
const PAIRS_A_TURN = 20_000;

const need = (path: string): string => {
  const found = sharedData(path);
  if (found === undefined) throw new Error(`the benchmark needs ${path} of the shared data set, which is absent`);
  return found;
};

/** The schedule of a year, made once; without an interpreter for the script that makes it, the four months that come with the data. */
const scheduleFile = (): { readonly file: string; readonly days: number } => {
  const file = join(tmpdir(), `flightdata-bench-global_${FIRST_DAY}_${LAST_DAY}.ssim.gz`);
  if (existsSync(file)) return { file, days: 365 };
  const sources = [need('network/optd_airline_segs_mthly_201608.csv.gz'), need('master/airportsdata_airports.csv.gz')];
  try {
    const script = need('tools/gen_global_schedule.py');
    execFileSync('python3', [script, ...sources, `${file}.part`, FIRST_DAY, LAST_DAY], {
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    });
    renameSync(`${file}.part`, file);
    return { file, days: 365 };
  } catch (error) {
    console.log(`python3 did not make the schedule of a year (${String(error)}): four months are taken instead`);
    return { file: need('ssim/SYNTHETIC_global_2026-11-02_2027-02-28.ssim.gz'), days: 119 };
  }
};

const prepare = async (db: Database, url: string): Promise<void> => {
  const { file, days } = scheduleFile();
  console.log(`loading master data and the schedule of ${days} days into ${NAME}: this is done once`);
  await migrate(db);
  await importMasterData({ sql: db, dir: need('master'), log: () => {} });
  const { said } = await play('./load-world.ts', url, file, FIRST_DAY, '1');
  const { readSeconds, layOutSeconds } = said as Loaded;
  console.log(`read in ${readSeconds.toFixed(0)} s, published in ${layOutSeconds.toFixed(0)} s`);
  const busiest = async (field: 'station' | 'carrier'): Promise<readonly string[]> => {
    const codes = await db<{ code: string }[]>`
      select ${field === 'station' ? db`l.iata` : db`designator`} as code
      from schedule_record r join location l on l.id = r.departure group by 1 order by count(*) desc limit 800`;
    return codes.map(({ code }) => code).filter((code) => code !== '');
  };
  const stations = await busiest('station');
  const mct = syntheticMct(MCT_RECORDS, { stations, carriers: await busiest('carrier') }, newChance(1));
  await db.begin((sql) => replaceMctFile(sql, mct));
  await db`create table public.bench_is_ready (days integer)`;
  await db`insert into public.bench_is_ready values (${days})`;
};

/** Opens the database of the benchmark, and makes it if it is not there or was left half made. */
const openStage = async (): Promise<{ readonly db: Database; readonly url: string; readonly days: number }> => {
  const given = process.env['DATABASE_URL'];
  if (given === undefined)
    throw new Error('the benchmark of connections needs DATABASE_URL, where it keeps a database of its own');
  const url = urlOf(given, NAME);
  const server = openDatabase({ url: given, applicationName: 'flightdata bench', max: 1 });
  const [known] = await server`select from pg_database where datname = ${NAME}`;
  const isAnew = process.argv[2] === 'anew';
  if (known && isAnew) await server.unsafe(`drop database ${NAME} with (force)`);
  if (!known || isAnew) await server.unsafe(`create database ${NAME}`);
  const db = openDatabase({ url, applicationName: 'flightdata bench' });
  const [ready] = await db`select from information_schema.tables where table_name = 'bench_is_ready'`;
  if (!ready) await prepare(db, url);
  await server.end();
  const [row] = await db<{ days: number }[]>`select days from public.bench_is_ready`;
  if (ready) console.log(`the database ${NAME} of an earlier run is used again`);
  return { db, url, days: row?.days ?? 0 };
};

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

const memory = () => {
  globalThis.gc?.();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return { rss: megabytes(rss), heap: megabytes(heapUsed), buffers: megabytes(arrayBuffers) };
};

const building = async (db: Database, url: string, days: number): Promise<void> => {
  // A server also keeps the set before the newest: what is measured here is one.
  await db`delete from connection_snapshot`;
  const { said } = await play('./build-connections.ts', url, FIRST_DAY, String(days));
  const { build, seconds, peakMegabytes } = said as Built;
  console.log(`\nBuilding the connections of ${build.days} days`);
  console.table({
    ...Object.fromEntries(Object.entries(seconds).map(([step, took]) => [`${step}, s`, took.toFixed(1)])),
    'flights, records': `${build.flights}, ${build.records}`,
    'pairs looked at': build.looked,
    connections: build.built,
    'set, MB': megabytes(build.bytes),
    'stored, MB': megabytes(build.storedBytes),
    'peak memory, MB': Math.round(peakMegabytes),
  });
  console.table(build.refused);
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
  console.log('\nLoading the set into a server');
  console.table({
    seconds: seconds.toFixed(2),
    'longest block of the event loop, ms': (delay.max / 1e6).toFixed(0),
    'memory of the process before and after, MB': `${before.rss}, ${after.rss}`,
    'heap, MB': `${before.heap}, ${after.heap}`,
    'buffers, MB': `${before.buffers}, ${after.buffers}`,
  });
  return set;
};

type Measured = { readonly ms: number; readonly longest: number; readonly slices: number; readonly total: number };

/** Milliseconds of the processor that this thread has had: a turn is not longer because another program had the processor meanwhile. */
const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Answers a question as a request does, in turns, and times it with its longest turn. */
const answer = async (set: ConnectionSet, wanted: WantedConnections, limit: number): Promise<Measured> => {
  await nextTurn();
  const startedAt = performance.now();
  let longest = 0;
  let slices = 0;
  let turnAt = processorMs();
  const endTurn = (): void => {
    longest = Math.max(longest, processorMs() - turnAt);
    slices += 1;
  };
  const walk = newConnectionWalk(set, wanted, { limit, count: true });
  while (!walk.advance(PAIRS_A_TURN)) {
    endTurn();
    await nextTurn();
    turnAt = processorMs();
  }
  for (const found of walk.found().slice(0, limit)) detailsOf(set, found);
  endTurn();
  return { ms: performance.now() - startedAt, longest, slices, total: walk.total() };
};

const at = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0;

const rowOf = (measured: readonly Measured[]): Readonly<Record<string, string | number>> => {
  const times = measured.map(({ ms }) => ms);
  const totals = measured.map(({ total }) => total);
  return {
    'p50, ms': at(times, 0.5).toFixed(1),
    'p99, ms': at(times, 0.99).toFixed(1),
    'max, ms': at(times, 1).toFixed(1),
    'longest turn, processor ms': Math.max(...measured.map(({ longest }) => longest)).toFixed(1),
    'found, median': at(totals, 0.5),
    'found, most': at(totals, 1),
    'nothing found, %': Math.round((100 * totals.filter((total) => total === 0).length) / totals.length),
  };
};

/** A question by the arrival airport alone goes through all flights; it is told by itself. */
const isByArrival = (kind: string): boolean => kind === 'arrival airport';

const searching = async (set: ConnectionSet, round: string): Promise<void> => {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const rows: Record<string, Readonly<Record<string, string | number>>> = {};
  const kinds = Object.entries(askers(set, newChance(7)));
  for (const limit of [10, 100]) {
    const others: Measured[] = [];
    for (const [kind, ask] of kinds) {
      const measured: Measured[] = [];
      while (measured.length < Math.ceil(QUESTIONS / kinds.length)) measured.push(await answer(set, ask(), limit));
      rows[`${kind}, ${limit}`] = rowOf(measured);
      if (!isByArrival(kind)) others.push(...measured);
    }
    rows[`all but arrival, ${limit}`] = rowOf(others);
  }
  delay.disable();
  console.log(`\n${round}: ${QUESTIONS} questions with an exact count, one after the other, by kind and limit`);
  console.table(rows);
  console.log(`longest block of the event loop ${(delay.max / 1e6).toFixed(0)} ms`);
};

const { db, url, days } = await openStage();
try {
  await building(db, url, days);
  const set = await loading(db);
  // Rules are worked out for each kind of pair when it first turns up.
  await searching(set, 'A server that has just started');
  await searching(set, 'The same questions again');
  console.log(`\nmemory after searching, MB: ${JSON.stringify(memory())}`);
} finally {
  await db.end();
}
