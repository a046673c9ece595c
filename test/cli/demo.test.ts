import { afterEach, expect, test } from 'vitest';
import { localDate } from '../../src/domain/time/dates.ts';
import type { LoadReport } from '../../src/feeds/load-report.ts';
import { seedSynthetic } from '../../src/jobs/demo/seed-synthetic.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { runCommand, type CommandResult } from './run-command.ts';

const opened: FreshDatabase[] = [];
afterEach(async () => {
  for (const fresh of opened.splice(0)) await fresh.drop();
});

const emptyStore = async (): Promise<FreshDatabase> => {
  const fresh = await freshDatabase();
  opened.push(fresh);
  return fresh;
};

const demo = ({ url }: FreshDatabase, ...more: readonly string[]): Promise<CommandResult> =>
  runCommand(['demo', '--flights-per-day', '70', '--days', '3', '--today', '2026-03-29', ...more], {
    DATABASE_URL: url,
  });

/** Seeds without a process of its own: starting one takes most of the time of so small a world. */
const seed = ({ sql }: FreshDatabase, number = 1): Promise<LoadReport> =>
  seedSynthetic(sql, {
    flightsPerDay: 70,
    days: 3,
    today: localDate('2026-03-29'),
    seed: number,
    products: ['flight-info'],
  });

const digestOf = async ({ sql }: FreshDatabase): Promise<string | undefined> => {
  const [row] = await sql<{ digest: string }[]>`
    select md5(string_agg(doc, '' order by departs_at, key_order)) as digest from flight_instance`;
  return row?.digest;
};

test('seeds an empty store with a world of the requested size, without remarks, on days of a clock change', async () => {
  const fresh = await emptyStore();
  const { code, out, err } = await demo(fresh, '--json');
  expect([code, err]).toEqual([0, '3 days from the day before 2026-03-29; the key is demo-key\n']);
  const { accepted, entries }: LoadReport = JSON.parse(out);
  expect(entries).toEqual([]);
  const instances = accepted['flight instances'] ?? 0;
  expect(instances).toBeGreaterThan(70 * 3 * 0.8);
  expect(instances).toBeLessThan(70 * 3 * 1.2);
  const [row] = await fresh.sql<Record<string, unknown>[]>`
    select min(departs_at)::date::text as "first", max(departs_at)::date::text as "last", count(*)::int as flights,
      (select count(*)::int from location where iata <> '' and rank = 1) as places,
      (select count(*)::int from carrier where name like 'Synthetic%') as carriers,
      (select array_agg(name) from subscription) as keys from flight_instance`;
  expect(row).toEqual({
    first: '2026-03-28',
    last: '2026-03-30',
    flights: instances,
    places: 3419,
    carriers: 600,
    keys: ['demo'],
  });
});

test('creates the same world for the same seed and another world for another seed', async () => {
  const stores = [await emptyStore(), await emptyStore(), await emptyStore()] as const;
  await seed(stores[0]);
  await seed(stores[1]);
  await seed(stores[2], 2);
  const [first, again, other] = await Promise.all(stores.map(digestOf));
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect([again === first, other === first]).toEqual([true, false]);
});

test('leaves a store that has data unchanged', async () => {
  const fresh = await emptyStore();
  await fresh.sql`insert into carrier (iata, name) values ('XX', 'Somebody')`;
  const { code, out, err } = await demo(fresh);
  expect([code, out]).toEqual([1, '']);
  expect(err).toBe(
    'flightdata: the store holds data already; a synthetic world needs an empty one: another database, or another DATA_DIR\n',
  );
  const [row] = await fresh.sql<{ carriers: number; loads: number; locations: number }[]>`
    select (select count(*)::int from carrier) as carriers, (select count(*)::int from load) as loads,
      (select count(*)::int from location) as locations`;
  expect(row).toEqual({ carriers: 1, loads: 0, locations: 0 });
});

test('leaves the store empty when seeding fails half-way', async () => {
  const fresh = await emptyStore();
  // The constraint rejects the first day of the world, which is recorded last.
  await fresh.sql`alter table expanded_day add check (day > '2026-03-28')`;
  await expect(seed(fresh)).rejects.toMatchObject({ code: '23514' });
  const [row] = await fresh.sql<{ count: number }[]>`
    select (select count(*) from location) + (select count(*) from carrier) + (select count(*) from load)
      + (select count(*) from subscription_key) + (select count(*) from flight_instance) as count`;
  expect(Number(row?.count)).toBe(0);
  await fresh.sql`alter table expanded_day drop constraint expanded_day_day_check`;
  expect((await seed(fresh)).accepted['flight instances']).toBeGreaterThan(0);
});

test.each([
  [['--flights-per-day', '9'], "'9' is not a whole number from 10 to 150000"],
  [['--seed', 'x'], "'x' is not a whole number from 0 to 1000000000"],
])('rejects the invalid size %s', async (args, message) => {
  const { code, err } = await runCommand(['demo', ...args], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  expect(code).toBe(2);
  expect(err).toContain(message);
});
