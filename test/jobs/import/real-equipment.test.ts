import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findServiceType } from '../../../src/domain/schedule/service-types.ts';
import { listEquipmentEntries } from '../../../src/store/master-data/master-data-facts.ts';
import { readRealMasterData, realMasterDataDir, type RealMasterData } from '../../support/real-master-data.ts';

/** The lines of a source file without its header. */
const readLines = async (name: string): Promise<readonly string[]> =>
  (await readFile(`${realMasterDataDir}/${name}`, 'utf8')).trim().split('\n').slice(1);

type Type = Awaited<ReturnType<typeof listEquipmentEntries>>[number];

if (!realMasterDataDir) console.warn('the shared data set is absent: equipment is tested on small inputs only');

describe.skipIf(!realMasterDataDir)('equipment after an import of the real master data', () => {
  let database: RealMasterData;
  let types: readonly Type[];
  let filed: ReadonlyMap<string, Type>;
  let alone: ReadonlyMap<string, Type>;

  beforeAll(async () => {
    database = await readRealMasterData();
    types = await listEquipmentEntries(database.sql);
    filed = new Map(types.filter(({ iata }) => iata !== '').map((type) => [type.iata, type]));
    alone = new Map(types.filter(({ iata }) => iata === '').map((type) => [type.icao, type]));
  });
  afterAll(() => database.drop());

  const describeFacts = (type: Type | undefined) =>
    type && [
      type.icao,
      type.facts.icaoTypes.join(' '),
      type.facts.category,
      `${type.facts.engine.count ?? '-'} ${type.facts.engine.type || '-'}`,
      type.facts.body,
      type.facts.group,
      type.facts.wakeTurbulence,
      type.facts.serviceTypes.join(''),
    ];

  const seats = 'BCDEGIJKLNOPSTWX';
  const combi = 'BCDEGIJKLNOPQRSTWX';
  const freight = 'ADEFHIKMNPTWX';
  const utility = 'ABCDEFGHIJKLMNOPQRSTWX';
  const bells = 'B06 B06T B212 B222 B230 B407 B412 B427 B429 B430 B505';
  const all737 = 'B37M B38M B39M B3XM B731 B732 B733 B734 B735 B736 B737 B738 B739';

  test.each([
    // Families: one code for several designators, none of which is its own.
    ['737', '', all737, 'LandPlane', '2 Jet', 'Narrow', '', 'M', seats],
    ['32S', '', 'A19N A20N A21N A318 A319 A320 A321', 'LandPlane', '2 Jet', 'Narrow', '', 'M', seats],
    ['AT7', '', 'AT72 AT73 AT75 AT76', 'LandPlane', '2 Turboprop', 'Narrow', 'ATR', 'M', seats],
    ['73F', '', 'B732 B733 B734 B737 B738', 'LandPlane', '2 Jet', 'Narrow', '', 'M', freight],
    // A family of one designator gets that designator.
    ['380', 'A388', 'A388', 'LandPlane', '4 Jet', 'Wide', '', 'J', seats],
    // Codes that the list of aircraft has wrong or lacks.
    ['351', 'A35K', 'A35K', 'LandPlane', '2 Jet', 'Wide', '350', 'H', seats],
    ['E95', 'E195', 'E195', 'LandPlane', '2 Jet', 'Narrow', 'EMJ', 'M', seats],
    ['77L', 'B77L', 'B77L', 'LandPlane', '2 Jet', 'Wide', '777', 'H', seats],
    ['DHT', 'DHC6', 'DHC6', 'LandPlane', '2 Turboprop', '', '', 'L', utility],
    // One designator, several codes: winglets, freighters, combis.
    ['73H', 'B738', 'B738', 'LandPlane', '2 Jet', 'Narrow', '737', 'M', seats],
    ['73K', 'B738', 'B738', 'LandPlane', '2 Jet', 'Narrow', '73F', 'M', freight],
    ['74E', 'B744', 'B744', 'LandPlane', '4 Jet', 'Wide', '74M', 'H', combi],
    ['A5F', 'A225', 'A225', 'LandPlane', '6 Jet', 'Wide', '', 'H', freight],
    ['SSC', 'CONC', 'CONC', 'LandPlane', '4 Jet', 'Narrow', '', 'H', seats],
    // Helicopters, amphibians, light aircraft.
    ['AWH', 'A139', 'A139', 'Helicopter', '2 Turboshaft', '', '', 'L', utility],
    ['BH2', '', bells, 'Helicopter', '- Turboshaft', '', '', 'L', utility],
    ['GRG', 'G21', 'G21', 'Amphibian', '2 Piston', '', '', 'L', utility],
    ['CNF', 'C208', 'C208', 'LandPlane', '1 Turboprop', '', '', 'L', freight],
    // Surface vehicles, and codes of any equipment.
    ['TRN', '', '', 'SurfaceVehicle', '- -', '', '', '', 'U'],
    ['RFS', '', '', 'SurfaceVehicle', '- -', '', '', '', 'V'],
    ['EQV', '', '', '', '- -', '', '', '', ''],
  ])('%s has the ICAO code «%s»', (iata, ...facts) => {
    expect(describeFacts(filed.get(iata))).toEqual(facts);
  });

  test.each([
    ['E45X', 'Embraer EMB-145XR', 'LandPlane', '2 Jet', 'Narrow', 'ER4', 'M'],
    ['C172', 'Cessna 172', 'LandPlane', '1 Piston', '', 'CN1', 'L'],
    ['V22', 'Bell-Boeing V-22 Osprey', 'TiltRotor', '2 Turboshaft', '', '', 'M'],
    ['MARS', 'Martin 170 Mars', 'SeaPlane', '4 Piston', '', '', 'M'],
    ['MT', 'AutoGyro MT-03', 'Gyrocopter', '1 Piston', '', '', 'L'],
    ['GANT', 'Fairey Gannet', 'LandPlane', '- Turboprop', '', '', 'M'],
  ])('%s, which has no IATA code of its own, is a %s', (icao, name, ...facts) => {
    const type = alone.get(icao);
    expect([type?.name, type?.facts.faa, describeFacts(type)]).toEqual([name, icao, [icao, icao, ...facts, '']]);
  });

  test('every type of the list of aircraft exists, with a category and service types', async () => {
    const listed = (await readLines('optd_aircraft.csv')).map((line) => line.slice(0, 3));
    expect(listed).toHaveLength(477);
    const lacking = listed.filter((iata) => {
      const type = filed.get(iata);
      return !type || type.facts.category === '' || type.facts.serviceTypes.length === 0 || type.name === '';
    });
    expect(lacking).toEqual([]);
  });

  test('finds every designator in force, by its type or alone', async () => {
    const rows = (await readLines('vrs_model_types.csv')).map((line) => line.trim().split(','));
    const inForce = new Set(rows.flatMap(([icao = '', ...cells]) => (cells.at(-1) === '1' ? icao : [])));
    const known = new Set(types.map(({ icao }) => icao));
    expect([...inForce].filter((icao) => /^[A-Z]/.test(icao) && !known.has(icao))).toEqual([]);
    expect(inForce.size).toBeGreaterThan(2600);
  });

  test('a designator alone belongs to no type with an IATA code, and its family is a type', () => {
    const own = new Set([...filed.values()].map(({ icao }) => icao));
    expect([...alone.keys()].filter((icao) => own.has(icao))).toEqual([]);
    expect(types.filter(({ facts: { group } }) => group !== '' && !filed.has(group)).map(({ name }) => name)).toEqual(
      [],
    );
  });

  test('every fact has its format, and a source', () => {
    const odd = types.filter(
      ({ icao, facts }) =>
        !facts.serviceTypes.every((letter) => findServiceType(letter)) ||
        !['', 'L', 'L/M', 'M', 'H', 'J'].includes(facts.wakeTurbulence) ||
        (icao !== '' && !facts.icaoTypes.includes(icao)) ||
        (facts.faa !== '' && facts.faa !== icao) ||
        (facts.category === '') !== (facts.provenance['category'] === undefined) ||
        (facts.body === '') !== (facts.provenance['body'] === undefined),
    );
    expect(odd.map(({ name }) => name)).toEqual([]);
    const letters = [...new Set(types.flatMap(({ facts }) => facts.serviceTypes))].toSorted().join('');
    expect(letters).toBe('ABCDEFGHIJKLMNOPQRSTUVWX');
  });
});
