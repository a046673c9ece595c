import { expect, test } from 'vitest';
import type { CarrierFacts, City, EquipmentFacts } from '#domain/master-data/master-data-facts.ts';
import type { LocationFacts } from '#domain/master-data/master-data-facts.ts';
import { upsertCarriers } from '#store/master-data/carriers.ts';
import { listCities, upsertCities } from '#store/master-data/cities.ts';
import { readCountryNames, upsertCountries } from '#store/master-data/countries.ts';
import { upsertEquipment } from '#store/master-data/equipment.ts';
import { upsertLocations } from '#store/master-data/locations.ts';
import { readCarrierFacts, readLocationFacts } from '#store/master-data/master-data-facts.ts';
import { sharedDatabase } from '#test/support/database.ts';

const { sql } = await sharedDatabase();

const carrierFacts: CarrierFacts = {
  domicile: { iso: 'SE', dot: '484' },
  formerNames: [{ name: 'Scandinavian', from: '1946-08-01', to: '1998-12-31' }],
  memberships: [{ alliance: 'SkyTeam', type: 'Member', from: '2024-09-01', to: '' }],
  isCodeClaimed: false,
  validity: { from: '1946-08-01', to: '' },
  provenance: { name: 'optd-airlines', alliance: 'own' },
};
const locationFacts: LocationFacts = {
  type: 'Airport',
  cityName: 'Zürich "ZRH"',
  region: { code: 'CH-ZH', name: 'Zürich' },
  validity: { from: '1948-06-14', to: '' },
  provenance: { 'code.iata': 'airportsdata', 'place.city.name': 'own' },
};
const equipmentFacts: EquipmentFacts = {
  category: 'LandPlane',
  engine: { type: 'Jet', count: 2 },
  body: 'Narrow',
  manufacturer: 'Airbus',
  group: '32S',
  icaoTypes: ['A320'],
  faa: 'A320',
  wakeTurbulence: 'M',
  serviceTypes: ['J'],
  provenance: { name: 'own' },
};
const sas = { iata: 'SK', icao: 'SAS', name: 'SAS', rank: 1 };
const a320 = { iata: '320', icao: 'A320', name: 'Airbus A320', cargoTonnes: 2 };
const place = { latitude: 47.458, longitude: 8.548, zone: 'Europe/Zurich', cityCode: 'ZRH', countryCode: 'CH' };
const zurich = { ...place, iata: 'ZRH', icao: 'LSZH', faa: '', name: 'Zürich', rank: 1 };
const unchanged = { added: 0, changed: 0 };
const LONG_AGO = '2020-01-01T00:00:00.000Z';

/** A kind of record: `upsert` stores the row with an ID, with facts if given. */
type Kind<Facts> = {
  readonly upsert: (id: number | undefined, name: string, facts?: Facts) => Promise<unknown>;
  readonly read: (id: number) => Promise<unknown>;
  readonly facts: Facts;
  readonly changed: Facts;
};

const testFacts = <Facts extends object>(table: string, { upsert, read, facts, changed }: Kind<Facts>): void =>
  test(`facts of a ${table} are complete, stay when omitted, and change its date only when they differ`, async () => {
    expect(await upsert(undefined, 'first', facts)).toEqual({ added: 1, changed: 0 });
    const [row] = await sql<{ id: number }[]>`select id from ${sql(table)}`;
    const id = row?.id ?? 0;
    expect(await read(id)).toEqual(facts);
    /** Upserts an old row; returns the counts, whether its date changed, and the facts. */
    const update = async (name: string, next?: Facts): Promise<readonly unknown[]> => {
      await sql`update ${sql(table)} set changed_at = ${LONG_AGO}`;
      const counts = await upsert(id, name, next);
      const [after] = await sql<{ at: Date }[]>`select changed_at as at from ${sql(table)}`;
      return [counts, after?.at.toISOString() !== LONG_AGO, await read(id)];
    };
    const reordered: Facts = JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(facts).toReversed())));
    expect(await update('first', reordered)).toEqual([unchanged, false, facts]);
    expect(await update('first')).toEqual([unchanged, false, facts]);
    expect(await update('second')).toEqual([{ added: 0, changed: 1 }, true, facts]);
    expect(await update('second', changed)).toEqual([{ added: 0, changed: 1 }, true, changed]);
  });

testFacts('carrier', {
  upsert: (id, name, facts) => upsertCarriers(sql, [{ ...sas, id, name, ...(facts && { facts }) }]),
  read: async (id) => (await readCarrierFacts(sql)).get(id),
  facts: carrierFacts,
  changed: { ...carrierFacts, domicile: { iso: 'DK', dot: '419' } },
});
testFacts('location', {
  upsert: (id, name, facts) => upsertLocations(sql, [{ ...zurich, id, name, ...(facts && { facts }) }]),
  read: async (id) => (await readLocationFacts(sql)).get(id),
  facts: locationFacts,
  changed: { ...locationFacts, validity: { from: '1948-06-14', to: '2040-12-31' } },
});
testFacts('equipment', {
  upsert: (_, name, facts) => upsertEquipment(sql, [{ ...a320, name, ...(facts && { facts }) }]),
  read: async (id) => (await sql<{ facts: unknown }[]>`select facts from equipment where id = ${id}`)[0]?.facts,
  facts: equipmentFacts,
  changed: { ...equipmentFacts, wakeTurbulence: 'H' },
});

test('returns an empty list for records without facts', async () => {
  await upsertLocations(sql, [{ ...zurich, iata: 'QZX', icao: '' }]);
  await upsertCarriers(sql, [{ ...sas, iata: 'ZZ', icao: 'ZZZ' }]);
  await upsertEquipment(sql, [{ ...a320, iata: 'TRN' }]);
  expect([(await readLocationFacts(sql)).size, (await readCarrierFacts(sql)).size]).toEqual([1, 1]);
  expect([...(await sql`select facts from equipment where iata = 'TRN'`)]).toEqual([{ facts: {} }]);
});

test('cities are added and changed by code, and unchanged ones change nothing', async () => {
  const london: City = {
    code: 'LON',
    name: 'London',
    countryCode: 'GB',
    latitude: 51.5,
    longitude: -0.13,
    zone: 'Europe/London',
    provenance: { name: 'airportsdata-macs' },
  };
  const nowhere = { ...london, code: 'AAA', name: '', latitude: undefined, longitude: undefined, zone: undefined };
  expect(await upsertCities(sql, [london])).toEqual({ added: 1, changed: 0 });
  await sql`update city set changed_at = ${LONG_AGO}`;
  expect(await upsertCities(sql, [london])).toEqual(unchanged);
  expect(await upsertCities(sql, [])).toEqual(unchanged);
  expect([...(await sql`select changed_at as at from city`)]).toEqual([{ at: new Date(LONG_AGO) }]);
  expect(await upsertCities(sql, [{ ...london, name: 'Londres' }, nowhere])).toEqual({ added: 1, changed: 1 });
  expect(await listCities(sql)).toEqual([nowhere, { ...london, name: 'Londres' }]);
});

test('a country has its newest name', async () => {
  const names = { TR: 'Turkey', CH: 'Switzerland' };
  await upsertCountries(sql, new Map(Object.entries(names)));
  await upsertCountries(sql, new Map([['TR', 'Türkiye']]));
  expect(Object.fromEntries(await readCountryNames(sql))).toEqual({ ...names, TR: 'Türkiye' });
});
