import { expect, test } from 'vitest';
import { createLoadReport } from '#feeds/load-report.ts';
import { listAddedEquipment } from '#feeds/master-data/overrides/equipment-overrides.ts';
import { listCargoTonnes } from '#feeds/master-data/overrides/equipment-overrides.ts';
import { listEquipmentCorrections } from '#feeds/master-data/overrides/equipment-overrides.ts';
import { readAircraft } from '#feeds/master-data/sources/aircraft.ts';
import { joinEquipment } from '#feeds/master-data/join/equipment/join-equipment.ts';
import { readModelTypes } from '#feeds/master-data/sources/model-types.ts';
import { buildProvenance, createFeedFile } from '#test/feeds/master-data/feed-file.ts';

const aircraftHeader = 'iata_code^manufacturer^model^iata_group^iata_category^icao_code^nb_engines^aircraft_type';
const modelsHeader =
  'ICAO,Manufacturer,Model,Engines,EngineTypeCode,EnginePlacementCode,SpeciesCode,WakeTurbulenceCode,IsActive';

const join = async (rows: readonly string[], models: readonly string[] = []) => {
  const report = createLoadReport('test');
  const types = joinEquipment(
    {
      aircraft: await readAircraft(createFeedFile('aircraft.csv', aircraftHeader, ...rows), report),
      designators:
        models.length === 0
          ? new Map()
          : await readModelTypes([createFeedFile('model_types.csv', modelsHeader, ...models)], report),
    },
    report,
  );
  return {
    type: (iata: string) => types.find((type) => type.iata === iata),
    alone: types.filter(({ iata }) => iata === ''),
    messages: (reason: string) =>
      report.entries.filter((entry) => entry.reason === reason).map(({ message }) => message),
  };
};

const a320 = '320^Airbus^A320-100/200^32S^2J^A320^2^J';
const models = ['A320,Airbus,A-320,2,J,,L,M,1', 'A20N,Airbus,A-320neo,2,J,,L,M,1'];

test('an aircraft type with an IATA code has all facts of the lists and rules, and the source of each fact', async () => {
  const { type } = await join([a320], models);
  expect(type('320')).toEqual({
    iata: '320',
    icao: 'A320',
    name: 'Airbus A320-100/200',
    cargoTonnes: 2,
    facts: {
      category: 'LandPlane',
      engine: { type: 'Jet', count: 2 },
      body: 'Narrow',
      manufacturer: 'Airbus',
      group: '32S',
      icaoTypes: ['A320'],
      faa: 'A320',
      wakeTurbulence: 'M',
      serviceTypes: [...'BCDEGIJKLNOPSTWX'],
      provenance: buildProvenance({
        'optd-aircraft': 'code.iata code.icao icaoTypes name manufacturer group.iata',
        'vrs-types': 'category engine.type engine.count wakeTurbulence',
        own: 'code.faa body cargoTonnage serviceTypes',
      }),
    },
  });
});

test('an aircraft type with an IATA code uses the list of aircraft where there is no list of model types', async () => {
  const { type, alone, messages } = await join([a320]);
  expect(alone).toEqual([]);
  expect(messages('unknown-designator')).toEqual([]);
  const facts = { category: 'LandPlane', engine: { type: 'Jet', count: 2 }, faa: '', wakeTurbulence: '' };
  const provenance = { category: 'optd-aircraft', 'engine.type': 'optd-aircraft' };
  expect(type('320')?.facts).toMatchObject({ ...facts, provenance });
});

test('an aircraft type with an IATA code is corrected where the list is outdated, and every correction of a code is reported', async () => {
  const boeing = '772^Boeing^777-200^777^2J^B77L^2^J';
  const rows = ['351^Airbus^A350-1000^350^2J^ZZZZ^2^J', boeing, 'E75^Embraer^EMB 175^EMJ^2J^E170^2^J', a320];
  const { type, messages } = await join(rows);
  expect([type('351')?.icao, type('772')?.icao, type('E75')?.icao]).toEqual(['A35K', 'B772', 'E75S']);
  expect(messages('equipment-icao-code')).toEqual([
    'The ICAO code of 351 is A35K; the file has none.',
    'The ICAO code of 772 is B772; the file has B77L.',
    'The ICAO code of E75 is E75S; the file has E170.',
  ]);
});

test('an aircraft type with an IATA code follows its designator when the list of aircraft contradicts it, and is reported', async () => {
  const { type, messages } = await join(
    ['AWH^AgustaWestland^AW139^AWH^2T^A139^2^T', 'CNF^Cessna^208B Freighter^CNF^2T^*^2^T'],
    ['A139,AgustaWestland,AW-139,2,T,,H,M,1', 'C208,Cessna,208 Caravan 1,1,T,,L,L,1'],
  );
  expect(type('AWH')?.facts).toMatchObject({ category: 'Helicopter', engine: { type: 'Turboshaft', count: 2 } });
  expect(type('CNF')?.facts.engine).toEqual({ type: 'Turboprop', count: 1 });
  expect(messages('equipment-category')).toEqual([
    'The category of AWH is Helicopter by its ICAO code; the file has LandPlane.',
  ]);
  expect(messages('equipment-engine')).toEqual([
    'The engines of CNF are 1 Turboprop by its ICAO code; the file has 2 Turboprop.',
  ]);
});

const neo = ['32S^Airbus^A318/319/320/321^32S^2J^^2^J', a320, '32N^Airbus^A320-200 Neo^32S^2J^A20N^2^J'];
const a380s = ['380^Airbus^A380^^^^^', '388^Airbus^A380^380^4J^A388^4^J'];
const ofA380 = { icaoTypes: ['A388'], body: 'Wide' };
const dhc = (iata: string, rest: string) => `${iata}^De Havilland Canada^DHC-2${rest}`;
const beavers = [dhc('DHB', '^^^^^'), dhc('DHP', '^DHB^1P^DHC2^1^P'), dhc('DHR', ' Turbo^DHB^1T^DH2T^1^T')];
const beaverModels = ['DHC2,De Havilland Canada,DHC-2,1,P,,L,L,1', 'DH2T,De Havilland Canada,DHC-2T,1,T,,L,M,1'];
const unknown = { engine: { type: '', count: 1 }, body: '', wakeTurbulence: '' };
const ofBeavers = { ...unknown, category: 'LandPlane', icaoTypes: ['DH2T', 'DHC2'] };
const vehicle = { category: 'SurfaceVehicle', group: 'TRN', serviceTypes: ['U'] };
// A318 and A319 have the codes of members that the list lacks.
const ofFamily = { group: '', icaoTypes: ['A20N', 'A318', 'A319', 'A320'] };
test.each<readonly [string, readonly string[], readonly string[], string, object]>([
  ['exists although the list lacks it', [a320], [], '78J', { icao: 'B78X', name: 'Boeing 787-10', cargoTonnes: 15 }],
  ['may vary', [a320], [], 'EQV', { icao: '', name: 'Equipment varies', facts: { category: '', serviceTypes: [] } }],
  ['may be a vehicle', [a320], [], 'TGV', { facts: vehicle }],
  ['that is a family has the designators of its members', neo, models, '32S', { icao: '', facts: ofFamily }],
  ['that is a family with one designator has it', a380s, [], '380', { icao: 'A388', facts: ofA380 }],
  ['whose designators differ has no engine, wake category or body', beavers, beaverModels, 'DHB', { facts: ofBeavers }],
])('an aircraft type with an IATA code %s', async (_, rows, listedModels, iata, expected) => {
  expect((await join(rows, listedModels)).type(iata)).toMatchObject(expected);
});

const light = 'CNC^Cessna^Cessna single turboprop engine^CNA^1T^*^1^T';
const freighter = 'CNF^Cessna^208B Freighter^CNF^2T^*^2^T';
test.each([
  ['74Y^Boeing^747-400 Freighter^74F^4J^B744^4^J', '74Y', 'ADEFHIKMNPTWX'],
  ['77X^Boeing^777-200F Freighter^77F^2J^B77L^2^J', '77X', 'ADEFHIKMNPTWX'],
  ['31X^Airbus^A310-200F^31F^2J^A310^2^J', '31X', 'ADEFHIKMNPTWX'],
  ['ANF^Antonov^An-12^ANF^4T^AN12^4^T', 'ANF', 'ADEFHIKMNPTWX'],
  ['74E^Boeing^747-400 Combi^74M^4J^B744^4^J', '74E', 'BCDEGIJKLNOPQRSTWX'],
  ['F28^Fokker^F28 Fellowship^^^^^', 'F28', 'BCDEGIJKLNOPSTWX'],
  [light, 'CNC', 'ABCDEFGHIJKLMNOPQRSTWX'],
  // A light aircraft has only seats where freighters have a separate code.
  [`${light}\n${freighter}`, 'CNC', 'BCDEGIJKLNOPSTWX'],
  [`${light}\n${freighter}`, 'CNF', 'ADEFHIKMNPTWX'],
  ['BUS^Surface Equipment^Bus^BUS^S^0000^^S', 'BUS', 'U'],
  ['RFS^^Surface Equipment-Road Feeder Service (Truck)^RFS^S^0000^^S', 'RFS', 'V'],
])('service types follow the use: %s', async (row, iata, letters) => {
  const { type } = await join([row], ['C208,Cessna,208 Caravan 1,1,T,,L,L,1']);
  expect(type(iata)?.facts.serviceTypes.join('')).toBe(letters);
});

test('a designator without an aircraft type is a record, a member of the code its flights are filed under', async () => {
  const designators = ['AT76,ATR,ATR-72-600,2,T,,L,M,1', 'R44,Robinson,R-44 Astro,1,P,,H,L,1'];
  const { alone } = await join(['AT7^ATR^ATR 72^ATR^2T^AT72^2^T'], designators);
  const types = alone.map(({ icao, name, facts }) => `${icao} ${name} ${facts.group}`);
  expect(types).toEqual(['AT76 ATR-72-600 AT7', 'R44 Robinson R-44 Astro ']);
  expect(alone[1]).toEqual({
    iata: '',
    icao: 'R44',
    name: 'Robinson R-44 Astro',
    cargoTonnes: undefined,
    facts: {
      category: 'Helicopter',
      engine: { type: 'Piston', count: 1 },
      body: '',
      manufacturer: 'Robinson',
      group: '',
      icaoTypes: ['R44'],
      faa: 'R44',
      wakeTurbulence: 'L',
      serviceTypes: [],
      provenance: buildProvenance({
        'vrs-types': 'code.icao icaoTypes name category engine.type engine.count manufacturer wakeTurbulence',
        own: 'code.faa',
      }),
    },
  });
});

test('a designator without an aircraft type is ignored when it is no longer in force, or an aircraft type has it', async () => {
  const { alone } = await join([a320], [...models, 'CONC,Aerospatiale,Concorde,4,J,,L,H,0']);
  // No type of this test has the designator of the A320neo.
  expect(alone.map(({ icao }) => icao)).toEqual(['A20N']);
});

test('the report counts the gaps', async () => {
  const { messages } = await join([a320, '737^Boeing^737^^^^^'], models);
  const gaps = ['equipment-without-icao-code', 'equipment-without-engine', 'equipment-without-wake-category'];
  expect(gaps.map((reason) => messages(reason).length)).toEqual([1, 1, 1]);
});

const isType = (code: string): boolean => /^[A-Z0-9]{3}$/.test(code);
const isDesignator = (code: string): boolean => /^[A-Z][A-Z0-9]{1,3}$/.test(code);

test('the corrections add only aircraft types with a code, a name, and valid designators', () => {
  const odd = [...listAddedEquipment()].filter(([iata, { model, icao, icaoTypes }]) => {
    const hasValidTypes = icaoTypes.every(isDesignator) && (icao === '' || icaoTypes.includes(icao));
    return !isType(iata) || model === '' || !hasValidTypes;
  });
  expect(odd).toEqual([]);
  expect(listAddedEquipment().size).toBeGreaterThan(70);
});

test('the corrections correct only aircraft types with a code, to valid designators', () => {
  const corrections = [...listEquipmentCorrections()];
  expect(corrections.filter(([, { icaoTypes = [] }]) => !icaoTypes.every(isDesignator))).toEqual([]);
  expect(corrections.filter(([iata]) => !isType(iata) || listAddedEquipment().has(iata))).toEqual([]);
});

test('the corrections give each aircraft type one tonnage that an aircraft can carry', () => {
  const odd = [...listCargoTonnes()].filter(([iata, tonnes]) => !isType(iata) || !(tonnes > 0 && tonnes < 140));
  expect(odd).toEqual([]);
  expect(listCargoTonnes().size).toBeGreaterThan(150);
});
