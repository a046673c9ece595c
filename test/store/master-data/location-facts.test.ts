import { describe, expect, test } from 'vitest';
import type { City, LocationFacts } from '../../../src/domain/master-data/master-data-facts.ts';
import { listCities, upsertCities } from '../../../src/store/master-data/cities.ts';
import { readCountryNames, upsertCountries } from '../../../src/store/master-data/countries.ts';
import { upsertLocations, type LocationUpdate } from '../../../src/store/master-data/locations.ts';
import { readLocationFacts } from '../../../src/store/master-data/master-data-facts.ts';
import { sharedDatabase } from '../../support/database.ts';

const database = await sharedDatabase();

const facts: LocationFacts = {
  type: 'Airport',
  cityName: 'Zürich "ZRH"',
  region: { code: 'CH-ZH', name: 'Zürich' },
  validity: { from: '1948-06-14', to: '' },
  provenance: { 'code.iata': 'airportsdata', 'place.city.name': 'own' },
};
const zurich: LocationUpdate = {
  iata: 'ZRH',
  icao: 'LSZH',
  faa: '',
  name: 'Zürich',
  cityCode: 'ZRH',
  countryCode: 'CH',
  latitude: 47.458,
  longitude: 8.548,
  zone: 'Europe/Zurich',
  rank: 1,
};

const changedAt = async (table: 'location' | 'city'): Promise<number> => {
  const [row] =
    table === 'city'
      ? await database.sql<{ at: Date }[]>`select changed_at as at from city`
      : await database.sql<{ at: Date }[]>`select changed_at as at from location`;
  return row?.at.getTime() ?? 0;
};

describe('the facts of a location', () => {
  test('are stored completely, stay when they are omitted, and change their date only when they differ', async () => {
    const { sql } = database;
    await upsertLocations(sql, [{ ...zurich, facts }]);
    const [[id = 0, known] = []] = await readLocationFacts(sql);
    expect(known).toEqual(facts);
    await sql`update location set changed_at = '2020-01-01T00:00:00Z'`;
    expect(await upsertLocations(sql, [{ ...zurich, id, facts }])).toEqual({ added: 0, changed: 0 });
    expect(await upsertLocations(sql, [{ ...zurich, id }])).toEqual({ added: 0, changed: 0 });
    expect(await changedAt('location')).toBe(Date.parse('2020-01-01T00:00:00Z'));

    expect(await upsertLocations(sql, [{ ...zurich, id, name: 'Kloten' }])).toEqual({ added: 0, changed: 1 });
    expect((await readLocationFacts(sql)).get(id)).toEqual(facts);
    expect(await changedAt('location')).toBeGreaterThan(Date.parse('2020-01-01T00:00:00Z'));

    await sql`update location set changed_at = '2020-01-01T00:00:00Z'`;
    const closed = { ...facts, validity: { from: '1948-06-14', to: '2040-12-31' } };
    expect(await upsertLocations(sql, [{ ...zurich, id, name: 'Kloten', facts: closed }])).toEqual({
      added: 0,
      changed: 1,
    });
    expect((await readLocationFacts(sql)).get(id)).toEqual(closed);
    expect(await changedAt('location')).toBeGreaterThan(Date.parse('2020-01-01T00:00:00Z'));
  });

  test('are empty when there are none', async () => {
    await upsertLocations(database.sql, [{ ...zurich, iata: 'QZX', icao: '' }]);
    expect((await readLocationFacts(database.sql)).size).toBe(1);
  });
});

test('cities are added and changed by code, and unchanged ones change nothing', async () => {
  const { sql } = database;
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
  await sql`update city set changed_at = '2020-01-01T00:00:00Z'`;
  expect(await upsertCities(sql, [london])).toEqual({ added: 0, changed: 0 });
  expect(await upsertCities(sql, [])).toEqual({ added: 0, changed: 0 });
  expect(await changedAt('city')).toBe(Date.parse('2020-01-01T00:00:00Z'));
  expect(await upsertCities(sql, [{ ...london, name: 'Londres' }, nowhere])).toEqual({ added: 1, changed: 1 });
  expect(await listCities(sql)).toEqual([nowhere, { ...london, name: 'Londres' }]);
});

test('countries have their last name', async () => {
  const { sql } = database;
  await upsertCountries(
    sql,
    new Map([
      ['TR', 'Turkey'],
      ['CH', 'Switzerland'],
    ]),
  );
  await upsertCountries(sql, new Map([['TR', 'Türkiye']]));
  expect(await readCountryNames(sql)).toEqual(
    new Map([
      ['CH', 'Switzerland'],
      ['TR', 'Türkiye'],
    ]),
  );
});
