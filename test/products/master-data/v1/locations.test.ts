import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Location, LocationPage } from '../../../../generated/master-data/v1/types.gen.ts';
import type { TinyService } from '../../../support/tiny-world.ts';
import { parseBody, serveMasterData } from './master-data-service.ts';

let world: TinyService;
beforeAll(async () => {
  world = await serveMasterData();
});
afterAll(() => world.drop());

const search = (query: string): Promise<LocationPage> => parseBody(world.get(`/locations?${query}`));
const getLocation = (path: string): Promise<Location> => parseBody(world.get(`/locations/${path}`));

/** Identifies the locations of a page by their first code. */
const codes = async (query: string): Promise<readonly string[]> =>
  (await search(query)).data.map(({ code, type }) => `${code.iata ?? code.icao ?? code.faa} ${type ?? '-'}`);

const problem = async (path: string) => {
  const response = await world.get(path);
  const { detail, errors }: { detail: string; errors?: unknown } = await response.json();
  return { status: response.status, detail, errors };
};

test('a location has all known facts', async () => {
  expect(await getLocation('lhr?Content=Provenance')).toEqual({
    code: { iata: 'LHR', icao: 'EGLL' },
    type: 'Airport',
    name: 'London Heathrow Airport',
    place: {
      city: { code: 'LON', name: 'London' },
      region: { code: 'GB-ENG', name: 'England' },
      country: { code: 'GB', name: 'United Kingdom' },
      latitude: { decimalDegrees: 51.4706 },
      longitude: { decimalDegrees: -0.461941 },
    },
    timezone: {
      name: 'Europe/London',
      standardUtcVariation: '+0000',
      currentUtcVariation: '+0100',
      daylightSaving: {
        utcVariation: '+0100',
        periods: [
          { from: '2026-03-29T01:00:00+00:00', to: '2026-10-25T01:00:00+00:00' },
          { from: '2027-03-28T01:00:00+00:00', to: '2027-10-31T01:00:00+00:00' },
        ],
      },
    },
    rank: 1,
    sharedCode: false,
    provenance: [
      {
        field: 'name',
        source: 'airportsdata: airports',
        licence: 'MIT',
        attribution: '© 2020- Mike Borsetti, © 2014 mwgg',
      },
      {
        field: 'place.city.code',
        source: 'OpenTravelData: points of reference',
        licence: 'CC BY 4.0',
        attribution: '© OpenTravelData contributors',
      },
      { field: 'place.region.code', source: 'OurAirports', licence: 'Public domain (Unlicense)' },
    ],
  });
});

test('a metropolitan area is a location with the airports it serves; railway stations serve the city, not the area', async () => {
  expect(await getLocation('LON')).toEqual({
    code: { iata: 'LON' },
    type: 'MetropolitanArea',
    name: 'London',
    place: {
      city: { code: 'LON', name: 'London' },
      country: { code: 'GB', name: 'United Kingdom' },
      latitude: { decimalDegrees: 51.50853 },
      longitude: { decimalDegrees: -0.12574 },
    },
    timezone: (await getLocation('LHR')).timezone,
    airports: ['LGW', 'LHR'],
    rank: 1,
    sharedCode: false,
  });
  expect((await getLocation('NYC')).airports).toEqual(['JFK', 'JRB', 'NYS']);
});

test('a location with a known code only has no other properties', async () => {
  expect(await getLocation('ZSN')).toEqual({ code: { iata: 'ZSN' }, place: {}, rank: 1, sharedCode: false });
});

test('a zone without daylight saving has no such member, and half hours are formatted', async () => {
  expect((await getLocation('IST')).timezone).toEqual({
    name: 'Europe/Istanbul',
    standardUtcVariation: '+0300',
    currentUtcVariation: '+0300',
  });
  expect((await getLocation('LDH')).timezone).toMatchObject({
    standardUtcVariation: '+1030',
    currentUtcVariation: '+1030',
    daylightSaving: { utcVariation: '+1100' },
  });
});

describe('a search', () => {
  test('without parameters returns all of today, by IATA code, then ICAO, then FAA', async () => {
    const { data, paging } = await search('Limit=1000');
    expect(data.map(({ code }) => code.iata ?? code.icao ?? code.faa)).toEqual([
      'BER',
      'GRU',
      'IST',
      'JFK',
      'JRB',
      'LDH',
      'LGW',
      'LHR',
      'LON',
      'NYC',
      'NYS',
      'QQP',
      'SAO',
      'ZBU',
      'ZOF',
      'ZPT',
      'ZSN',
      'EGVN',
      'NK39',
    ]);
    expect(paging).toEqual({ limit: 1000, totalCount: 19, totalPages: 1 });
  });

  test.each<readonly [query: string, expected: readonly string[]]>([
    ['AirportCode=lhr,JFK', ['JFK Airport', 'LHR Airport']],
    ['AirportCode=EGLL', []],
    ['AirportCode=EGLL,jfk&CodeType=icao,iata', ['JFK Airport', 'LHR Airport']],
    ['AirportCode=JFK,NK39&CodeType=FAA', ['JFK Airport', 'NK39 Airport']],
    ['CodeType=FAA', ['JFK Airport', 'JRB Heliport', 'NYS SeaplaneBase', 'NK39 Airport']],
    ['CodeType=ICAO&CountryCode=gb', ['LGW Airport', 'LHR Airport', 'EGVN Airport']],
    ['CountryCode=DE,AU', ['BER Airport', 'LDH Airport']],
    ['CityCode=lon', ['LGW Airport', 'LHR Airport', 'LON MetropolitanArea', 'QQP RailwayStation']],
    ['CityCode=LON&Type=Airport', ['LGW Airport', 'LHR Airport']],
    ['Type=RailwayStation,busstation', ['QQP RailwayStation', 'ZBU BusStation']],
    ['Name=london', ['LGW Airport', 'LHR Airport', 'LON MetropolitanArea', 'QQP RailwayStation']],
    ['Name=LOND+heath', ['LHR Airport']],
    ['Name=sao paulo doeste', ['GRU Airport']],
    ['Name=schenec', ['NK39 Airport']],
    ['Name=eathrow', []],
    ['Name=%21', []],
    ['AirportCode=LHR&CountryCode=US', []],
    ['Near=51.5,-0.12&WithinKm=30', ['LON MetropolitanArea', 'QQP RailwayStation', 'LHR Airport']],
  ])('%s', async (query, matches) => {
    expect(await codes(query)).toEqual(matches);
  });

  test('near a point returns distances, nearest first', async () => {
    const { data } = await search('Near=+51.5, -0.12&WithinKm=50&Type=Airport');
    expect(data.map(({ code, distance }) => [code.iata, distance?.greatCircleKilometers])).toEqual([
      ['LHR', 23.9],
      ['LGW', 39.4],
    ]);
  });

  test('rejects half a filter and coordinates out of range', async () => {
    const needed = {
      status: 400,
      detail: 'Near and WithinKm need each other.',
      errors: { '': ['Near and WithinKm need each other.'] },
    };
    expect(await problem('/locations?Near=51.5,-0.12')).toEqual(needed);
    expect(await problem('/locations?WithinKm=5')).toEqual(needed);
    expect((await problem('/locations?Near=-90.5,180.5&WithinKm=5')).errors).toEqual({
      Near: ['must have a latitude from -90 to 90, not -90.5', 'must have a longitude from -180 to 180, not 180.5'],
    });
    expect((await problem('/locations?Near=London&WithinKm=5')).errors).toEqual({
      Near: ["must be latitude and longitude in degrees with a comma between, like 51.47,-0.46, not 'London'"],
    });
    expect((await problem('/locations?Near=1,1&WithinKm=0.9')).errors).toEqual({
      WithinKm: ['must be at least 1, not 0.9'],
    });
  });
});

describe('AsOf returns the records of a day', () => {
  test('the owner of a code is that of the day', async () => {
    const days = ['2019-04-05', '2019-04-06'];
    expect(await Promise.all(days.map(async (day) => (await getLocation(`IST?AsOf=${day}`)).name))).toEqual([
      'Atatürk',
      'Istanbul',
    ]);
    expect(await getLocation('EDDB?CodeType=ICAO&AsOf=2020-10-24')).toMatchObject({
      code: { iata: 'SXF', icao: 'EDDB' },
      validity: { to: '2020-10-24' },
      rank: 1,
    });
    expect((await getLocation('EDDB?CodeType=ICAO&AsOf=2020-10-31')).code.iata).toBe('BER');
  });

  test('an area has the airports of the day, and is one only while it serves several airports beside a city with its code', async () => {
    const seen = async (day: string) =>
      (await search(`AirportCode=BER&AsOf=${day}`)).data.map(({ type, airports, rank, sharedCode }) => [
        type,
        ...(airports ?? []),
        rank,
        sharedCode,
      ]);
    expect(await seen('2019-01-01')).toEqual([['MetropolitanArea', 'SXF', 'TXL', 1, false]]);
    expect(await seen('2020-11-05')).toEqual([
      ['Airport', 1, true],
      ['MetropolitanArea', 'BER', 'TXL', 2, true],
    ]);
    expect(await seen('2026-06-01')).toEqual([['Airport', 1, false]]);
  });

  test('the clock of a location is that of now, whatever the day', async () => {
    expect((await getLocation('LHR?AsOf=2020-01-01')).timezone).toEqual((await getLocation('LHR')).timezone);
  });

  test('today is the UTC day by the clock of the service', async () => {
    const seen: (readonly string[])[] = [];
    for (const day of ['2026-06-30', '2026-07-01', '2026-06-01']) {
      world.setToday(day);
      seen.push(await codes('AirportCode=ZBU,ZPT'));
    }
    expect(seen).toEqual([['ZBU BusStation', 'ZPT Port'], ['ZPT Port'], ['ZBU BusStation', 'ZPT Port']]);
  });
});

describe('a code without an owner', () => {
  test.each([
    ['/locations/EGLL', 'No location has the IATA code EGLL on 2026-06-01. It is an ICAO code; send CodeType=ICAO.'],
    ['/locations/NK39', 'No location has the IATA code NK39 on 2026-06-01. It is an FAA code; send CodeType=FAA.'],
    [
      '/locations/LHR?CodeType=ICAO,FAA',
      'No location has the ICAO or FAA code LHR on 2026-06-01. It is an IATA code; send CodeType=IATA.',
    ],
    [
      '/locations/txl?AsOf=2020-11-09',
      'No location has the IATA code TXL on 2020-11-09. One had it until 2020-11-08; send AsOf with a day of that time.',
    ],
    [
      '/locations/EDDB?CodeType=ICAO&AsOf=2020-10-28',
      'No location has the ICAO code EDDB on 2020-10-28. One has it from 2020-10-31 on; send AsOf with a day of that time.',
    ],
    ['/locations/QQQ', 'No location has the IATA code QQQ on 2026-06-01.'],
  ])('%s: %s', async (path, detail) => {
    expect(await problem(path)).toEqual({ status: 404, detail, errors: undefined });
  });
});

test('a code without an owner today returns its last owner, as of that day', async () => {
  const last = await getLocation('TXL');
  expect([last.name, last.validity]).toEqual(['Tegel', { to: '2020-11-08' }]);
  expect(last).toEqual(await getLocation('TXL?AsOf=2020-11-08'));
  expect((await search('AirportCode=TXL')).paging.totalCount).toBe(0);
});

test('code systems are matched in the order of the parameter', async () => {
  expect((await getLocation('JFK?CodeType=FAA,IATA')).code.iata).toBe('JFK');
  expect((await getLocation('EGLL?CodeType=IATA,ICAO')).code.iata).toBe('LHR');
});
