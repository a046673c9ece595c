import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findServiceType } from '#domain/schedule/service-types.ts';
import { listEquipmentEntries } from '#store/master-data/master-data-facts.ts';
import { readRealMasterData, realMasterDataDir, type RealMasterData } from '#test/support/real-master-data.ts';

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
