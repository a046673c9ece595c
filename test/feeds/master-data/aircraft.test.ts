import { describe, expect, test } from 'vitest';
import { newLoadReport } from '../../../src/feeds/load-report.ts';
import { readAircraft } from '../../../src/feeds/master-data/aircraft.ts';
import { equipmentFacts } from '../../../src/feeds/master-data/equipment-facts.ts';
import { fileOf } from './feed-file.ts';

const header = 'iata_code^manufacturer^model^iata_group^iata_category^icao_code^nb_engines^aircraft_type';
const read = async (...rows: readonly string[]) => {
  const report = newLoadReport('test');
  const types = await readAircraft(fileOf('aircraft.csv', header, ...rows), report);
  return { type: (iata: string) => types.find((found) => found.iata === iata), types, entries: report.entries };
};

describe('the list of aircraft', () => {
  test('gives a type its ICAO code and name, and placeholders are no codes', async () => {
    const { type } = await read(
      'A26^Antonow / Antonov^An-26^AN6^2T^AN26^2^T',
      'A58^Antonov^An-158^A58^^ZZZZ^2^J',
      'BUS^^Surface Equipment-Bus^BUS^^0000^^S',
      'RFS^Surface Equipment^Truck^RFS^^0000^^S',
      'CN1^Cessna^single piston^CNA^^*^1^P',
    );
    expect(type('A26')).toEqual({ iata: 'A26', icao: 'AN26', name: 'Antonov An-26', cargoTonnes: undefined });
    expect(type('A58')).toEqual({ iata: 'A58', icao: '', name: 'Antonov An-158', cargoTonnes: undefined });
    expect(type('BUS')).toEqual({ iata: 'BUS', icao: '', name: 'Bus', cargoTonnes: undefined });
    expect(type('RFS')).toEqual({ iata: 'RFS', icao: '', name: 'Truck', cargoTonnes: undefined });
    expect(type('CN1')?.icao).toBe('');
  });

  test('is corrected where it is stale, and every correction of a code is reported', async () => {
    const { type, entries } = await read(
      '351^Airbus^A350-1000^350^4J^ZZZZ^2^J',
      '772^Boeing^777-200^777^^B77L^2^J',
      'E75^Embraer^EMB 175^EMJ^^E170^2^J',
      '320^Airbus^A320-100/200^32S^^A320^2^J',
    );
    expect(type('351')).toEqual({ iata: '351', icao: 'A35K', name: 'Airbus A350-1000', cargoTonnes: 18 });
    expect(entries.filter(({ severity }) => severity === 'corrected').map(({ message }) => message)).toEqual([
      'The ICAO code of 351 is A35K; the file has none.',
      'The ICAO code of 772 is B772; the file has B77L.',
      'The ICAO code of E75 is E75S; the file has E170.',
    ]);
  });

  test('is completed with the types it lacks', async () => {
    const { type } = await read('320^Airbus^A320-100/200^32S^^A320^2^J');
    expect(type('78J')).toEqual({ iata: '78J', icao: 'B78X', name: 'Boeing 787-10', cargoTonnes: 15 });
    expect(type('EQV')).toEqual({ iata: 'EQV', icao: '', name: 'Equipment varies', cargoTonnes: undefined });
  });

  test('loses a row whose code is no type code, and the report tells', async () => {
    const { types, entries } = await read('32^Airbus^A320^32S^^A320^2^J');
    expect(types.some(({ iata }) => iata === '32')).toBe(false);
    expect(entries[0]).toEqual({
      severity: 'quarantined',
      line: 2,
      field: 'iata_code',
      value: '32',
      reason: 'bad-equipment-code',
      message: 'An aircraft type has a code of three letters or digits.',
    });
  });
});

test.each([
  ['351', 'A35K'],
  ['359', 'A359'],
  ['E75', 'E75S'],
  ['E7W', 'E75L'],
  ['77L', 'B77L'],
  ['77X', 'B77L'],
  ['78J', 'B78X'],
  ['CRJ', ''],
])('the facts give %s the ICAO code %s', (iata, icao) => {
  expect(equipmentFacts.get(iata)?.icao).toBe(icao);
});

test('every fact is of a type code, has an ICAO code or none, and a tonnage an aircraft can carry', () => {
  expect(equipmentFacts.size).toBeGreaterThan(120);
  const odd = [...equipmentFacts].filter(
    ([iata, { icao = '', cargoTonnes = 1 }]) =>
      !/^[A-Z0-9]{3}$/.test(iata) || !/^([A-Z][A-Z0-9]{1,3})?$/.test(icao) || cargoTonnes <= 0 || cargoTonnes > 140,
  );
  expect(odd).toEqual([]);
});
