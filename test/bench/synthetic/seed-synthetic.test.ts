import { expect, test } from 'vitest';
import { localDate } from '#domain/time/dates.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import { seedSynthetic } from './seed-synthetic.ts';
import { sharedDatabase, type FreshDatabase } from '#test/support/database.ts';

const [store, other] = [await sharedDatabase(), await sharedDatabase()] as const;

const world = { flightsPerDay: 70, days: 3, today: localDate('2026-03-29'), products: ['flight-info'] };
const seed = ({ sql }: FreshDatabase, number: number): Promise<LoadReport> =>
  seedSynthetic(sql, { ...world, seed: number });

const digestOf = async ({ sql }: FreshDatabase): Promise<string | undefined> => {
  const [row] = await sql<{ digest: string }[]>`
    select md5(string_agg(doc, '' order by departs_at, key_order)) as digest from flight_instance`;
  return row?.digest;
};

const countRows = async ({ sql }: FreshDatabase): Promise<unknown> => {
  const [row] = await sql`
    select (select count(*)::int from carrier) as carriers, (select count(*)::int from load) as loads,
      (select count(*)::int from location) as locations, (select count(*)::int from subscription_key) as keys,
      (select count(*)::int from flight_instance) as flights`;
  return row;
};
const empty = { carriers: 0, loads: 0, locations: 0, keys: 0, flights: 0 };

test('leaves a store that has data unchanged', async () => {
  await store.sql`insert into carrier (iata, name) values ('XX', 'Other Air')`;
  await expect(seed(store, 1)).rejects.toThrow('the store contains data; fill an empty database');
  expect(await countRows(store)).toEqual({ ...empty, carriers: 1 });
  await store.sql`delete from carrier`;
});

test('seeds an empty store with a world of the requested size, without remarks, on days of a clock change', async () => {
  const { accepted, entries } = await seed(store, 1);
  expect(entries).toEqual([]);
  const instances = accepted['flight instances'] ?? 0;
  expect(Math.abs(instances / (70 * 3) - 1)).toBeLessThan(0.2);
  const [row] = await store.sql<Record<string, unknown>[]>`
    select min(departs_at)::date::text as "first", max(departs_at)::date::text as "last", count(*)::int as flights,
      (select count(*)::int from location where iata <> '' and rank = 1) as places,
      (select count(*)::int from carrier where name like 'Synthetic%') as carriers,
      (select array_agg(name) from subscription) as keys from flight_instance`;
  const days = { first: '2026-03-28', last: '2026-03-30' };
  expect(row).toEqual({ ...days, flights: instances, places: 3420, carriers: 600, keys: ['bench'] });
});

test('leaves the store empty when seeding fails half-way; the same seed gives the same world and another seed another', async () => {
  // The constraint rejects the first day of the world, which is recorded last.
  await other.sql`alter table expanded_day add check (day > '2026-03-28')`;
  await expect(seed(other, 2)).rejects.toMatchObject({ code: '23514' });
  expect(await countRows(other)).toEqual(empty);
  await other.sql`alter table expanded_day drop constraint expanded_day_day_check`;
  await seed(other, 1);
  const first = await digestOf(other);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(await digestOf(store)).toBe(first);
  await other.sql`truncate carrier, location, load, flight_instance, subscription, expanded_day cascade`;
  await seed(other, 2);
  expect(await digestOf(other)).not.toBe(first);
});
