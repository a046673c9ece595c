import { describe, expect, test } from 'vitest';
import { newLoadReport } from '../../../src/feeds/load-report.ts';
import { joinStations, type StationSources } from '../../../src/feeds/master-data/join-stations.ts';
import type { Station } from '../../../src/feeds/master-data/station.ts';

const station = (given: Partial<Station>): Station => ({
  iata: '',
  icao: '',
  faa: '',
  name: '',
  cityCode: '',
  countryCode: 'US',
  latitude: 48,
  longitude: -103,
  zone: undefined,
  ...given,
});

const bismarck = station({
  iata: 'BIS',
  icao: 'KBIS',
  faa: 'BIS',
  latitude: 46.77,
  longitude: -100.74,
  zone: 'America/Chicago',
});
const billings = station({
  iata: 'BIL',
  icao: 'KBIL',
  faa: 'BIL',
  latitude: 45.8,
  longitude: -108.54,
  zone: 'America/Denver',
});

const join = (given: Partial<StationSources>) => {
  const report = newLoadReport('test');
  const stations = joinStations(
    {
      airports: [billings, bismarck],
      snapshot: [],
      retired: [],
      cityCodes: new Map(),
      metropolitanAreas: new Map(),
      countries: new Set(['US', 'KZ', 'MC']),
      ...given,
    },
    report,
  );
  return { stations, entries: report.entries };
};

const find = (stations: readonly Station[], iata: string) => stations.find((found) => found.iata === iata);

describe('a station that closed', () => {
  const closed = station({ iata: 'ISN', icao: 'KISN', faa: 'ISN', latitude: 48.178, longitude: -103.642 });

  test('stays, after those in use, with the zone of the nearest airport of its country, and the report says so', () => {
    const { stations, entries } = join({ snapshot: [closed] });
    expect(stations.map(({ iata, zone, rank }) => [iata, zone, rank])).toEqual([
      ['BIL', 'America/Denver', 1],
      ['BIS', 'America/Chicago', 1],
      ['ISN', 'America/Chicago', 2],
    ]);
    expect(entries).toEqual([
      {
        severity: 'notice',
        field: 'zone',
        value: 'ISN',
        reason: 'zone-of-nearest-airport',
        message: 'No source tells the time zone of ISN: it is given America/Chicago, that of BIS, 268.5 km away.',
      },
    ]);
  });

  test('has the zone of the list of withdrawn codes when that knows it', () => {
    const retired = station({ iata: 'ISN', zone: 'America/North_Dakota/Center', cityCode: 'ISN', latitude: undefined });
    const { stations, entries } = join({ snapshot: [closed], retired: [retired] });
    expect(find(stations, 'ISN')).toEqual({
      ...closed,
      cityCode: 'ISN',
      zone: 'America/North_Dakota/Center',
      rank: 2,
    });
    expect(entries).toEqual([]);
  });

  test('has no zone when no airport of its country is known', () => {
    const { stations, entries } = join({ snapshot: [station({ iata: 'MCM', countryCode: 'MC' })] });
    expect(find(stations, 'MCM')?.zone).toBeUndefined();
    expect(entries.map(({ reason, value }) => [reason, value])).toEqual([['zone-unknown', 'MCM']]);
  });

  test('gives way to the airport that has its code now', () => {
    const { stations } = join({ retired: [station({ iata: 'BIS', name: 'Another place', zone: 'Asia/Almaty' })] });
    expect(stations.filter(({ iata }) => iata === 'BIS')).toEqual([{ ...bismarck, rank: 1 }]);
  });
});

test('an airport that got another code is found under both, the one in use first', () => {
  const now = station({
    iata: 'NQZ',
    icao: 'UACC',
    countryCode: 'KZ',
    latitude: 51.02,
    longitude: 71.46,
    zone: 'Asia/Almaty',
  });
  const before = { ...now, iata: 'TSE', zone: undefined };
  const { stations } = join({ airports: [now], snapshot: [before] });
  expect(stations.map(({ iata, icao, zone, rank }) => [iata, icao, zone, rank])).toEqual([
    ['NQZ', 'UACC', 'Asia/Almaty', 1],
    ['TSE', 'UACC', 'Asia/Almaty', 2],
  ]);
});

describe('a field in use that lists no IATA code', () => {
  const field = station({
    faa: '03N',
    countryCode: 'US',
    latitude: 11.222,
    longitude: 169.852,
    zone: 'Pacific/Majuro',
  });

  test('takes the code an older list has for the same identifier at the same place', () => {
    const { stations } = join({
      airports: [field],
      snapshot: [{ ...field, iata: 'UTK', latitude: 11.23, zone: undefined }],
    });
    expect(stations).toEqual([{ ...field, iata: 'UTK', rank: 1 }]);
  });

  test('does not take it from another place, nor a code that was withdrawn', () => {
    const elsewhere = { ...field, iata: 'UTK', latitude: 12 };
    expect(
      join({ airports: [field], snapshot: [elsewhere] }).stations.map(({ iata, faa, rank }) => [iata, faa, rank]),
    ).toEqual([
      ['', '03N', 1],
      ['UTK', '', 2],
    ]);
    const same = { ...field, iata: 'UTK' };
    expect(
      join({ airports: [field], snapshot: [same], retired: [same] }).stations.map(({ iata, rank }) => [iata, rank]),
    ).toEqual([
      ['', 1],
      ['UTK', 2],
    ]);
  });
});

test('the city of a metropolitan area comes first, then that of the station, then that of the withdrawn code', () => {
  const cityCodes = new Map([
    ['BIS', 'AAA'],
    ['BIL', 'BBB'],
  ]);
  const retired = [station({ iata: 'ISN', zone: 'America/Chicago', cityCode: 'CCC' })];
  const { stations } = join({ cityCodes, metropolitanAreas: new Map([['BIS', 'MET']]), retired });
  expect(stations.map(({ cityCode }) => cityCode)).toEqual(['BBB', 'MET', 'CCC']);
});

test('a country that is not in the list of countries is left out and reported', () => {
  const { stations, entries } = join({ airports: [{ ...bismarck, countryCode: 'ZZ' }] });
  expect(stations).toEqual([{ ...bismarck, countryCode: '', rank: 1 }]);
  expect(entries).toEqual([
    {
      severity: 'notice',
      field: 'country',
      value: 'ZZ',
      reason: 'unknown-country',
      message: 'The country of BIS is not in the list of countries.',
    },
  ]);
});

test('an ICAO code that begins like no other of its country is left out and reported', () => {
  const many = Array.from({ length: 20 }, (_, index) =>
    station({ icao: `KAA${String.fromCodePoint(65 + index)}`, zone: 'America/Chicago' }),
  );
  const modi = station({ iata: 'XXZ', icao: 'EGLA', name: 'Modi', zone: 'America/Chicago' });
  const { stations, entries } = join({ airports: many, retired: [modi] });
  expect(find(stations, 'XXZ')).toEqual({ ...modi, icao: '', rank: 2 });
  expect(entries.map(({ reason, value }) => [reason, value])).toEqual([['stray-icao-code', 'EGLA']]);
});
