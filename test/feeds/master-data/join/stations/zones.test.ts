import { expect, test } from 'vitest';
import { buildReferencePoint, buildSnapshotStation, buildStation, buildWithdrawnStation } from './station-lists.ts';
import { at, findStation, joinLists, type ListsToJoin } from './station-lists.ts';

const countries = new Map(['MX', 'US', 'BR', 'AU', 'CN', 'CU', 'KZ'].map((code) => [code, code]));
const chihuahua = { iata: 'CUU', icao: 'MMCU', countryCode: 'MX', ...at(28.7, -105.97), zone: 'America/Mazatlan' };
const airport = buildStation(chihuahua);

/** Joins the lists, and returns the zones of CUU with their source, and the remarks about zones. */
const joinZones = (lists: ListsToJoin, code = 'CUU') => {
  const { stations, conflicts } = joinLists({ airports: [airport], countries, ...lists });
  const station = findStation(stations, code);
  const remarks = conflicts
    .filter(({ field }) => field === 'zone')
    .map(({ severity, reason, message }) => [severity, reason, message]);
  return { zone: station?.zone, source: station?.facts.provenance['timezone.name'], remarks };
};

test('a listed zone with another time than the position is replaced by the zone of the position, with the difference', () => {
  const message =
    'A list has CUU in America/Mazatlan, but its position is in America/Chihuahua, which was used; they differ by up to 60 minutes.';
  expect(joinZones({ zonesAt: () => ['America/Chihuahua'] })).toEqual({
    zone: 'America/Chihuahua',
    source: 'time-zone-boundaries',
    remarks: [['corrected', 'zone-of-position', message]],
  });
});

test('a listed zone that differs from the position only in past years is replaced too, because past flights are loaded', () => {
  const message =
    'A list has CUU in America/Mexico_City, but its position is in America/Chihuahua, which was used; they differ only in past years.';
  const airports = [buildStation({ ...chihuahua, zone: 'America/Mexico_City' })];
  const { zone, remarks } = joinZones({ airports, zonesAt: () => ['America/Chihuahua'] });
  expect([zone, remarks]).toEqual(['America/Chihuahua', [['corrected', 'zone-of-position', message]]]);
});

test.each([
  ['has the same clock under another name', 'America/Mazatlan', ['Mexico/BajaSur']],
  ['is one of the two of a disputed area', 'America/Mazatlan', ['America/Chihuahua', 'America/Mazatlan']],
  ['has no position on land', 'America/Mazatlan', []],
  ['has a position in a zone that this runtime does not know', 'America/Mazatlan', ['America/Nowhere']],
])('a listed zone stays without a remark if it %s', (_, zone, zones) => {
  expect(joinZones({ zonesAt: () => zones })).toEqual({ zone, source: 'airportsdata', remarks: [] });
});

test('a listed zone stays if the border is less than 2 km away, and is reported', () => {
  const border = (north: number): ListsToJoin => ({
    zonesAt: ({ latitude }) => [latitude > 28.7 + north ? 'America/Mazatlan' : 'America/Chihuahua'],
  });
  const message =
    'The position of CUU is in America/Chihuahua, less than 2 km from the border of America/Mazatlan, which was kept.';
  const remarks = [['notice', 'zone-near-border', message]];
  expect(joinZones(border(0.017))).toEqual({ zone: 'America/Mazatlan', source: 'airportsdata', remarks });
  expect(joinZones(border(0.019)).zone).toBe('America/Chihuahua');
});

test('a zone of another country across a border does not count', () => {
  const zonesAt: ListsToJoin['zonesAt'] = ({ latitude }) => [latitude > 28.71 ? 'America/Denver' : 'America/Chihuahua'];
  const listed = joinZones({ airports: [buildStation({ ...chihuahua, zone: 'America/Denver' })], zonesAt });
  expect(listed).toMatchObject({ zone: 'America/Chihuahua', source: 'time-zone-boundaries' });
});

test('a position on the wrong side of a border of the country has the zone of the right side', () => {
  const zonesAt: ListsToJoin['zonesAt'] = ({ latitude }) => [latitude > 28.69 ? 'America/Denver' : 'America/Chihuahua'];
  expect(joinZones({ zonesAt })).toMatchObject({ zone: 'America/Chihuahua', source: 'time-zone-boundaries' });
  const right = { zone: 'America/Chihuahua', source: 'airportsdata', remarks: [] };
  expect(joinZones({ airports: [buildStation({ ...chihuahua, zone: right.zone })], zonesAt })).toEqual(right);
  const unlisted = joinZones({ airports: [buildStation({ ...chihuahua, zone: undefined })], zonesAt });
  expect(unlisted).toMatchObject({ zone: 'America/Chihuahua', source: 'time-zone-boundaries' });
});

test('a position in another country than the station is no evidence, and is reported', () => {
  const message =
    'The position of CUU is in Indian/Antananarivo, which is not a time zone of its country MX; America/Mazatlan was kept.';
  expect(joinZones({ zonesAt: () => ['Indian/Antananarivo'] })).toEqual({
    zone: 'America/Mazatlan',
    source: 'airportsdata',
    remarks: [['notice', 'position-in-other-country', message]],
  });
});

test('of several lists, the one that agrees with the position is used, and the contradiction is reported', () => {
  const withdrawn = [buildWithdrawnStation('', { ...chihuahua, zone: 'America/Chihuahua' })];
  const message =
    'CUU is in America/Mazatlan according to airportsdata: airports, and in America/Chihuahua according to OpenTravelData: points of reference, which was used.';
  const expected = { zone: 'America/Chihuahua', source: 'optd-por', remarks: [['notice', 'zone-differs', message]] };
  expect(joinZones({ withdrawn, zonesAt: () => ['America/Chihuahua'] })).toEqual(expected);
  const points = [buildReferencePoint({ ...chihuahua, zone: 'America/Chihuahua' })];
  expect(joinZones({ points, zonesAt: () => ['America/Chihuahua'] })).toEqual(expected);
});

test('a station that only the points of reference have gets their zone', () => {
  const points = [buildReferencePoint({ iata: 'XMX', countryCode: '', ...at(19, -99), zone: 'America/Mexico_City' })];
  const expected = { zone: 'America/Mexico_City', source: 'optd-por', remarks: [] };
  expect(joinZones({ airports: [], points, zonesAt: () => ['America/Monterrey'] }, 'XMX')).toMatchObject({
    zone: 'America/Mexico_City',
  });
  expect(joinZones({ airports: [], points }, 'XMX')).toEqual(expected);
});

test('a station that no list has a zone for gets that of its position, also without a country, and is counted', () => {
  const points = [buildReferencePoint({ iata: 'XNO', ...at(10, 20) })];
  const message = '1 stations have no time zone in any source and got that of their position.';
  expect(joinZones({ airports: [], points, zonesAt: () => ['Africa/Ndjamena'] }, 'XNO')).toEqual({
    zone: 'Africa/Ndjamena',
    source: 'time-zone-boundaries',
    remarks: [['notice', 'zone-by-position', message]],
  });
});

test('in a disputed area, a station without a listed zone has that of the nearest airport of its country', () => {
  const zonesAt = () => ['Asia/Shanghai', 'Asia/Urumqi'];
  const inXinjiang = { countryCode: 'CN', ...at(43.9, 87.5) };
  const station = buildSnapshotStation({ ...inXinjiang, iata: 'XJX', icao: 'ZWXX' });
  const zoneBeside = (zone: string | undefined) =>
    joinZones({ airports: [buildStation({ ...inXinjiang, iata: 'URC', zone })], snapshot: [station], zonesAt }, 'XJX')
      .zone;
  expect([zoneBeside('Asia/Urumqi'), zoneBeside('Asia/Shanghai')]).toEqual(['Asia/Urumqi', 'Asia/Shanghai']);
});

test('an own correction has precedence over list and position', () => {
  const airports = [
    buildStation({ iata: 'NBW', icao: 'MUGM', countryCode: 'CU', ...at(19.9, -75.2), zone: 'America/Havana' }),
  ];
  const corrected = { zone: 'America/New_York', source: 'own', remarks: [] };
  expect(joinZones({ airports, zonesAt: () => ['America/Havana'] }, 'NBW')).toEqual(corrected);
});
