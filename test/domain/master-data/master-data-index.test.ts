import { expect, test } from 'vitest';
import { createMasterDataIndex, listCarrierIds } from '#domain/master-data/master-data-index.ts';

const carrier = (id: number, iata: string, icao: string) => ({ id, iata, icao, name: icao, rank: 1 });

const index = createMasterDataIndex({
  locations: [],
  carriers: [carrier(1, 'XX', 'XXA'), carrier(2, 'XX', 'XXB'), carrier(3, 'XX', 'XXC'), carrier(4, 'YY', 'YYB')],
  equipment: [
    { iata: '789', icao: 'B789', name: '', cargoTonnes: 15 },
    { iata: '', icao: 'GLF6', name: '', cargoTonnes: undefined },
  ],
  inUse: { carriers: new Set([1, 4]), locations: new Set(), codeshareCarriers: new Set([2]) },
});

test.each([
  [undefined, ['iata'], undefined],
  [['xx'], ['iata'], [1, 2]],
  [['xx', 'XX', 'YY'], ['iata'], [1, 2, 4]],
  [['XXC'], ['icao'], []],
  [
    ['XX', 'YYB'],
    ['iata', 'icao'],
    [1, 2, 4],
  ],
  [['YY'], ['faa'], [4]],
] as const)('the carriers in use with one of the codes %j in %j are %j', (codes, systems, ids) => {
  expect(listCarrierIds(codes, systems, index)).toEqual(ids);
});

test('an aircraft type without an IATA code is not found by the code that is absent', () => {
  expect(['789', ''].map((code) => index.equipment(code)?.icao)).toEqual(['B789', undefined]);
});
