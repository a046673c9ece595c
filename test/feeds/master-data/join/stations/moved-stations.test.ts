import { expect, test } from 'vitest';
import { bismarck, findStation, joinLists, buildWithdrawnStation, buildSnapshotStation } from './station-lists.ts';
import { listOwners, buildReferencePoint, formatReasons, buildStation, at } from './station-lists.ts';

const wujiaba = { iata: 'KMG', icao: 'ZPPP', name: 'Wujiaba', countryCode: 'DE', zone: 'Asia/Shanghai' };
const old = buildStation({ ...wujiaba, ...at(24.99, 102.74) });
const field = { ...old, name: 'Changshui', ...at(25.1, 102.93) };
const since = (from: string, fields: Parameters<typeof buildReferencePoint>[0]) =>
  buildReferencePoint({ ...fields, validity: { from, to: '' } });

const moved = {
  airports: [old],
  snapshot: [buildSnapshotStation(field)],
  points: [since('2012-06-28', { iata: 'KMG', ...at(25.104, 102.943) })],
  withdrawn: [buildWithdrawnStation('2012-06-27', old)],
};

test('an airport that moved with its codes is at the position of both other lists, if the first has the old one, which is reported', () => {
  const { stations, conflicts } = joinLists(moved);
  expect(stations.map(({ name, latitude, facts }) => [name, latitude, facts.provenance['name']])).toEqual([
    ['Changshui', 25.1, 'ourairports'],
    ['Wujiaba', 24.99, 'optd-por'],
  ]);
  expect(listOwners(stations, 'KMG')).toEqual(['KMG/ZPPP 1 2012-06-28..', 'KMG/ZPPP 2 ..2012-06-27']);
  expect(conflicts.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
    'airport-moved: KMG moved by 22.7 km, and the list of airports has the old position; the position in the older list was used.',
  ]);
});

test('an airport that moved with its codes stays at the position of the first list when only one list differs', () => {
  const { stations, conflicts } = joinLists({ ...moved, snapshot: [buildSnapshotStation(old)] });
  expect(stations.map(({ name, latitude }) => `${name} ${latitude}`)).toEqual(['Wujiaba 24.99', 'Wujiaba 24.99']);
  expect(formatReasons(conflicts)).toEqual([]);
});

test('a reassigned code does not belong to its former field', () => {
  const nouzha = { ...old, iata: 'ALY', icao: 'HEAX', name: 'Nouzha' };
  const { stations } = joinLists({
    snapshot: [buildSnapshotStation(nouzha)],
    points: [since('2026-08-20', { iata: 'ALY', ...at(24.7, 102.5) })],
    withdrawn: [buildWithdrawnStation('2026-08-01', nouzha)],
  });
  expect(listOwners(stations, 'ALY')).toEqual(['ALY/ 2 2026-08-20..', 'ALY/HEAX 3 ..2026-08-01']);
});

test('a field of the first list that is known to be closed follows the current owner of its code', () => {
  const nouakchott = { ...old, iata: 'NKC', icao: 'GQNN', name: 'Nouakchott' };
  const { stations } = joinLists({
    airports: [nouakchott],
    snapshot: [buildSnapshotStation({ ...field, iata: 'NKC', icao: 'GQNO', name: 'Oumtounsy' })],
    points: [buildReferencePoint({ iata: 'NKC', cityCode: 'NKC', ...at(24.99, 102.74) })],
  });
  expect(listOwners(stations, 'NKC')).toEqual(['NKC/GQNO 1 2016-06-23..', 'NKC/GQNN 2 ..2016-06-22']);
  expect(stations.map(({ name, cityCode }) => `${name} ${cityCode}`)).toEqual(['Oumtounsy NKC', 'Nouakchott NKC']);
});

test('a field that the older list has as closed follows a point of reference elsewhere, and is counted', () => {
  const closed = { ...buildSnapshotStation({ ...old, iata: 'XCL' }), isClosed: true };
  const points = [buildReferencePoint({ iata: 'XCL', ...at(46.9, -100.9) })];
  const { stations, entries } = joinLists({ snapshot: [closed], points });
  expect(listOwners(stations, 'XCL')).toEqual(['XCL/ 2 ..', 'XCL/ZPPP 3 ..']);
  expect(formatReasons(entries)).toContain('closed-without-date 1');
});

const astana = { iata: 'NQZ', icao: 'UACC', countryCode: 'KZ', cityName: 'Astana', name: 'Astana' };
const now = buildStation({ ...old, ...astana });
const lost = (to: string) =>
  joinLists({
    airports: [now],
    points: [since('2020-06-01', { ...now, cityCode: 'NQZ' })],
    cities: [{ code: 'NQZ', ...at(25, 102.8), since: '2020-06-01' }],
    withdrawn: [buildWithdrawnStation(to, { ...now, iata: 'TSE', cityCode: 'NQZ', cityName: 'Astana' })],
  });

test('a station that lost its code before its city got its present code was in a city of its own code', () => {
  const { stations, cities } = lost('2020-05-31');
  const places = stations.map(({ iata, cityCode, facts }) => `${iata} ${cityCode} ${facts.cityName}`);
  expect(places).toEqual(['NQZ NQZ Astana', 'TSE TSE Astana']);
  expect(findStation(stations, 'TSE')?.facts.provenance['place.city.code']).toBe('own');
  expect(cities.map(({ code, name }) => `${code} ${name}`)).toEqual(['NQZ Astana', 'TSE Astana']);
});

test('a station that lost its code when its city already had that code was in it', () => {
  const cities = lost('2021-01-01').stations.map(({ iata, cityCode }) => `${iata} ${cityCode}`);
  expect(cities).toEqual(['NQZ NQZ', 'TSE NQZ']);
});

test('a station that no list names has the name of its city with what it is, and the report counts how many', () => {
  const types = ['RailwayStation', 'BusStation', 'Port', 'OffPoint', 'RailwayStation'] as const;
  const unnamed = ['XBA', 'XBB', 'XBC', 'XBD', 'QKL'].map((iata, index) =>
    buildReferencePoint({ iata, type: types[index] ?? 'OffPoint', cityCode: 'BIS', ...at(46.8, -100.8) }),
  );
  const listed = buildReferencePoint({ ...bismarck, iata: 'XBE', type: 'Port', name: 'Riverside', cityCode: 'BIS' });
  const points = [buildReferencePoint({ ...bismarck, cityCode: 'BIS' }), ...unnamed, listed];
  const { stations, entries } = joinLists({ points });
  const names = [...unnamed, listed].map(({ iata }) => {
    const { name, facts } = findStation(stations, iata) ?? {};
    return [iata, name, facts?.provenance['name']];
  });
  expect(names).toEqual([
    ['XBA', 'Bismarck Railway Station', 'own'],
    ['XBB', 'Bismarck Bus Station', 'own'],
    ['XBC', 'Bismarck Port', 'own'],
    ['XBD', 'Bismarck', 'own'],
    ['QKL', 'Köln Hauptbahnhof', 'own'],
    ['XBE', 'Riverside', 'optd-por'],
  ]);
  expect(formatReasons(entries)).toContain('station-named-by-city 5');
});

test('an airport assigned to a large distant city is in its own city', () => {
  const ontario = buildStation({ ...bismarck, iata: 'ONT', cityName: 'Ontario' });
  const points = [buildReferencePoint({ ...ontario, cityCode: 'LAX' })];
  const { stations } = joinLists({ airports: [ontario], points });
  const cities = stations.map(({ cityCode, facts }) => [cityCode, facts.provenance['place.city.code']]);
  expect(cities).toEqual([['ONT', 'own']]);
});
