import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#store/pool/database.ts';
import { migrate } from '#store/schema/migrate.ts';
import { emptyDatabase, type FreshDatabase } from '#test/support/database.ts';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { checkMigrations } from '#contract/check-migrations.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { dumpSchema } from '#store/schema/schema-dump.ts';
import { createTestApp } from '#test/support/test-app.ts';

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

const CREATE_ONE = 'create table one (a integer)';
const CREATE_TWO = 'create table two (a integer)';
const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
const run = (): Promise<readonly string[]> => migrate(fresh.sql, pathToFileURL(`${folder}/`));
const tables = async (): Promise<readonly string[]> => {
  const rows = await fresh.sql<{ tablename: string }[]>`select tablename from pg_tables where schemaname = 'public'`;
  return rows.map(({ tablename }) => tablename).toSorted();
};

test('the shipped migrations create the schema of an empty database, and change nothing when repeated', async () => {
  const first = await migrate(fresh.sql);
  const created = await tables();
  expect(first[0]).toBe('0001-foundation.sql');
  expect(created).toContain('flight_instance');
  expect(await migrate(fresh.sql)).toEqual([]);
  expect(await tables()).toEqual(created);
});

test('migrations run in numerical order, and added ones later', async () => {
  await write('0002-second.sql', 'alter table one add b integer');
  await write('0001-first.sql', 'create table one (a integer); create table two (a integer)');
  expect(await run()).toEqual(['0001-first.sql', '0002-second.sql']);
  await write('0010-third.sql', 'drop table two');
  expect(await run()).toEqual(['0010-third.sql']);
  const ledger =
    await fresh.sql`select version || name || length(sha256) as row from schema_migration order by version`;
  expect(ledger.map(({ row }) => row)).toEqual(['10001-first.sql64', '20002-second.sql64', '100010-third.sql64']);
});

test('a migration that waits for a lock lets later lock requests pass, and then runs', async () => {
  await write('0001-first.sql', CREATE_ONE);
  await run();
  await write('0002-second.sql', 'alter table one add b integer');
  const other = openDatabase({ url: fresh.url, applicationName: 'flightdata-test', max: 3 });
  const { migrating } = await other.begin(async (sql) => {
    await sql`select from one`;
    const started = run();
    const waiting = () => other`select from pg_locks where relation = 'one'::regclass and not granted`;
    await expect.poll(async () => (await waiting()).length).toBe(1);
    // With the migration before it and the lock that it waits for.
    expect(await other`select a from one`).toHaveLength(0);
    return { migrating: started };
  });
  expect(await migrating).toEqual(['0002-second.sql']);
  await other.end();
});

test('a failed migration is rolled back, reports the line, and keeps the migrations before it', async () => {
  await write('0001-first.sql', CREATE_ONE);
  await write('0002-second.sql', 'create table two (a integer);\n\nalter table none add b integer;\n');
  await expect(run()).rejects.toThrow('migration 0002-second.sql failed: relation "none" does not exist');
  expect(await tables()).toEqual(['one', 'schema_migration']);
  await write('0002-second.sql', 'create table two (a integer);\n\ncreate tabel three ();\n');
  await expect(run()).rejects.toThrow('migration 0002-second.sql failed at line 3: syntax error at or near "tabel"');
  await write('0002-second.sql', CREATE_TWO);
  expect(await run()).toEqual(['0002-second.sql']);
});

test('rejects a migration that was changed after it was applied, except for its line endings', async () => {
  await write('0001-first.sql', 'create table one (\n  a integer\n)');
  await run();
  await write('0001-first.sql', 'create table one (\r\n  a integer\r\n)');
  expect(await run()).toEqual([]);
  await write('0001-first.sql', 'create table one (\n  a bigint\n)');
  await expect(run()).rejects.toThrow(
    'migration 0001-first.sql was changed after it was applied; restore it and add a new migration',
  );
});

test('rejects a database of a newer release, or with an unknown migration, before it changes anything', async () => {
  await write('0001-first.sql', CREATE_ONE);
  await write('0003-third.sql', 'create table three (a integer)');
  await run();
  await rm(join(folder, '0003-third.sql'));
  await write('0002-second.sql', CREATE_TWO);
  await expect(run()).rejects.toThrow(
    'the database is newer than this release: it has migration 0003-third.sql, this release ends at 2; install the newer release',
  );
  expect(await tables()).toEqual(['one', 'schema_migration', 'three']);
  await rm(join(folder, '0001-first.sql'));
  await write('0003-third.sql', 'create table three (a integer)');
  await expect(run()).rejects.toThrow(
    'the database has migration 0001-first.sql, which this release does not contain; install the release that created it',
  );
});

test('servers that start together apply each migration once', async () => {
  await write('0001-first.sql', CREATE_ONE);
  await write('0002-second.sql', CREATE_TWO);
  const pools = [1, 2, 3, 4].map(() => openDatabase({ url: fresh.url, applicationName: 'flightdata-test', max: 1 }));
  const applied = await Promise.all(pools.map((pool) => migrate(pool, pathToFileURL(`${folder}/`))));
  await Promise.all(pools.map((pool) => pool.end()));
  expect(applied.flat().toSorted()).toEqual(['0001-first.sql', '0002-second.sql']);
});

test('rejects a file without a number, and two with the same number', async () => {
  await write('first.sql', CREATE_ONE);
  await expect(run()).rejects.toThrow(
    "not the name of a migration: 'first.sql', which must look like 0001-what-it-does.sql",
  );
  await rm(join(folder, 'first.sql'));
  await write('0001-first.sql', CREATE_ONE);
  await write('0001-other.sql', CREATE_TWO);
  await expect(run()).rejects.toThrow('two migrations have the number of 0001-other.sql');
  expect(await tables()).toEqual([]);
});

const shipped = new URL('../../../src/server/store/schema/migrations/', import.meta.url);
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

const migrateTo = async (last: string, texts: Readonly<Record<string, string>> = {}): Promise<void> => {
  for (const name of names.slice(0, names.indexOf(last) + 1)) await write(name, texts[name] ?? textOf(name));
  await migrate(fresh.sql, pathToFileURL(`${folder}/`));
};

const upgradeAndList = async (): Promise<unknown> => {
  await migrate(fresh.sql);
  await insertKeyIfMissing(fresh.sql, { name: 'tests', products: ['flight-info'], key: 'key-of-an-upgrade' });
  const app = await createTestApp(fresh.sql);
  const url = 'http://service.test/flight-instances?version=v2&DepartureDateTime=2026-06-01';
  const response = await app.request(url, { headers: { 'subscription-key': 'key-of-an-upgrade' } });
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

test('an upgrade finds the accounts of stored responses, and deletes those and the attempts that belong to none', async () => {
  await migrateTo('0031-codeshares.sql');
  const uuid = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
  const [account, alert, endpoint, missing] = [uuid(1), uuid(2), uuid(3), uuid(4)];
  await fresh.sql`insert into subscription (id, name) overriding system value values (1, 'one')`;
  await fresh.sql`insert into alert_account (id, subscription_id, profile, created_at) values (${account}, 1, '{}', now())`;
  await fresh.sql`
    insert into alert (id, account_id, active, doc, created_at, updated_at) values (${alert}, ${account}, true, '{}', now(), now())`;
  await fresh.sql`
    insert into push_endpoint (id, account_id, url, description, signing, active, created_at, updated_at)
    values (${endpoint}, ${account}, 'https://a.example/', '', 'v1', true, now(), now())`;
  for (const [key, response] of Object.entries({
    profile: { accountId: account },
    alert: { data: alert },
    endpoint: { endpointId: endpoint, keyNumber: 1 },
    'deleted alert': { data: missing },
  }))
    await fresh.sql`
      insert into idempotency_key values (1, ${key}, '', ${JSON.stringify(response)}, now())`;
  for (const id of [endpoint, missing])
    await fresh.sql`
      insert into push_attempt (endpoint_id, event_id, attempt, made_at, outcome, duration_ms, answer)
      values (${id}, ${id}, 1, now(), 'delivered', 1, 'ok')`;
  await migrate(fresh.sql);
  expect(await fresh.sql`select key, account_id as account from idempotency_key order by key`).toEqual(
    ['alert', 'endpoint', 'profile'].map((key) => ({ key, account })),
  );
  expect(await fresh.sql`select endpoint_id as id from push_attempt`).toEqual([{ id: endpoint }]);
});

test('an upgrade finds the terminals of what was loaded', async () => {
  await migrateTo('0033-erasure.sql');
  await fresh.sql`insert into location (iata, rank) values ('LHR', 2), ('LHR', 1), ('JFK', 1)`;
  await fresh.sql`insert into carrier (iata) values ('XX')`;
  await fresh.sql`insert into load (kind, source, sha256, report) values ('ssim', '', '', '{}')`;
  const end = (station: string, terminal: string) => ({ station, terminal });
  const legs = [{ departure: end('LHR', '5'), arrival: end('JFK', '') }];
  await fresh.sql`
    insert into itinerary (id, carrier_id, flight_number, suffix, variation, from_date, to_date, doc, load_id, designator)
    values (1, 1, 1, '', 1, '2026-06-01', '2026-06-01', ${JSON.stringify({ legs })}, 1, 'XX')`;
  const record = { arrivalStation: 'JFK', arrival: { terminal: '8' }, departureStation: 'JFK', departure: {} };
  await fresh.sql`insert into mct_record (line, doc) values (2, ${JSON.stringify(record)})`;
  await migrate(fresh.sql);
  expect(await fresh.sql`select * from location_terminal order by location`).toEqual([
    { location: 2, code: '5', source: 'schedules' },
    { location: 3, code: '8', source: 'connecting-times' },
  ]);
});

test('an upgrade finds the positions of stored codeshares', async () => {
  await migrateTo('0033-erasure.sql');
  await fresh.sql`create table flight_instance_1 partition of flight_instance for values from ('2026-06-01') to ('2026-06-02')`;
  const codeshares = JSON.stringify([{ order: '-7', carrierId: 3 }]);
  await fresh.sql`
    insert into flight_instance (departs_at, key_order, arrives_at, key, status_order, carrier, departure, arrival, flight_number, flight_type,
      service_type, is_marketing, doc, codeshares)
    values ('2026-06-01 11:00', 5, '2026-06-01 14:00', '', 5, 1, 1, 1, 1, 'S', 'J', false, '', ${codeshares}::text::jsonb)`;
  await fresh.sql`insert into in_use (noun, id) values ('codeshare carrier', 3)`;
  await migrate(fresh.sql);
  expect(
    await fresh.sql`select departs_at::text, key_order::int, carrier, operating_order::int from flight_codeshare`,
  ).toEqual([{ departs_at: '2026-06-01 11:00:00', key_order: -7, carrier: 3, operating_order: 5 }]);
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

test('an upgrade keeps stored messages and the quarantine, and servers of the previous version go on inserting', async () => {
  await migrateTo('0041-message-source-keys.sql');
  // The statements of that version.
  const insertMessage = () => fresh.sql`
    insert into status_message (departs_on, status_order, id, source, observed_at, told)
    values ('2026-06-01', 7, 'm1', 'feed', '2026-06-01T09:00Z', '{}') on conflict do nothing returning id`;
  const quarantine = () => fresh.sql`
    insert into status_quarantine (id, source, observed_at, reason, flight_number, message)
    values ('q1', 'feed', '2026-06-01T09:00Z', 'no-such-flight', 7, '{}')
    on conflict (id, source) do update set reason = excluded.reason`;
  await insertMessage();
  await quarantine();
  await migrate(fresh.sql);
  expect([...(await insertMessage()), ...(await quarantine())]).toEqual([]);
  const unknown = '00000000-0000-0000-0000-000000000000';
  const columns = { source: 'feed', sender: 0, content: unknown };
  expect(await fresh.sql`select id, source, sender, content from status_message`).toEqual([{ id: 'm1', ...columns }]);
  expect(await fresh.sql`select id, source, sender, content from status_quarantine`).toEqual([
    { id: 'q1', ...columns },
  ]);
});
