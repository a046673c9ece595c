import { expect, test } from 'vitest';
import { parseFaaStation, parseIataStation } from '../../../../src/feeds/master-data/sources/station-codes.ts';
import { parseIcaoStation, findUncommonInitials } from '../../../../src/feeds/master-data/sources/station-codes.ts';

const inCountry = (countryCode: string, state = '') => ({ countryCode, state });

test('an IATA station code is three letters', () => {
  expect(['LHR', 'lhr', '0', '-', 'L1R', 'LHRX', ''].map(parseIataStation)).toEqual(['LHR', '', '', '', '', '', '']);
});

test.each([
  ['EGLL', 'GB', '', 'EGLL'],
  ['KJFK', 'US', 'New York', 'KJFK'],
  ['PANC', 'US', 'Alaska', 'PANC'],
  ['KAQY', 'US', 'Alaska', ''],
  ['KAQY', 'US', 'AK', ''],
  ['KANG', 'PW', '', ''],
  ['KQMG', 'IQ', 'Anbar', ''],
  ['K2G4', 'US', 'Maryland', ''],
  ['2G40', 'US', 'Maryland', ''],
  ['CAD4', 'CA', 'British Columbia', ''],
  ['TA00', 'US', 'Texas', ''],
  ['X-TR', 'MS', '', ''],
  ['XLLN', 'RU', '', ''],
  ['egll', 'GB', '', ''],
  ['', 'GB', '', ''],
])("only true ICAO indicators are published: '%s' in %s %s is '%s'", (code, country, state, published) => {
  expect(parseIcaoStation(code, inCountry(country, state))).toBe(published);
});

test('an FAA identifier is accepted only in the United States, their territories and the associated states', () => {
  const rows = ['2G4 US', 'SIG PR', '03N MH', 'EG78 GB', 'TZ-0146 US'].map((text) => text.split(' '));
  const published = rows.map(([code = '', country = '']) => parseFaaStation(code, inCountry(country)));
  expect(published).toEqual(['2G4', 'SIG', '03N', '', '']);
});

test('the only code of a country with its initial is uncommon, unless the country has few codes', () => {
  const icaos = Array.from({ length: 19 }, (_, index) => `YAA${String.fromCodePoint(65 + index)}`);
  const australian = icaos.map((icao) => ({ countryCode: 'AU', icao }));
  const british = { countryCode: 'FK', icao: 'EGYP' };
  const local = { countryCode: 'FK', icao: 'SFAL' };
  const uncommon = { countryCode: 'AU', icao: 'DALH' };
  const others = [uncommon, british, local, { countryCode: 'AU', icao: '' }];
  expect(findUncommonInitials([...australian, ...others])).toEqual(new Set(['AU D']));
  expect(findUncommonInitials([...australian.slice(1), uncommon])).toEqual(new Set());
});
