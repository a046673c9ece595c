import { describe, expect, test } from 'vitest';
import type { RegionIndex } from '../../../../../src/feeds/master-data/sources/regions.ts';
import {
  bismarck,
  findStation,
  joinLists,
  buildWithdrawnStation,
  buildSnapshotStation,
  listOwners,
  buildReferencePoint,
  formatReasons,
  buildStation,
} from './station-lists.ts';

test('each fact of a station comes from the best list, with that source', () => {
  const regions: RegionIndex = {
    findByCode: (code) => (code === 'US-ND' ? { code, name: 'North Dakota' } : undefined),
    findByName: () => undefined,
  };
  const { stations } = joinLists({
    airports: [{ ...bismarck, region: { code: '', name: 'Dakota' } }],
    snapshot: [buildSnapshotStation({ ...bismarck, name: 'Old name', region: { code: 'US-ND', name: '' } })],
    points: [
      buildReferencePoint({
        iata: 'BIS',
        latitude: 46.78,
        longitude: -100.75,
        cityCode: 'BIS',
        validity: { from: '2001-02-03', to: '' },
      }),
    ],
    cities: [{ code: 'BIS', latitude: 46.8, longitude: -100.8 }],
    regions,
  });
  expect(stations).toEqual([
    {
      iata: 'BIS',
      icao: 'KBIS',
      faa: 'BIS',
      name: 'Bismarck',
      cityCode: 'BIS',
      countryCode: 'US',
      latitude: 46.77,
      longitude: -100.74,
      zone: 'America/Chicago',
      rank: 1,
      facts: {
        type: 'Airport',
        cityName: 'Bismarck',
        region: { code: 'US-ND', name: 'North Dakota' },
        validity: { from: '2001-02-03', to: '' },
        provenance: {
          'code.iata': 'airportsdata',
          'code.icao': 'airportsdata',
          'code.faa': 'airportsdata',
          type: 'airportsdata',
          name: 'airportsdata',
          'place.city.code': 'optd-por',
          'place.city.name': 'airportsdata',
          'place.region.code': 'ourairports',
          'place.region.name': 'ourairports',
          'place.country.code': 'airportsdata',
          'place.country.name': 'ourairports',
          'place.latitude.decimalDegrees': 'airportsdata',
          'place.longitude.decimalDegrees': 'airportsdata',
          'timezone.name': 'airportsdata',
          'validity.from': 'optd-por',
        },
      },
    },
  ]);
});

describe('a station missing from the lists of current airports', () => {
  const closed = buildSnapshotStation({
    iata: 'ISN',
    icao: 'KISN',
    faa: 'ISN',
    name: 'Sloulin',
    latitude: 48.178,
    longitude: -103.642,
  });

  test('is retained after those in use, with the zone of the nearest airport of its country, and the report contains that distance', () => {
    const { stations, conflicts } = joinLists({ snapshot: [closed] });
    expect(stations.map(({ iata, zone, rank }) => [iata, zone, rank])).toEqual([
      ['BIL', 'America/Denver', 1],
      ['BIS', 'America/Chicago', 1],
      ['ISN', 'America/Chicago', 2],
    ]);
    expect(conflicts).toEqual([
      {
        severity: 'notice',
        field: 'zone',
        value: 'ISN',
        reason: 'zone-of-far-airport',
        message: 'No source tells the time zone of ISN: it is given America/Chicago, that of BIS, 268.5 km away.',
      },
    ]);
  });

  test('has the one zone of its country, or that of an airport close by, which is counted', () => {
    const near = buildSnapshotStation({ iata: 'XBI', latitude: 46.5, longitude: -100.7 });
    const one = joinLists({ airports: [bismarck], snapshot: [closed, near] });
    expect(one.stations.map(({ zone }) => zone)).toEqual(Array(3).fill('America/Chicago'));
    expect(formatReasons(one.conflicts)).toEqual(['zone-of-country 2']);
    const two = joinLists({ snapshot: [near] });
    expect(findStation(two.stations, 'XBI')?.zone).toBe('America/Chicago');
    expect(formatReasons(two.conflicts)).toEqual(['zone-of-nearest-airport 1']);
  });

  test('has the zone and the dates of the list of withdrawn codes if listed there', () => {
    const { stations, conflicts } = joinLists({
      snapshot: [closed],
      withdrawn: [
        buildWithdrawnStation('2019-10-01', {
          iata: 'ISN',
          zone: 'America/North_Dakota/Center',
          latitude: 48.2,
          longitude: -103.6,
        }),
      ],
    });
    const station = findStation(stations, 'ISN');
    expect([station?.zone, station?.name, station?.rank]).toEqual(['America/North_Dakota/Center', 'Sloulin', 2]);
    expect(station?.facts.provenance['timezone.name']).toBe('optd-por');
    expect(conflicts).toEqual([]);
  });

  test('has no zone when no airport of its country is known', () => {
    const { stations, conflicts } = joinLists({ snapshot: [buildSnapshotStation({ iata: 'MCM', countryCode: 'MC' })] });
    expect(findStation(stations, 'MCM')?.zone).toBeUndefined();
    expect(formatReasons(conflicts)).toEqual(['zone-unknown 1']);
  });

  test('has the country of its city, else of the surrounding fields, else none', () => {
    const basel = buildStation({
      iata: 'BSL',
      countryCode: 'CH',
      latitude: 47.6,
      longitude: 7.5,
      zone: 'Europe/Zurich',
    });
    const german = buildStation({
      iata: 'ZZZ',
      countryCode: 'DE',
      latitude: 47.65,
      longitude: 7.6,
      zone: 'Europe/Berlin',
    });
    const { stations, conflicts } = joinLists({
      airports: [basel, german, bismarck],
      points: [
        buildReferencePoint({ iata: 'BSL', cityCode: 'BSL', latitude: 47.6, longitude: 7.5 }),
        buildReferencePoint({ iata: 'XBS', type: 'RailwayStation', cityCode: 'BSL', latitude: 47.55, longitude: 7.58 }),
        buildReferencePoint({ iata: 'XBI', latitude: 46.8, longitude: -100.8 }),
        buildReferencePoint({ iata: 'XNO', latitude: 47.6, longitude: 7.55 }),
      ],
    });
    expect(
      ['XBS', 'XBI', 'XNO'].map((code) => [
        findStation(stations, code)?.countryCode,
        findStation(stations, code)?.zone,
      ]),
    ).toEqual([
      ['CH', 'Europe/Zurich'],
      ['US', 'America/Chicago'],
      ['', undefined],
    ]);
    expect(findStation(stations, 'XBS')?.facts).toMatchObject({
      type: 'RailwayStation',
      provenance: { 'place.country.code': 'own', 'place.country.name': 'ourairports' },
    });
    expect(formatReasons(conflicts)).toEqual(['country-of-neighbours 2', 'zone-of-country 2', 'zone-unknown 1']);
  });

  test('has no position when it is far from the city it serves', () => {
    const { stations, conflicts } = joinLists({
      points: [
        buildReferencePoint({ iata: 'BIS', cityCode: 'BIS', latitude: 46.77, longitude: -100.74 }),
        buildReferencePoint({ iata: 'XBI', type: 'BusStation', cityCode: 'BIS', latitude: 0, longitude: 0 }),
      ],
    });
    const { latitude, countryCode, facts } = findStation(stations, 'XBI') ?? {};
    expect([latitude, countryCode, facts?.provenance['place.latitude.decimalDegrees']]).toEqual([
      undefined,
      'US',
      undefined,
    ]);
    expect(formatReasons(conflicts)).toEqual([
      'position-far-from-city XBI',
      'country-of-neighbours 1',
      'zone-unknown 1',
    ]);
  });
});

describe('a code with several successive stations', () => {
  const ataturk = buildStation({
    iata: 'ISL',
    icao: 'LTBA',
    name: 'Atatürk',
    countryCode: 'TR',
    latitude: 40.977,
    longitude: 28.815,
    zone: 'Europe/Istanbul',
  });
  const istanbul = { ...ataturk, iata: 'IST', icao: 'LTFM', name: 'Istanbul', latitude: 41.275, longitude: 28.752 };

  test('has its present owner first and then the former ones, each with its dates', () => {
    const { stations, conflicts } = joinLists({
      airports: [ataturk, istanbul],
      withdrawn: [
        buildWithdrawnStation('2014-09-01', {
          iata: 'ISL',
          name: 'Isabel Pass',
          latitude: 63,
          longitude: -145,
          zone: 'America/Anchorage',
        }),
        {
          ...buildWithdrawnStation('2019-04-05', { ...istanbul, iata: 'ISL' }),
          validity: { from: '2018-10-29', to: '2019-04-05' },
        },
        buildWithdrawnStation('2019-04-05', { ...ataturk, iata: 'IST' }),
      ],
      points: [buildReferencePoint({ ...istanbul, validity: { from: '2019-04-06', to: '' } })],
    });
    expect(listOwners(stations, 'IST')).toEqual([
      ['IST/LTFM', 1, '2019-04-06', ''],
      ['IST/LTBA', 2, '', '2019-04-05'],
    ]);
    // No list has the start of the new code of Atatürk: it is the day on which the last other airport lost it.
    expect(listOwners(stations, 'ISL')).toEqual([
      ['ISL/LTBA', 1, '2019-04-06', ''],
      ['ISL/LTFM', 2, '2018-10-29', '2019-04-05'],
      ['ISL/', 3, '', '2014-09-01'],
    ]);
    expect(conflicts).toEqual([]);
  });

  test('belongs to two stations with different ICAO codes however near, and to one station with one', () => {
    const hamad = buildStation({
      ...ataturk,
      iata: 'DOH',
      icao: 'OTHH',
      countryCode: 'QA',
      latitude: 25.26,
      longitude: 51.61,
    });
    const old = buildWithdrawnStation('2014-05-26', { ...hamad, icao: 'OTBD', longitude: 51.56 });
    expect(listOwners(joinLists({ airports: [hamad], withdrawn: [old] }).stations, 'DOH')).toEqual([
      ['DOH/OTHH', 1, '2014-05-27', ''],
      ['DOH/OTBD', 2, '', '2014-05-26'],
    ]);
    const { stations, conflicts } = joinLists({
      airports: [hamad],
      withdrawn: [{ ...old, icao: 'OTHH', name: 'Old Doha' }],
    });
    expect(listOwners(stations, 'DOH')).toEqual([['DOH/OTHH', 1, '', '']]);
    expect(conflicts.map(({ reason, message }) => [reason, message])).toEqual([
      [
        'withdrawn-code-in-use',
        'DOH was withdrawn from Old Doha on 2014-05-26, yet the list of airports has it in use: it stays in use.',
      ],
    ]);
    // A new field at the old location, which has had the code since its withdrawal from the old one.
    const since = buildReferencePoint({ ...hamad, validity: { from: '2014-05-27', to: '' } });
    expect(
      listOwners(
        joinLists({ airports: [hamad], withdrawn: [{ ...old, icao: 'OTHH' }], points: [since] }).stations,
        'DOH',
      ),
    ).toEqual([
      ['DOH/OTHH', 1, '2014-05-27', ''],
      ['DOH/OTHH', 2, '', '2014-05-26'],
    ]);
  });

  test('is that of the list of airports first when other lists have it elsewhere, and is reported', () => {
    const { stations, conflicts } = joinLists({
      points: [
        buildReferencePoint({ iata: 'BIS', type: 'RailwayStation', cityCode: 'BER', latitude: 52.5, longitude: 13.4 }),
      ],
      snapshot: [
        buildSnapshotStation({
          iata: 'BIL',
          icao: 'OPBL',
          name: 'Bela',
          countryCode: 'PK',
          latitude: 26,
          longitude: 66,
        }),
      ],
    });
    expect(stations.map(({ iata, icao, cityCode, rank, facts }) => [iata, icao, cityCode, rank, facts.type])).toEqual([
      ['BIL', 'KBIL', '', 1, 'Airport'],
      ['BIS', 'KBIS', '', 1, 'Airport'],
      ['BIL', 'OPBL', '', 2, 'Airport'],
      ['BIS', '', 'BER', 2, 'RailwayStation'],
    ]);
    expect(conflicts.slice(0, 2).map(({ message }) => message)).toEqual([
      'BIL is Billings in the list of airports, which answers first, and Bela in the older list.',
      'BIS is Bismarck in the list of airports, which answers first, and a station of BER in the points of reference.',
    ]);
  });
});

test('an airport that got another code is found under both, the one in use first', () => {
  const now = buildStation({
    iata: 'NQZ',
    icao: 'UACC',
    countryCode: 'KZ',
    latitude: 51.02,
    longitude: 71.46,
    zone: 'Asia/Almaty',
  });
  const { stations } = joinLists({
    airports: [now],
    snapshot: [buildSnapshotStation({ ...now, iata: 'TSE', zone: undefined })],
  });
  expect(stations.map(({ iata, icao, zone, rank }) => [iata, icao, zone, rank])).toEqual([
    ['NQZ', 'UACC', 'Asia/Almaty', 1],
    ['TSE', 'UACC', 'Asia/Almaty', 2],
  ]);
});

test('a correction of a date overrides that of a list', () => {
  const tegel = buildStation({
    iata: 'TXL',
    icao: 'EDDT',
    countryCode: 'DE',
    latitude: 52.56,
    longitude: 13.29,
    zone: 'Europe/Berlin',
  });
  const { stations } = joinLists({
    airports: [tegel],
    snapshot: [buildSnapshotStation({ iata: 'REP', icao: 'VDSR', countryCode: 'DE' })],
    withdrawn: [buildWithdrawnStation('2023-08-01', { iata: 'REP', icao: 'VDSR', countryCode: 'DE' })],
  });
  expect([...listOwners(stations, 'TXL'), ...listOwners(stations, 'REP')]).toEqual([
    ['TXL/EDDT', 1, '', '2020-11-08'],
    ['REP/VDSR', 2, '', '2023-10-15'],
  ]);
  expect(findStation(stations, 'REP')?.facts.provenance['validity.to']).toBe('own');
});

describe('a field in use that lists no IATA code', () => {
  const field = buildStation({ faa: '03N', latitude: 11.222, longitude: 169.852, zone: 'Pacific/Majuro' });

  test('gets the code of an older list for the same identifier at the same location', () => {
    const { stations } = joinLists({
      airports: [field],
      snapshot: [buildSnapshotStation({ ...field, iata: 'UTK', latitude: 11.23 })],
    });
    expect(
      stations.map(({ iata, faa, latitude, rank, facts }) => [
        iata,
        faa,
        latitude,
        rank,
        facts.provenance['code.iata'],
      ]),
    ).toEqual([['UTK', '03N', 11.222, 1, 'ourairports']]);
  });

  test('gets that of the airport at exactly its position in the points of reference, and of no other record there', () => {
    const airport = buildReferencePoint({ iata: 'UTK', latitude: 11.2221, longitude: 169.852 });
    expect(joinLists({ airports: [field], points: [airport] }).stations.map(({ iata, faa }) => [iata, faa])).toEqual([
      ['UTK', '03N'],
    ]);
    for (const other of [
      { ...airport, latitude: 11.25 },
      { ...airport, type: 'RailwayStation' as const },
    ])
      expect(joinLists({ airports: [field], points: [other] }).stations.map(({ iata, faa }) => [iata, faa])).toEqual([
        ['', '03N'],
        ['UTK', ''],
      ]);
  });

  test('does not get it from another location, nor a withdrawn code', () => {
    const elsewhere = buildSnapshotStation({ ...field, iata: 'UTK', latitude: 12 });
    expect(
      joinLists({ airports: [field], snapshot: [elsewhere] }).stations.map(({ iata, faa, rank }) => [iata, faa, rank]),
    ).toEqual([
      ['', '03N', 1],
      ['UTK', '', 2],
    ]);
    const same = buildSnapshotStation({ ...field, iata: 'UTK' });
    const { stations } = joinLists({
      airports: [field],
      snapshot: [same],
      withdrawn: [buildWithdrawnStation('2001-01-01', same)],
    });
    expect(stations.map(({ iata, rank }) => [iata, rank])).toEqual([
      ['', 1],
      ['UTK', 2],
    ]);
  });
});
