import { afterAll, expect, test } from 'vitest';
import { startLeasedMasterData } from '#jobs/cache/leased-master-data.ts';
import { BackgroundDriver } from '#jobs/driver.ts';
import { getOrInsertCarrier, upsertCarriers } from '#store/master-data/carriers.ts';
import { insertReferencedIds } from '#store/master-data/referenced-ids.ts';
import { upsertLocations } from '#store/master-data/locations.ts';
import { insertScheduleTerminals } from '#store/master-data/terminals.ts';
import { openLimitedDatabase } from '#store/pool/database.ts';
import { buildStation } from '#test/products/master-data/v1/master-data-service.ts';
import { sharedDatabase } from '#test/support/database.ts';
import { JUNE_NOON } from '#test/support/test-app.ts';

const { sql, url } = await sharedDatabase();
await upsertCarriers(sql, [{ iata: 'AA', icao: 'AAL', name: 'Alpha', rank: 1 }]);

/** Listens on another database, so that notifications never arrive: only the lease can find changes. */
const deafDriver = new BackgroundDriver((await sharedDatabase()).sql);

const versionSql = openLimitedDatabase({ url, applicationName: 'flightdata-test', max: 1, queryTimeoutMs: 500 });
const errors: unknown[] = [];
let now = JUNE_NOON();
const masterData = await startLeasedMasterData(sql, {
  versionSql,
  leaseMs: 0,
  clock: () => now,
  onError: (error) => errors.push(error),
  driver: deafDriver,
});
afterAll(async () => {
  await masterData.stop();
  await versionSql.end();
});

const listInUse = (iata: string): readonly boolean[] => {
  const { masterDataIndex, records } = masterData.current();
  const isPublishing = records.carriers.listOwners('iata', iata).map((entry) => records.carriers.isPublishing(entry));
  return [
    ...masterDataIndex.carriers('iata', iata).map(({ id }) => masterDataIndex.isCarrierInUse(id)),
    ...isPublishing,
  ];
};

test('a carrier of the master data is in use as soon as flights refer to it, without reading the records again', async () => {
  const before = masterData.current();
  expect(listInUse('AA')).toEqual([false, false]);
  const ids = before.masterDataIndex.carriers('iata', 'AA').map(({ id }) => id);
  await insertReferencedIds(sql, { carriers: ids, locations: [] });
  await masterData.catchUp();
  expect(listInUse('AA')).toEqual([true, true]);
  const after = masterData.current();
  expect([after === before, after.records === before.records]).toEqual([false, true]);
});

test('a carrier that was not in the master data is found as soon as it is inserted', async () => {
  const { id } = await sql.begin((transaction) => getOrInsertCarrier(transaction, { iata: 'NN' }));
  await masterData.catchUp();
  const { masterDataIndex } = masterData.current();
  expect(masterDataIndex.carriers('iata', 'NN').map((carrier) => carrier.id)).toEqual([id]);
});

test('a change of an earlier transaction that ends later is found', async () => {
  const late = await sql.reserve();
  await late`begin`;
  await late`insert into carrier (iata) values ('LL')`;
  await sql`insert into carrier (iata) values ('MM')`;
  await masterData.catchUp();
  expect([listInUse('LL'), listInUse('MM')]).toEqual([[], [false, false]]);
  await late`commit`;
  late.release();
  await masterData.catchUp();
  expect(listInUse('LL')).toEqual([false, false]);
});

test('a terminal is found as soon as flights name it, and is the same record', async () => {
  await upsertLocations(sql, [buildStation('TTT', {})]);
  await masterData.catchUp();
  const { locations } = masterData.current().records;
  const [entry] = locations.listOwners('iata', 'TTT');
  if (!entry) throw new Error('no location has the code TTT');
  expect(locations.findTerminals(entry)).toBeUndefined();
  await insertScheduleTerminals(sql, [{ locationId: entry.location.id, code: '1' }]);
  now = new Date(now.getTime() + 60_000);
  await masterData.catchUp();
  expect(masterData.current().records.locations).toBe(locations);
  expect(locations.findTerminals(entry)).toEqual({ codes: ['1'], sources: ['schedules'] });
  expect(masterData.current().records.readAt).toEqual(now);
});

test('the copy is the same object until master data change', async () => {
  const before = masterData.current();
  await sql`update carrier set name = name where false`;
  await insertReferencedIds(sql, {
    carriers: [...before.masterDataIndex.carriers('iata', 'AA')].map(({ id }) => id),
    locations: [],
  });
  await masterData.catchUp();
  expect(masterData.current()).toBe(before);
});

test('more changes than the table keeps are found', async () => {
  for (let index = 0; index < 120; index += 1) await sql`update carrier set name = ${String(index)} where iata = 'AA'`;
  const [row] = await sql`select count(*)::int as count from master_data_change`;
  expect(row?.['count']).toBeLessThan(110);
  await masterData.catchUp();
  expect(masterData.current().masterDataIndex.carriers('iata', 'AA')[0]?.name).toBe('119');
});

test('the copy stays in use while the database is unreachable', async () => {
  const before = masterData.current();
  await versionSql.end();
  await masterData.catchUp();
  expect([masterData.current() === before, masterData.isCaughtUp(), errors]).toEqual([true, true, []]);
});
