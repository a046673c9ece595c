import { addDays, toUtcDate, formatDate, type LocalDate } from '#domain/time/dates.ts';
import type { Database } from '#store/pool/database.ts';
import type { FilledWorld } from './fill-world.ts';
import { playLoad, prepareStage, type Stage } from './prepared-stage.ts';

export type WorldSize = {
  readonly flightsPerDay: number;
  /** Days of schedules, and how many of them are expanded into flights (default all). */
  readonly days: number;
  readonly expandedDays?: number;
};

/** A database with a synthetic world from yesterday on. */
export type World = WorldSize & {
  readonly db: Database;
  readonly url: string;
  readonly today: LocalDate;
  readonly filled: FilledWorld;
  /** Drops the database, unless it is kept for another run. */
  readonly leave: () => Promise<void>;
};

/** Reads the size of the world; the default takes minutes, the full size is 100,000 flights a day for 30 days. */
export const readWorldSize = (): WorldSize => ({
  flightsPerDay: Number(process.env['BENCH_FLIGHTS_PER_DAY'] ?? 10_000),
  days: Number(process.env['BENCH_DAYS'] ?? 10),
});

const filledBefore = async (db: Database, size: WorldSize, today: string): Promise<FilledWorld | undefined> => {
  const [there] = await db`select to_regclass('public.bench_world') is not null as found`;
  if (there?.['found'] !== true) return undefined;
  const [row] = await db<{ filled: FilledWorld }[]>`
    select filled from public.bench_world where today = ${today}::date and size = ${JSON.stringify(size)}`;
  return row?.filled;
};

/** Vacuums and analyzes the tables with rows. Plans made for an empty table read all of it, until it is analyzed again with rows. */
const vacuumFilled = async (db: Database): Promise<void> => {
  const tables = await db<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0`;
  await db.unsafe(`vacuum analyze ${tables.map(({ name }) => name).join(', ')}`);
};

const fill = async ({ db, url }: Stage, size: WorldSize, today: string): Promise<FilledWorld> => {
  const { flightsPerDay, days, expandedDays = days } = size;
  const { firstMessage } = await playLoad(
    './fill-world.ts',
    `--url=${url}`,
    `--flights-per-day=${flightsPerDay}`,
    `--days=${days}`,
    `--expanded-days=${expandedDays}`,
    `--today=${today}`,
  );
  const filled = firstMessage as FilledWorld;
  await vacuumFilled(db);
  await db`create table public.bench_world (today date, size text, filled jsonb)`;
  await db`insert into public.bench_world values (${today}, ${JSON.stringify(size)}, ${db.json(filled)})`;
  return filled;
};

/** Opens a world of a size in its own database. With BENCH_KEEP the next run of the same day reuses it. */
export const openWorld = async (size: WorldSize): Promise<World> => {
  const isKept = process.env['BENCH_KEEP'] !== undefined;
  const name = `flightdata_bench_${size.flightsPerDay}_${size.days}${size.expandedDays === undefined ? '' : `_${size.expandedDays}`}`;
  const today = toUtcDate(new Date());
  let stage = await prepareStage(name, isKept);
  let filled = await filledBefore(stage.db, size, formatDate(today));
  if (!filled) {
    if (isKept) {
      await stage.strike();
      stage = await prepareStage(name);
    }
    process.stderr.write(`filling ${name}: ${size.flightsPerDay} flights a day, ${size.days} days\n`);
    filled = await fill(stage, size, formatDate(today));
  }
  const { db, url, strike } = stage;
  return { ...size, db, url, today, filled, leave: () => strike(isKept) };
};

/** Returns a day of the world with days before and after it. */
export const dayAt = ({ today, days }: Pick<World, 'today' | 'days'>): LocalDate =>
  addDays(today, Math.min(2, Math.max(0, days - 2)));
