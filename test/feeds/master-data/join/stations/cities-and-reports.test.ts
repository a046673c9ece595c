import { describe, expect, test } from 'vitest';
import { buildProvenance } from '#test/feeds/master-data/feed-file.ts';
import { at, billings, bismarck, findStation, joinLists, buildRegions } from './station-lists.ts';
import { buildWithdrawnStation, buildSnapshotStation, buildReferencePoint, formatReasons } from './station-lists.ts';
import { buildStation, type ListsToJoin } from './station-lists.ts';

describe('the type of a station', () => {
  test.each([
    ['of an airport in use is its name', { type: 'Heliport' }, { type: 'SeaplaneBase' }, 'Heliport'],
    ['is that of a seaplane base in the older list', {}, { type: 'SeaplaneBase' }, 'SeaplaneBase'],
    ['is no heliport because of the older list', {}, { type: 'Heliport' }, 'Airport'],
    ['is an airport otherwise', {}, undefined, 'Airport'],
  ] as const)('%s', (_what, main, snapshot, type) => {
    const listed = snapshot ? [buildSnapshotStation({ ...bismarck, ...snapshot })] : [];
    const { stations } = joinLists({ airports: [{ ...bismarck, ...main }], snapshot: listed });
    expect(stations.map(({ facts }) => facts.type)).toEqual([type]);
  });
});

const inCity = (cityCode: string, ...airports: readonly Parameters<typeof buildReferencePoint>[0][]) =>
  airports.map((airport) => buildReferencePoint({ ...airport, cityCode }));

test('the city of a station is its metropolitan area first, then that of its point of reference, then that of the withdrawn code', () => {
  const third = { iata: 'ISN', zone: 'America/Chicago', cityCode: 'CCC', cityName: 'Third' };
  const { stations } = joinLists({
    areas: new Map([['BIS', { code: 'MET', name: 'Metropolis', countryCode: 'US' }]]),
    points: [...inCity('AAA', bismarck), ...inCity('BBB', billings)],
    withdrawn: [buildWithdrawnStation('', third)],
  });
  expect(stations.map(({ iata, cityCode, facts }) => [iata, cityCode, facts.cityName])).toEqual([
    ['BIL', 'BBB', 'Billings'],
    ['BIS', 'MET', 'Metropolis'],
    ['ISN', 'CCC', 'Third'],
  ]);
});

test('the city of a station is not that of another city which has its code in the points of reference', () => {
  const { stations } = joinLists({ points: inCity('TYO', { iata: 'BIS', ...at(35, 139) }) });
  expect(findStation(stations, 'BIS')).toMatchObject({ cityCode: '', rank: 1 });
});

test('the city of a station has its present name, for a station that lost its code the name of that time', () => {
  const edwinton = { iata: 'XBI', cityCode: 'BIS', cityName: 'Edwinton', ...at(46.8, -100.8) };
  const { stations, cities } = joinLists({
    points: inCity('BIS', bismarck),
    withdrawn: [buildWithdrawnStation('2001-01-01', edwinton)],
    cityNames: new Map([['BIS', 'Edwinton']]),
    cities: [{ code: 'BIS', ...at(46.81, -100.78) }],
  });
  expect(['BIS', 'XBI'].map((code) => findStation(stations, code)?.facts.cityName)).toEqual(['Bismarck', 'Edwinton']);
  const provenance = buildProvenance({
    'optd-por': 'code.iata place.latitude.decimalDegrees place.longitude.decimalDegrees',
    airportsdata: 'name',
    own: 'place.country.code timezone.name',
  });
  const city = { code: 'BIS', name: 'Bismarck', countryCode: 'US', zone: 'America/Chicago' };
  expect(cities).toEqual([{ ...city, ...at(46.81, -100.78), provenance }]);
});

test('the city of a station without an airport of its own code has the name from the corrections, else of the withdrawn codes, else of most of its airports', () => {
  const near = (iata: string, cityName: string) => ({ ...bismarck, iata, icao: '', faa: '', cityName });
  const airports = [near('AAA', 'Mirabel'), near('AAB', 'Dorval'), near('AAC', 'Dorval')];
  const namesOf = (code: string, cityNames = new Map<string, string>()) =>
    joinLists({ airports, points: inCity(code, ...airports), cityNames }).cities.map(({ name }) => name);
  expect(namesOf('YMQ')).toEqual(['Montreal']);
  expect(namesOf('XXX', new Map([['XXX', 'Withdrawn']]))).toEqual(['Withdrawn']);
  expect(namesOf('XXX')).toEqual(['Dorval']);
});

test.each([
  ['has the zone of its stations, of several that of the nearest', at(46, -108), ['America/Denver', 46]],
  ['has the zone of its stations, of several that of the nearest', at(46, -101), ['America/Chicago', 46]],
  ['has no position far from all of them', at(0, 0), ['America/Denver', undefined]],
])('the city of a station %s', (_, position, expected) => {
  const points = inCity('XXX', bismarck, billings);
  const { cities } = joinLists({ points, cities: [{ code: 'XXX', ...position }] });
  expect(cities.map(({ zone, latitude }) => [zone, latitude])).toEqual([expected]);
});

const regions = buildRegions(['US-ND', 'US-MT', 'DE-BY'], { 'US Montana': 'US-MT' });
const regionOf = (lists: ListsToJoin, iata = 'BIS') =>
  findStation(joinLists({ regions, ...lists }).stations, iata)?.facts.region;
const named = (name: string) => [{ ...bismarck, region: { code: '', name } }];
const coded = (code: string) => [buildSnapshotStation({ ...bismarck, region: { code, name: '' } })];
const montana = { code: 'US-MT', name: 'Montana' };

test('the region of a station is that of the older list, else the one its name means, else only a name', () => {
  const airports = named('Montana');
  expect(regionOf({ airports, snapshot: coded('US-ND') })).toEqual({ code: 'US-ND', name: 'US-ND' });
  expect(regionOf({ airports, snapshot: coded('DE-BY') })).toEqual(montana);
  expect(regionOf({ airports, snapshot: coded('US-U-A') })).toEqual(montana);
  expect(regionOf({ airports: named('Dakota') })).toEqual({ code: '', name: 'Dakota' });
  expect(regionOf({ airports: named('') })).toEqual({ code: '', name: '' });
});

test('the region of a station is that of the same field under its other code, else that of its whole city', () => {
  const withdrawn = [buildWithdrawnStation('2001-01-01', { ...bismarck, iata: 'XBI' })];
  expect(regionOf({ airports: named('Montana'), withdrawn }, 'XBI')).toEqual(montana);
  const station = { iata: 'XRA', type: 'RailwayStation', ...at(46.8, -100.8) } as const;
  expect(regionOf({ airports: named('Montana'), points: inCity('BIS', bismarck, station) }, 'XRA')).toEqual(montana);
});

const conflictOf = (countryCode: string) => {
  const airport = { ...bismarck, countryCode, region: { code: '', name: 'Tehran' } };
  const { stations, conflicts } = joinLists({
    airports: [airport],
    snapshot: [buildSnapshotStation({ ...airport, region: { code: `${countryCode}-07`, name: '' } })],
    regions: buildRegions(['US-07', 'IR-07'], { 'US Tehran': 'US-23', 'IR Tehran': 'IR-23' }),
    countries: new Map([[countryCode, countryCode]]),
  });
  return [stations[0]?.facts.region.code, ...conflicts.map(({ reason, value }) => `${reason} ${value}`)];
};

test('the region of a station that differs between two lists is that of the older list, and is reported', () => {
  expect(conflictOf('US')).toEqual(['US-07', 'region-differs BIS']);
});

test('the region of a station is never that of a code which had another meaning when the list was made', () => {
  expect(conflictOf('IR')).toEqual(['IR-23']);
});

const wrong = { ...bismarck, faa: '', latitude: 46.5 };
const snapshot = buildSnapshotStation({ ...bismarck, name: 'BISMARCK' });
const points = [buildReferencePoint({ iata: 'BIS', ...at(46.771, -100.741) })];
const nearOther = { airports: [{ ...bismarck, latitude: 46.6 }], snapshot: [snapshot] };

test.each<readonly [string, ListsToJoin, number, string, readonly string[]]>([
  [
    'is that of two lists that agree against the first, if they mean the same airport',
    { airports: [wrong], snapshot: [snapshot], points },
    46.77,
    'ourairports',
    [
      'The older list and the reference points agree on a position of BIS that is 30 km from that in the list of airports; theirs was used.',
    ],
  ],
  [
    'is that of the first list if they mean another airport, and the report contains the distances of the others',
    { airports: [wrong], snapshot: [{ ...snapshot, name: 'Bismarck Old Field' }], points },
    46.5,
    'airportsdata',
    [
      'The positions of BIS in the list of airports and in the older list are 30 km apart; the list of airports was used.',
      'The positions of BIS in the list of airports and in the reference points are 30.1 km apart; the list of airports was used.',
    ],
  ],
  ['is that of the first list if one other has it near', nearOther, 46.6, 'airportsdata', []],
])('the position of an airport %s', (_, lists, latitude, source, messages) => {
  const { stations, conflicts } = joinLists(lists);
  const column = 'place.latitude.decimalDegrees';
  const found = stations.map((station) => [station.latitude, station.facts.provenance[column]]);
  expect(found).toEqual([[latitude, source]]);
  expect(conflicts.map(({ message }) => message)).toEqual(messages);
});

test('the position of an airport is that of the first list if that has an FAA identifier', () => {
  const { stations } = joinLists({ airports: [{ ...wrong, faa: 'BIS' }], snapshot: [snapshot], points });
  expect(stations.map(({ latitude }) => latitude)).toEqual([46.5]);
});

test('omits and reports a country that is not in the list of countries', () => {
  const { stations, conflicts } = joinLists({ airports: [{ ...bismarck, countryCode: 'ZZ' }] });
  const column = 'place.country.code';
  const countries = stations.map(({ iata, countryCode, facts }) => [iata, countryCode, facts.provenance[column]]);
  expect(countries).toEqual([['BIS', '', undefined]]);
  const message = 'The country of BIS is not in the list of countries.';
  const entry = { severity: 'notice', field: 'country', value: 'ZZ', reason: 'unknown-country', message };
  expect(conflicts).toEqual([entry]);
});

test('reports lists that contradict each other about the country or the zone of an airport', () => {
  const { stations, conflicts } = joinLists({
    airports: [bismarck],
    snapshot: [buildSnapshotStation({ ...bismarck, countryCode: 'KZ' })],
    withdrawn: [buildWithdrawnStation('', { ...bismarck, zone: 'Asia/Almaty' })],
  });
  expect(stations.map(({ countryCode, zone }) => [countryCode, zone])).toEqual([['US', 'America/Chicago']]);
  expect(formatReasons(conflicts)).toEqual(['country-differs BIS', 'withdrawn-code-in-use BIS', 'zone-differs BIS']);
});

test('omits and reports an ICAO code with an initial that is unique in its country', () => {
  const many = Array.from({ length: 20 }, (_, index) =>
    buildStation({ icao: `KAA${String.fromCodePoint(65 + index)}`, zone: 'America/Chicago' }),
  );
  const modi = buildWithdrawnStation('', { iata: 'XXZ', icao: 'EGLA', name: 'Modi', zone: 'America/Chicago' });
  const { stations, conflicts } = joinLists({ airports: many, withdrawn: [modi] });
  const station = findStation(stations, 'XXZ');
  expect([station?.icao, station?.facts.provenance['code.icao']]).toEqual(['', undefined]);
  expect(formatReasons(conflicts)).toEqual(['stray-icao-code EGLA']);
});

test('counts the missing facts of locations with an IATA code', () => {
  const field = buildStation({ faa: '2G4', zone: 'America/Chicago' });
  const { entries } = joinLists({ airports: [{ ...bismarck, icao: '' }, billings, field] });
  const reasons = ['station-without-icao-code 1', 'station-without-city-code 2', 'station-without-region 2'];
  expect(formatReasons(entries)).toEqual(reasons);
  expect(entries[0]?.message).toBe('1 of 2 locations with an IATA code have no ICAO code.');
});
