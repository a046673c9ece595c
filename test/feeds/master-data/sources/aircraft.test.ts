import { expect, test } from 'vitest';
import { createLoadReport } from '../../../../src/feeds/load-report.ts';
import { readAircraft } from '../../../../src/feeds/master-data/sources/aircraft.ts';
import { createFeedFile } from '../feed-file.ts';

const header = 'iata_code^manufacturer^model^iata_group^iata_category^icao_code^nb_engines^aircraft_type';
const read = async (...rows: readonly string[]) => {
  const report = createLoadReport('test');
  const types = await readAircraft(createFeedFile('aircraft.csv', header, ...rows), report);
  return { types, entries: report.entries };
};

test('a type has its codes, names, family, category and engines', async () => {
  const { types, entries } = await read('A26^Antonow / Antonov^An-26^AN6^2T^AN26^2^T');
  const names = { manufacturer: 'Antonov', model: 'An-26', group: 'AN6' };
  const engine = { type: 'Turboprop', count: 2 };
  expect([...types.values()]).toEqual([{ iata: 'A26', icao: 'AN26', ...names, category: 'LandPlane', engine }]);
  expect(entries).toEqual([]);
});

test.each([
  ['BUS^Surface Equipment^Bus^BUS^S^0000^^S', 'Bus', '', 'SurfaceVehicle'],
  ['HOV^^Surface Equipment-Hovercraft^HOV^S^0000^^S', 'Hovercraft', '', 'SurfaceVehicle'],
  ['S61^Sikorsky^S-61^S61^H^S61^^H', 'S-61', 'Sikorsky', 'Helicopter'],
  ['A58^Antonov^An-158^A58^2J^ZZZZ^2^J', 'An-158', 'Antonov', 'LandPlane'],
  ['781^Boeing^787-10 pax^787^2J^B78X^2^J', '787-10', 'Boeing', 'LandPlane'],
  ['737^Boeing^737^^^^^', '737', 'Boeing', ''],
])('%s is a %s of «%s», a %s', async (row, model, manufacturer, category) => {
  const [type] = (await read(row)).types.values();
  expect([type?.model, type?.manufacturer, type?.category]).toEqual([model, manufacturer, category]);
});

test.each(['ZZZZ', '0000', '*', '', '2T'])('«%s» is not an ICAO code', async (code) => {
  const { types } = await read(`A58^Antonov^An-158^A58^2J^${code}^2^J`);
  expect(types.get('A58')?.icao).toBe('');
});

test('a type that names itself as its family has none', async () => {
  const { types } = await read('100^Fokker^100^100^2J^F100^2^J');
  expect(types.get('100')?.group).toBe('');
});

test('of a row with shifted columns only the names are used, which is reported', async () => {
  const { types, entries } = await read('DHT^De Havilland Canada^DHC-6 Twin Otter^DHT^Twin Otter^2T^^T');
  const unknown = { icao: '', group: '', category: '', engine: { type: '', count: undefined } };
  const names = { manufacturer: 'De Havilland Canada', model: 'DHC-6 Twin Otter' };
  expect(types.get('DHT')).toEqual({ iata: 'DHT', ...names, ...unknown });
  const message =
    'The category of DHT is no number of engines and J, T or P, nor H or S; what its row says of engines is left out.';
  const entry = { line: 2, field: 'iata_category', value: 'Twin Otter', reason: 'equipment-category', message };
  expect(entries).toEqual([{ severity: 'corrected', ...entry }]);
});

test('a row with an invalid type code is quarantined', async () => {
  const { types, entries } = await read('32^Airbus^A320^32S^2J^A320^2^J');
  expect([...types]).toEqual([]);
  const message = 'An aircraft type has a code of three letters or digits.';
  const entry = { line: 2, field: 'iata_code', value: '32', reason: 'bad-equipment-code', message };
  expect(entries).toEqual([{ severity: 'quarantined', ...entry }]);
});
