import { expect, test } from 'vitest';
import { parseFaaStation, parseIataStation } from '#feeds/master-data/sources/station-codes.ts';
import { parseIcaoStation, findUncommonInitials } from '#feeds/master-data/sources/station-codes.ts';
import { createLoadReport } from '#feeds/load-report.ts';
import { readRegions } from '#feeds/master-data/sources/regions.ts';
import { createFeedFile } from '../feed-file.ts';

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

const file = () =>
  createFeedFile(
    'regions.csv',
    'id,code,local_code,name,continent,iso_country,wikipedia_link,keywords',
    '1,DE-BY,BY,Bavaria,EU,DE,,"Bayern, Freistaat"',
    '2,CL-LL,LL,Los Lagos Region,SA,CL,,Airports in Los Lagos Region',
    '3,ES-MD,MD,Madrid (community),EU,ES,,',
    '4,NO-20,20,Finnmark(Old),EU,NO,,',
    '5,NO-56,56,Finnmark,EU,NO,,',
    '6,AD-U-A,U-A,(unassigned),EU,AD,,',
    '7,AU-XX,XX,(FPSOs),OC,AU,,',
    '8,NO-46,46,Vestland fylke øst,EU,NO,,',
    '9,ES-AS,AS,Asturias,EU,ES,,Airports in Asturias',
    '10,ES-CT,CT,Catalonia,EU,ES,,Airports in Catalonia',
    '11,ES-MC,MC,Murcia (region),EU,ES,,',
    '12,ES-NC,NC,Navarra,EU,ES,,Airports in Navarra',
  );

test.each([
  ['DE', 'Bayern', 'DE-BY Bavaria'],
  ['DE', 'BAVARIA', 'DE-BY Bavaria'],
  ['CL', 'Los-Lagos', 'CL-LL Los Lagos Region'],
  ['CL', 'los lagos', 'CL-LL Los Lagos Region'],
  ['ES', 'Madrid', 'ES-MD Madrid'],
  ['ES', 'Comunidad de Madrid', 'ES-MD Madrid'],
  ['ES', 'Principado de Asturias', 'ES-AS Asturias'],
  ['ES', 'Región de Murcia', 'ES-MC Murcia'],
  ['ES', 'Comunidad Foral de Navarra', 'ES-NC Navarra'],
  ['ES', 'Cataluña', 'ES-CT Catalonia'],
  ['NO', 'Finnmark', 'NO-56 Finnmark'],
  ['NO', 'Vestland fylke ost', 'NO-46 Vestland fylke øst'],
  ['SE', 'Finnmark', 'none'],
  ['DE', '', 'none'],
  ['CL', 'Region', 'none'],
])('regions: in %s, "%s" is %s', async (country, name, expected) => {
  const region = (await readRegions(file(), createLoadReport('test'))).findByName(country, name);
  expect(region ? `${region.code} ${region.name}` : 'none').toBe(expected);
});

test('regions have codes of ISO 3166-2 only', async () => {
  const { findByCode } = await readRegions(file(), createLoadReport('test'));
  expect(findByCode('DE-BY')).toEqual({ code: 'DE-BY', name: 'Bavaria' });
  expect(['NO-20', 'AD-U-A', 'AU-XX'].map(findByCode)).toEqual([undefined, undefined, undefined]);
});
