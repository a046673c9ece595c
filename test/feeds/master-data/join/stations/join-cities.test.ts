import { describe, expect, test } from 'vitest';
import type { RegionIndex } from '../../../../../src/feeds/master-data/sources/regions.ts';
import {
  billings,
  bismarck,
  findStation,
  joinLists,
  buildWithdrawnStation,
  buildSnapshotStation,
  buildReferencePoint,
  buildStation,
  type ListsToJoin,
} from './station-lists.ts';

describe('the type of a station', () => {
  test.each([
    ['of an airport in use is its name', { type: 'Heliport' }, { type: 'SeaplaneBase' }, 'Heliport'],
    ['is that of a seaplane base in the older list', {}, { type: 'SeaplaneBase' }, 'SeaplaneBase'],
    ['is no heliport because of the older list', {}, { type: 'Heliport' }, 'Airport'],
    ['is an airport otherwise', {}, undefined, 'Airport'],
  ] as const)('%s', (_what, main, snapshot, type) => {
    const { stations } = joinLists({
      airports: [{ ...bismarck, ...main }],
      snapshot: snapshot ? [buildSnapshotStation({ ...bismarck, ...snapshot })] : [],
    });
    expect(stations.map(({ facts }) => facts.type)).toEqual([type]);
  });
});

describe('the city of a station', () => {
  test('is its metropolitan area first, then that of its point of reference, then that of the withdrawn code', () => {
    const { stations } = joinLists({
      areas: new Map([['BIS', { code: 'MET', name: 'Metropolis', countryCode: 'US' }]]),
      points: [
        buildReferencePoint({ ...bismarck, cityCode: 'AAA' }),
        buildReferencePoint({ ...billings, cityCode: 'BBB' }),
      ],
      withdrawn: [
        buildWithdrawnStation('', { iata: 'ISN', zone: 'America/Chicago', cityCode: 'CCC', cityName: 'Third' }),
      ],
    });
    expect(stations.map(({ iata, cityCode, facts }) => [iata, cityCode, facts.cityName])).toEqual([
      ['BIL', 'BBB', 'Billings'],
      ['BIS', 'MET', 'Metropolis'],
      ['ISN', 'CCC', 'Third'],
    ]);
  });

  test('is not that of another city which has its code in the points of reference', () => {
    const { stations } = joinLists({
      points: [buildReferencePoint({ iata: 'BIS', cityCode: 'TYO', latitude: 35, longitude: 139 })],
    });
    expect(findStation(stations, 'BIS')).toMatchObject({ cityCode: '', rank: 1 });
  });

  test('has its present name, for a station that lost its code the name of that time', () => {
    const { stations, cities } = joinLists({
      points: [buildReferencePoint({ ...bismarck, cityCode: 'BIS' })],
      withdrawn: [
        buildWithdrawnStation('2001-01-01', {
          iata: 'XBI',
          cityCode: 'BIS',
          cityName: 'Edwinton',
          latitude: 46.8,
          longitude: -100.8,
        }),
      ],
      cityNames: new Map([['BIS', 'Edwinton']]),
      cities: [{ code: 'BIS', latitude: 46.81, longitude: -100.78 }],
    });
    expect([findStation(stations, 'BIS')?.facts.cityName, findStation(stations, 'XBI')?.facts.cityName]).toEqual([
      'Bismarck',
      'Edwinton',
    ]);
    expect(cities).toEqual([
      {
        code: 'BIS',
        name: 'Bismarck',
        countryCode: 'US',
        latitude: 46.81,
        longitude: -100.78,
        zone: 'America/Chicago',
        provenance: {
          'code.iata': 'optd-por',
          name: 'airportsdata',
          'place.country.code': 'own',
          'place.latitude.decimalDegrees': 'optd-por',
          'place.longitude.decimalDegrees': 'optd-por',
          'timezone.name': 'own',
        },
      },
    ]);
  });

  test('without an airport of its own code has the name from the corrections, else of the withdrawn codes, else of most of its airports', () => {
    const near = (iata: string, cityName: string) => buildStation({ ...bismarck, iata, icao: '', faa: '', cityName });
    const three = [near('AAA', 'Mirabel'), near('AAB', 'Dorval'), near('AAC', 'Dorval')];
    const named = (code: string, cityNames = new Map<string, string>()) =>
      joinLists({
        airports: three,
        points: three.map(({ iata }) => buildReferencePoint({ ...bismarck, iata, cityCode: code })),
        cityNames,
      }).cities.map(({ name }) => name);
    expect(named('YMQ')).toEqual(['Montreal']);
    expect(named('XXX', new Map([['XXX', 'Told']]))).toEqual(['Told']);
    expect(named('XXX')).toEqual(['Dorval']);
  });

  test('has the zone of its stations, of several that of the nearest, and no position far from all of them', () => {
    const both = (latitude: number, longitude: number) =>
      joinLists({
        points: [
          buildReferencePoint({ ...bismarck, cityCode: 'XXX' }),
          buildReferencePoint({ ...billings, cityCode: 'XXX' }),
        ],
        cities: [{ code: 'XXX', latitude, longitude }],
      }).cities.map((city) => [city.zone, city.latitude]);
    expect(both(46, -108)).toEqual([['America/Denver', 46]]);
    expect(both(46, -101)).toEqual([['America/Chicago', 46]]);
    expect(both(0, 0)).toEqual([['America/Denver', undefined]]);
  });
});

describe('the region of a station', () => {
  const regions: RegionIndex = {
    findByCode: (code) => (['US-ND', 'US-MT', 'DE-BY'].includes(code) ? { code, name: code } : undefined),
    findByName: (country, name) =>
      country === 'US' && name === 'Montana' ? { code: 'US-MT', name: 'Montana' } : undefined,
  };
  const regionOf = (lists: ListsToJoin, iata = 'BIS') =>
    findStation(joinLists({ regions, ...lists }).stations, iata)?.facts.region;
  const named = (name: string) => [{ ...bismarck, region: { code: '', name } }];
  const coded = (code: string) => [buildSnapshotStation({ ...bismarck, region: { code, name: '' } })];

  test('is that of the older list, else the one its name means, else only a name', () => {
    expect(regionOf({ airports: named('Montana'), snapshot: coded('US-ND') })).toEqual({
      code: 'US-ND',
      name: 'US-ND',
    });
    expect(regionOf({ airports: named('Montana'), snapshot: coded('DE-BY') })).toEqual({
      code: 'US-MT',
      name: 'Montana',
    });
    expect(regionOf({ airports: named('Montana'), snapshot: coded('US-U-A') })).toEqual({
      code: 'US-MT',
      name: 'Montana',
    });
    expect(regionOf({ airports: named('Dakota') })).toEqual({ code: '', name: 'Dakota' });
    expect(regionOf({ airports: named('') })).toEqual({ code: '', name: '' });
  });

  test('is that of the same field under its other code, else that of its whole city', () => {
    const withdrawn = [buildWithdrawnStation('2001-01-01', { ...bismarck, iata: 'XBI' })];
    expect(regionOf({ airports: named('Montana'), withdrawn }, 'XBI')).toEqual({ code: 'US-MT', name: 'Montana' });
    const points = [
      buildReferencePoint({ ...bismarck, cityCode: 'BIS' }),
      buildReferencePoint({ iata: 'XRA', type: 'RailwayStation', cityCode: 'BIS', latitude: 46.8, longitude: -100.8 }),
    ];
    expect(regionOf({ airports: named('Montana'), points }, 'XRA')).toEqual({ code: 'US-MT', name: 'Montana' });
  });
});
