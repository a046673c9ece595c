import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkMigrations } from '../../../src/contract/check-migrations.ts';
import { insertKeyIfMissing } from '../../../src/store/access/subscription-keys.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { dumpSchema } from '../../../src/store/schema/schema-dump.ts';
import { emptyDatabase, type FreshDatabase } from '../../support/database.ts';
import { createTestApp } from '../../support/test-app.ts';

const shipped = new URL('../../../src/store/schema/migrations/', import.meta.url);
const names = readdirSync(shipped)
  .filter((name) => name.endsWith('.sql'))
  .toSorted();
const textOf = (name: string): string => readFileSync(new URL(name, shipped), 'utf8');

/** The text of 0015 in its first hours on main: one trigger for the old and the new rows. */
const firstPageChanges = (): string => {
  const text = textOf('0015-page-changes.sql');
  const withFunction = text.replace(
    'create trigger page_inserted after insert on expanded_day',
    () => `create function page_change_instances_updated() returns trigger language plpgsql as $$
begin
  insert into page_change (day, flights, carriers, departures, arrivals)
  select day, case when few then flights end, case when few then carriers end,
    case when few then departures end, case when few then arrivals end
  from (
    select departs_at::date as day, count(*) <= 1000 as few, array_agg(status_order) as flights, array_agg(carrier) as carriers,
      array_agg(departure) as departures, array_agg(arrival) as arrivals
    from (select * from before union all select * from changed) as either group by departs_at::date) as days;
  return null;
end $$;

create trigger page_inserted after insert on expanded_day`,
  );
  return withFunction.replace(
    `create trigger page_updated_from after update on flight_instance
  referencing old table as changed for each statement execute function page_change_instances();
create trigger page_updated after update on flight_instance
  referencing new table as changed for each statement execute function page_change_instances();`,
    () => `create trigger page_updated after update on flight_instance
  referencing old table as before new table as changed for each statement execute function page_change_instances_updated();`,
  );
};

let fresh: FreshDatabase;
let folder: string;
beforeEach(async () => {
  fresh = await emptyDatabase();
  folder = await mkdtemp(join(tmpdir(), 'flightdata-migrations-'));
});
afterEach(async () => {
  await fresh.drop();
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

/** Creates the database that a release with these migrations would have created. */
const migrateTo = async (last: string, texts: Readonly<Record<string, string>> = {}): Promise<void> => {
  for (const name of names.slice(0, names.indexOf(last) + 1)) await write(name, texts[name] ?? textOf(name));
  await migrate(fresh.sql, pathToFileURL(`${folder}/`));
};

/** Upgrades the database and returns the body of a list request. */
const upgradeAndList = async (): Promise<unknown> => {
  await migrate(fresh.sql);
  await insertKeyIfMissing(fresh.sql, { name: 'tests', products: ['flight-info'], key: 'key-of-an-upgrade' });
  const app = await createTestApp(fresh.sql);
  const url = 'http://service.test/flight-instances?version=v2&DepartureDateTime=2026-06-01';
  const response = await app(new Request(url, { headers: { 'subscription-key': 'key-of-an-upgrade' } }));
  return response.json();
};

const emptyList = { data: [], paging: { limit: 10, totalCount: 0, totalPages: 0 } };
const currentSchema = readFileSync(new URL('../schema.sql', shipped), 'utf8');

test.each(names.slice(-6, -1))('a database that ends at %s is upgraded and served', async (last) => {
  await migrateTo(last);
  expect(await upgradeAndList()).toEqual(emptyList);
  expect(await dumpSchema(fresh.sql)).toBe(currentSchema);
});

test('a database with the first text of 0015 is upgraded and served', async () => {
  const first = firstPageChanges();
  expect(createHash('sha256').update(first).digest('hex')).toBe(
    '8ef3b61022ea6e2d0c2b0c5455d1d2ce8ce428c1e79a9955def8d40c48ca5672',
  );
  await migrateTo('0016-request-limits.sql', { '0015-page-changes.sql': first });
  expect(await upgradeAndList()).toEqual(emptyList);
  expect(await dumpSchema(fresh.sql)).toBe(currentSchema);
});

test('a migration that is changed, removed or not recorded is reported', async () => {
  expect(checkMigrations(new URL('.', shipped).pathname)).toEqual([]);
  const sum = createHash('sha256').update('select 1').digest('hex');
  await write('SHA256SUMS', `${sum}  0001-one.sql\n${sum}  0002-two.sql\n${sum}  0003-three.sql\n`);
  await write('0001-one.sql', 'select 1');
  await write('0002-two.sql', 'select 2');
  await write('0004-four.sql', 'select 4');
  expect(checkMigrations(folder)).toEqual([
    '0002-two.sql was changed: existing databases would be rejected; add a new migration',
    '0003-three.sql was removed: databases that have it could not be upgraded',
    '0004-four.sql is not recorded in SHA256SUMS: run `make schema`',
  ]);
});
