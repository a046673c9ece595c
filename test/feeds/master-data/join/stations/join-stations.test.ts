import { expect, test } from 'vitest';
import { buildProvenance } from '#test/feeds/master-data/feed-file.ts';
import { at, bismarck, findStation, joinLists, buildRegions, buildWithdrawnStation } from './station-lists.ts';
import { buildSnapshotStation, listOwners, buildReferencePoint, formatReasons, buildStation } from './station-lists.ts';

test('each fact of a station comes from the best list, with that source', () => {
  const point = { iata: 'BIS', ...at(46.78, -100.75), cityCode: 'BIS', validity: { from: '2001-02-03', to: '' } };
  const { stations } = joinLists({
    airports: [{ ...bismarck, region: { code: '', name: 'Dakota' } }],
    snapshot: [buildSnapshotStation({ ...bismarck, name: 'Old name', region: { code: 'US-ND', name: '' } })],
    points: [buildReferencePoint(point)],
    cities: [{ code: 'BIS', ...at(46.8, -100.8) }],
    regions: buildRegions(['US-ND']),
  });
  const { iata, icao, faa, name, countryCode, latitude, longitude, zone } = bismarck;
  const location = { iata, icao, faa, name, countryCode, latitude, longitude, zone, cityCode: 'BIS', rank: 1 };
  const ofFirstList =
    'code.iata code.icao code.faa type name place.city.name place.country.code place.latitude.decimalDegrees ' +
    'place.longitude.decimalDegrees timezone.name';
  expect(stations).toEqual([
    {
      ...location,
      facts: {
        type: 'Airport',
        cityName: 'Bismarck',
        region: { code: 'US-ND', name: 'US-ND' },
        validity: { from: '2001-02-03', to: '' },
        provenance: buildProvenance({
          airportsdata: ofFirstList,
          ourairports: 'place.region.code place.region.name place.country.name',
          'optd-por': 'place.city.code validity.from',
        }),
      },
    },
  ]);
});

const sloulin = { iata: 'ISN', icao: 'KISN', faa: 'ISN', name: 'Sloulin', ...at(48.178, -103.642) };
const closed = buildSnapshotStation(sloulin);

test('a station missing from the lists of current airports is retained after those in use, with the zone of the nearest airport of its country, whose distance is reported', () => {
  const { stations, conflicts } = joinLists({ snapshot: [closed] });
  const zones = stations.map(({ iata, zone, rank }) => `${iata} ${zone} ${rank}`);
  expect(zones).toEqual(['BIL America/Denver 1', 'BIS America/Chicago 1', 'ISN America/Chicago 2']);
  const message =
    'No source contains the time zone of ISN; America/Chicago was assumed, the zone of BIS, 268.5 km away.';
  const entry = { severity: 'notice', field: 'zone', value: 'ISN', reason: 'zone-of-far-airport', message };
  expect(conflicts).toEqual([entry]);
});

test('a station missing from the lists of current airports has the one zone of its country, or that of an airport close by, which is counted', () => {
  const near = buildSnapshotStation({ iata: 'XBI', ...at(46.5, -100.7) });
  const one = joinLists({ airports: [bismarck], snapshot: [closed, near] });
  expect(one.stations.map(({ zone }) => zone)).toEqual(Array(3).fill('America/Chicago'));
  expect(formatReasons(one.conflicts)).toEqual(['zone-of-country 2']);
  const two = joinLists({ snapshot: [near] });
  expect(findStation(two.stations, 'XBI')?.zone).toBe('America/Chicago');
  expect(formatReasons(two.conflicts)).toEqual(['zone-of-nearest-airport 1']);
});

test('a station missing from the lists of current airports has the zone and the dates of the list of withdrawn codes if listed there', () => {
  const zone = 'America/North_Dakota/Center';
  const withdrawn = [buildWithdrawnStation('2019-10-01', { iata: 'ISN', zone, ...at(48.2, -103.6) })];
  const { stations, conflicts } = joinLists({ snapshot: [closed], withdrawn });
  const station = findStation(stations, 'ISN');
  expect([station?.zone, station?.name, station?.rank]).toEqual([zone, 'Sloulin', 2]);
  expect(station?.facts.provenance['timezone.name']).toBe('optd-por');
  expect(conflicts).toEqual([]);
});

test('a station missing from the lists of current airports has no zone when no airport of its country is known', () => {
  const { stations, conflicts } = joinLists({ snapshot: [buildSnapshotStation({ iata: 'MCM', countryCode: 'MC' })] });
  expect(findStation(stations, 'MCM')?.zone).toBeUndefined();
  expect(formatReasons(conflicts)).toEqual(['zone-unknown 1']);
});

test('a station missing from the lists of current airports has the country of its city, else of the surrounding fields, else none', () => {
  const basel = buildStation({ iata: 'BSL', countryCode: 'CH', ...at(47.6, 7.5), zone: 'Europe/Zurich' });
  const german = buildStation({ iata: 'ZZZ', countryCode: 'DE', ...at(47.65, 7.6), zone: 'Europe/Berlin' });
  const { stations, conflicts } = joinLists({
    airports: [basel, german, bismarck],
    points: [
      buildReferencePoint({ iata: 'BSL', cityCode: 'BSL', ...at(47.6, 7.5) }),
      buildReferencePoint({ iata: 'XBS', type: 'RailwayStation', cityCode: 'BSL', ...at(47.55, 7.58) }),
      buildReferencePoint({ iata: 'XBI', ...at(46.8, -100.8) }),
      buildReferencePoint({ iata: 'XNO', ...at(47.6, 7.55) }),
    ],
  });
  const found = ['XBS', 'XBI', 'XNO'].map((code) => findStation(stations, code));
  const places = found.map((station) => `${station?.countryCode} ${station?.zone}`);
  expect(places).toEqual(['CH Europe/Zurich', 'US America/Chicago', ' undefined']);
  const provenance = { 'place.country.code': 'own', 'place.country.name': 'ourairports' };
  expect(found[0]?.facts).toMatchObject({ type: 'RailwayStation', provenance });
  expect(formatReasons(conflicts)).toEqual(['country-of-neighbours 2', 'zone-of-country 2', 'zone-unknown 1']);
});

test('a station missing from the lists of current airports has no position when it is far from the city it serves', () => {
  const far = buildReferencePoint({ iata: 'XBI', type: 'BusStation', cityCode: 'BIS', ...at(0, 0) });
  const points = [buildReferencePoint({ ...bismarck, cityCode: 'BIS' }), far];
  const { stations, conflicts } = joinLists({ points });
  const { latitude, countryCode, facts } = findStation(stations, 'XBI') ?? {};
  expect([latitude, countryCode]).toEqual([undefined, 'US']);
  expect(facts?.provenance).not.toHaveProperty(['place.latitude.decimalDegrees']);
  const reasons = ['position-far-from-city XBI', 'country-of-neighbours 1', 'zone-unknown 1'];
  expect(formatReasons(conflicts)).toEqual(reasons);
});

const inTurkey = { countryCode: 'TR', zone: 'Europe/Istanbul' };
const ataturk = buildStation({ ...inTurkey, iata: 'ISL', icao: 'LTBA', name: 'Atatürk', ...at(40.977, 28.815) });
const istanbul = { ...ataturk, iata: 'IST', icao: 'LTFM', name: 'Istanbul', ...at(41.275, 28.752) };

test('a code with several successive stations has its present owner first and then the former ones, each with its dates', () => {
  const pass = { iata: 'ISL', name: 'Isabel Pass', ...at(63, -145), zone: 'America/Anchorage' };
  const interim = { from: '2018-10-29', to: '2019-04-05' };
  const { stations, conflicts } = joinLists({
    airports: [ataturk, istanbul],
    withdrawn: [
      buildWithdrawnStation('2014-09-01', pass),
      { ...buildWithdrawnStation('', { ...istanbul, iata: 'ISL' }), validity: interim },
      buildWithdrawnStation('2019-04-05', { ...ataturk, iata: 'IST' }),
    ],
    points: [buildReferencePoint({ ...istanbul, validity: { from: '2019-04-06', to: '' } })],
  });
  expect(listOwners(stations, 'IST')).toEqual(['IST/LTFM 1 2019-04-06..', 'IST/LTBA 2 ..2019-04-05']);
  // No list has the start of the new code of Atatürk: it is the day on which the last other airport lost it.
  const former = ['ISL/LTFM 2 2018-10-29..2019-04-05', 'ISL/ 3 ..2014-09-01'];
  expect(listOwners(stations, 'ISL')).toEqual(['ISL/LTBA 1 2019-04-06..', ...former]);
  expect(conflicts).toEqual([]);
});

test('a code with several successive stations belongs to two stations with different ICAO codes however near, and to one station with one', () => {
  const hamad = buildStation({ ...ataturk, iata: 'DOH', icao: 'OTHH', countryCode: 'QA', ...at(25.26, 51.61) });
  const old = buildWithdrawnStation('2014-05-26', { ...hamad, icao: 'OTBD', longitude: 51.56 });
  const renamed = { ...old, icao: 'OTHH', name: 'Old Doha' };
  const owners = listOwners(joinLists({ airports: [hamad], withdrawn: [old] }).stations, 'DOH');
  expect(owners).toEqual(['DOH/OTHH 1 2014-05-27..', 'DOH/OTBD 2 ..2014-05-26']);
  const { stations, conflicts } = joinLists({ airports: [hamad], withdrawn: [renamed] });
  expect(listOwners(stations, 'DOH')).toEqual(['DOH/OTHH 1 ..']);
  expect(conflicts.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
    'withdrawn-code-in-use: DOH was withdrawn from Old Doha on 2014-05-26, but the list of airports contains it; it stays in use.',
  ]);
  // A new field at the old location, which has had the code since its withdrawal from the old one.
  const since = buildReferencePoint({ ...hamad, validity: { from: '2014-05-27', to: '' } });
  const moved = joinLists({ airports: [hamad], withdrawn: [renamed], points: [since] });
  expect(listOwners(moved.stations, 'DOH')).toEqual(['DOH/OTHH 1 2014-05-27..', 'DOH/OTHH 2 ..2014-05-26']);
});

test('a code with several successive stations is that of the list of airports first when other lists have it elsewhere, and is reported', () => {
  const bela = { iata: 'BIL', icao: 'OPBL', name: 'Bela', countryCode: 'PK', ...at(26, 66) };
  const { stations, conflicts } = joinLists({
    points: [buildReferencePoint({ iata: 'BIS', type: 'RailwayStation', cityCode: 'BER', ...at(52.5, 13.4) })],
    snapshot: [buildSnapshotStation(bela)],
  });
  expect(stations.map(({ iata, icao, cityCode, rank, facts }) => [iata, icao, cityCode, rank, facts.type])).toEqual([
    ['BIL', 'KBIL', '', 1, 'Airport'],
    ['BIS', 'KBIS', '', 1, 'Airport'],
    ['BIL', 'OPBL', '', 2, 'Airport'],
    ['BIS', '', 'BER', 2, 'RailwayStation'],
  ]);
  expect(conflicts.slice(0, 2).map(({ message }) => message)).toEqual([
    'BIL is Billings in the list of airports, which is returned first, and Bela in the older list.',
    'BIS is Bismarck in the list of airports, which is returned first, and a station of BER in the reference points.',
  ]);
});

test('an airport that got another code is found under both, the one in use first', () => {
  const now = buildStation({ iata: 'NQZ', icao: 'UACC', countryCode: 'KZ', ...at(51.02, 71.46), zone: 'Asia/Almaty' });
  const then = buildSnapshotStation({ ...now, iata: 'TSE', zone: undefined });
  const { stations } = joinLists({ airports: [now], snapshot: [then] });
  const codes = stations.map(({ iata, icao, zone, rank }) => `${iata} ${icao} ${zone} ${rank}`);
  expect(codes).toEqual(['NQZ UACC Asia/Almaty 1', 'TSE UACC Asia/Almaty 2']);
});

const newCode = (from: string) => buildReferencePoint({ iata: 'NEW', cityCode: 'OLD', validity: { from, to: '' } });
const renamed = buildStation({ iata: 'OLD', icao: 'KNEW', faa: 'NEW', name: 'New Name', zone: 'America/Chicago' });
const formerCode = buildSnapshotStation({ iata: 'OLD', icao: 'KOLD', faa: 'OLD', name: 'Old Name' });
const oldPoint = buildReferencePoint({ iata: 'OLD', cityCode: 'OLD' });

test('an airport that received a new code has its identifiers under it, and the old code has its dates and those of its time', () => {
  const points = [oldPoint, newCode('2026-07-01')];
  const { stations, conflicts } = joinLists({ airports: [renamed], snapshot: [formerCode], points });
  expect(stations.map(({ iata, icao, faa, zone, facts }) => [iata, icao, faa, zone, facts.validity])).toEqual([
    ['NEW', 'KNEW', 'NEW', 'America/Chicago', { from: '2026-07-01', to: '' }],
    ['OLD', 'KOLD', 'OLD', 'America/Chicago', { from: '', to: '2026-06-30' }],
  ]);
  expect(conflicts.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
    'code-changed: The airport OLD has the code NEW since 2026-07-01; the list of airports has the former code.',
  ]);
});

test.each([
  ['without a day', [oldPoint, newCode('')], [renamed]],
  ['at another position', [oldPoint, { ...newCode('2026-07-01'), latitude: 47 }], [renamed]],
  [
    'that the list of airports has too',
    [oldPoint, newCode('2026-07-01')],
    [renamed, { ...renamed, iata: 'NEW', icao: '', faa: '' }],
  ],
])('another code %s is not the new code of an airport', (_, points, airports) => {
  const { stations } = joinLists({ airports, snapshot: [formerCode], points });
  expect(listOwners(stations, 'OLD')).toEqual(['OLD/KNEW 1 ..']);
});

test('a correction of a date overrides that of a list', () => {
  const tegel = { iata: 'TXL', icao: 'EDDT', countryCode: 'DE', ...at(52.56, 13.29), zone: 'Europe/Berlin' };
  const siemReap = { iata: 'REP', icao: 'VDSR', countryCode: 'DE' };
  const withdrawn = [buildWithdrawnStation('2023-08-01', siemReap)];
  const snapshot = [buildSnapshotStation(siemReap)];
  const { stations } = joinLists({ airports: [buildStation(tegel)], snapshot, withdrawn });
  expect(listOwners(stations, 'TXL')).toEqual(['TXL/EDDT 1 ..2020-11-08']);
  expect(listOwners(stations, 'REP')).toEqual(['REP/VDSR 2 ..2023-10-15']);
  expect(findStation(stations, 'REP')?.facts.provenance['validity.to']).toBe('own');
});

const field = buildStation({ faa: '03N', ...at(11.222, 169.852), zone: 'Pacific/Majuro' });
/** Returns the stations as `IATA/FAA rank`. */
const join = (lists: Parameters<typeof joinLists>[0]) =>
  joinLists({ airports: [field], ...lists }).stations.map(({ iata, faa, rank }) => `${iata}/${faa} ${rank}`);

test('a field in use that lists no IATA code gets the code of an older list for the same identifier at the same location', () => {
  const snapshot = [buildSnapshotStation({ ...field, iata: 'UTK', latitude: 11.23 })];
  const { stations } = joinLists({ airports: [field], snapshot });
  const found = stations.map((one) => [one.iata, one.faa, one.rank, one.latitude, one.facts.provenance['code.iata']]);
  expect(found).toEqual([['UTK', '03N', 1, 11.222, 'ourairports']]);
});

test('a field in use that lists no IATA code gets that of the airport at exactly its position in the points of reference, and of no other record there', () => {
  const airport = buildReferencePoint({ iata: 'UTK', ...at(11.2221, 169.852) });
  expect(join({ points: [airport] })).toEqual(['UTK/03N 1']);
  expect(join({ points: [{ ...airport, latitude: 11.25 }] })).toEqual(['/03N 1', 'UTK/ 2']);
  expect(join({ points: [{ ...airport, type: 'RailwayStation' }] })).toEqual(['/03N 1', 'UTK/ 2']);
});

test('a field in use that lists no IATA code does not get it from another location, nor a withdrawn code', () => {
  const same = buildSnapshotStation({ ...field, iata: 'UTK' });
  expect(join({ snapshot: [{ ...same, latitude: 12 }] })).toEqual(['/03N 1', 'UTK/ 2']);
  const withdrawn = [buildWithdrawnStation('2001-01-01', same)];
  expect(join({ snapshot: [same], withdrawn })).toEqual(['/03N 1', 'UTK/ 2']);
});
