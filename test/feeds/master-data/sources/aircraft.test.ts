import { expect, test, describe } from 'vitest';
import { createLoadReport } from '#feeds/load-report.ts';
import { readAircraft } from '#feeds/master-data/sources/aircraft.ts';
import { createFeedFile } from '../feed-file.ts';
import { selectModel, readModelTypes } from '#feeds/master-data/sources/model-types.ts';

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

test('uses only the names of a row with shifted columns and reports it', async () => {
  const { types, entries } = await read('DHT^De Havilland Canada^DHC-6 Twin Otter^DHT^Twin Otter^2T^^T');
  const unknown = { icao: '', group: '', category: '', engine: { type: '', count: undefined } };
  const names = { manufacturer: 'De Havilland Canada', model: 'DHC-6 Twin Otter' };
  expect(types.get('DHT')).toEqual({ iata: 'DHT', ...names, ...unknown });
  const message =
    'The category of DHT must be a number of engines with J, T or P, or H or S; the engine data of the row were ignored.';
  const entry = { line: 2, field: 'iata_category', value: 'Twin Otter', reason: 'equipment-category', message };
  expect(entries).toEqual([{ severity: 'corrected', ...entry }]);
});

test('a row with an invalid type code is quarantined', async () => {
  const { types, entries } = await read('32^Airbus^A320^32S^2J^A320^2^J');
  expect([...types]).toEqual([]);
  const message = 'The code of an aircraft type must have three letters or digits; the row was ignored.';
  const entry = { line: 2, field: 'iata_code', value: '32', reason: 'bad-equipment-code', message };
  expect(entries).toEqual([{ severity: 'quarantined', ...entry }]);
});

const modelsHeader =
  'ICAO,Manufacturer,Model,Engines,EngineTypeCode,EnginePlacementCode,SpeciesCode,WakeTurbulenceCode,IsActive';
const readModels = async (...rows: readonly string[]) => {
  const report = createLoadReport('test');
  const designators = await readModelTypes([createFeedFile('model_types.csv', modelsHeader, ...rows)], report);
  return { designators, entries: report.entries };
};

describe('the list of model types', () => {
  test('has one record a designator, from the models in force', async () => {
    const former = 'BE20,Beech,Huron,2,T,,L,L/M,0';
    const { designators, entries } = await readModels(former, 'BE20,Beech,200 Super King Air,2,T,,L,L/M,1');
    const facts = { category: 'LandPlane', engine: { type: 'Turboprop', count: 2 }, wakeTurbulence: 'L/M' };
    const names = { icao: 'BE20', manufacturer: 'Beechcraft', model: '200 Super King Air' };
    expect([...designators.values()]).toEqual([{ ...names, isInForce: true, ...facts }]);
    expect(entries).toEqual([]);
  });

  test('keeps a designator that is no longer in force, and marks it', async () => {
    const { designators } = await readModels('CONC,Aerospatiale,Concorde,4,J,,L,H,0');
    expect(designators.get('CONC')).toMatchObject({ isInForce: false, engine: { type: 'Jet', count: 4 } });
  });

  test.each([
    ['A139,AgustaWestland,AW-139,2,T,,H,M,1', 'Helicopter', 'Turboshaft', 2],
    ['R44,Robinson,R-44,1,P,,H,L,1', 'Helicopter', 'Piston', 1],
    ['V22,Bell-Boeing,V-22 Osprey,2,T,,T,M,1', 'TiltRotor', 'Turboshaft', 2],
    ['G21,Grumman,G-21 Goose,2,P,,A,L,1', 'Amphibian', 'Piston', 2],
    ['MARS,Martin,JRM Mars,4,P,,S,M,1', 'SeaPlane', 'Piston', 4],
    ['HW4T,Groen,Jet Hawk 4T,1,T,,G,L,1', 'Gyrocopter', 'Turboprop', 1],
    ['JAS4,JOBY,JAS-4,6,E,,T,L,1', 'TiltRotor', 'Electric', 6],
    ['GANT,Fairey,Gannet,C,T,,L,M,1', 'LandPlane', 'Turboprop', undefined],
  ])('%s is a %s with %s engines: %s', async (row, category, type, count) => {
    const [designator] = (await readModels(row)).designators.values();
    expect([designator?.category, designator?.engine]).toEqual([category, { type, count }]);
  });

  test.each(['-GND,,Ground Vehicle,,,,,,1', '-TWR,,Tower,,,,,,1', 'GLID,,Glider,,,,,,0', 'ZZZZ,,Not assigned,,,,,,0'])(
    '%s is not an aircraft type',
    async (row) => {
      expect([...(await readModels(row, 'R44,Robinson,R-44,1,P,,H,L,1')).designators.keys()]).toEqual(['R44']);
    },
  );

  test('omits and reports facts in which its models contradict each other', async () => {
    const { designators, entries } = await readModels('XX1,Maker,One,1,P,,L,L,1', 'XX1,Maker,Two,2,P,,L,L,1');
    expect(designators.get('XX1')?.engine).toEqual({ type: 'Piston', count: undefined });
    const message = 'The models of XX1 contradict each other; the value was ignored.';
    const entry = { severity: 'notice', field: 'engines', value: '1 2', reason: 'designator-models-differ', message };
    expect(entries).toEqual([entry]);
  });
});

test.each([
  ['DHC6', 'De Havilland Canada|CC-138 Twin Otter, De Havilland Canada|DHC-6 Twin Otter', 'DHC-6 Twin Otter'],
  ['C172', 'Reims|FR172 Rocket, Cessna|172, Cessna|T-41 Mescalero', '172'],
  ['GLEX', 'Bombardier|E-11, Bombardier|BD-700 Global Express', 'BD-700 Global Express'],
  ['C182', 'Peterson|230, Peterson|260, Peterson|260 SE, Cessna|182', '182'],
  ['B06', 'Commonwealth|BA-206 Kiowa, Bell|206A JetRanger, Bell|206B JetRanger', '206A JetRanger'],
  ['BE9T', 'Beechcraft|90 (F90) King Air, Beechcraft|King Air', '90 (F90) King Air'],
])('%s uses the model that explains it', (icao, models, expected) => {
  const named = models.split(', ').map((text) => {
    const [manufacturer = '', model = ''] = text.split('|');
    return { manufacturer, model };
  });
  expect(selectModel(icao, named).model).toBe(expected);
});
