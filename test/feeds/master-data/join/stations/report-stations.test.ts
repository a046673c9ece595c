import { expect, test } from 'vitest';
import { billings, bismarck, findStation, joinLists, buildWithdrawnStation } from './station-lists.ts';
import { buildSnapshotStation, buildReferencePoint, formatReasons, buildStation, at } from './station-lists.ts';
import type { ListsToJoin } from './station-lists.ts';

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
      'The older list and the points of reference agree on a position of BIS 30 km from where the list of airports has it: theirs is taken.',
    ],
  ],
  [
    'is that of the first list if they mean another airport, and the report contains the distances of the others',
    { airports: [wrong], snapshot: [{ ...snapshot, name: 'Bismarck Old Field' }], points },
    46.5,
    'airportsdata',
    [
      'BIS lies 30 km from there in the older list: where the list of airports has it is taken.',
      'BIS lies 30.1 km from there in the points of reference: where the list of airports has it is taken.',
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
  expect(entries[0]?.message).toBe('So many of 2 locations with an IATA code have no ICAO code.');
});
