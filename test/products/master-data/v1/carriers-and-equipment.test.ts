import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Carrier, CarrierPage, Equipment, EquipmentPage } from '../../../../generated/master-data/v1/types.gen.ts';
import type { TinyService } from '../../../support/tiny-world.ts';
import { parseBody, serveMasterData } from './master-data-service.ts';

let world: TinyService;
beforeAll(async () => {
  world = await serveMasterData();
});
afterAll(() => world.drop());

const carrier = (path: string): Promise<Carrier> => parseBody(world.get(`/carriers/${path}`));
const type = (path: string): Promise<Equipment> => parseBody(world.get(`/equipment/${path}`));

test('a carrier has all known facts', async () => {
  expect(await carrier('zx?Content=Provenance')).toEqual({
    code: { iata: 'ZX', icao: 'ZXA' },
    name: 'Zenith Example Airways',
    publishingCarrier: true,
    duplicateCarrier: true,
    iataCodeRank: 1,
    iataCodeAssignmentCategory: { code: 'Shared', name: 'Several carriers have the IATA code' },
    domicile: { country: { code: { iso: 'GB', dot: '493' }, name: 'United Kingdom' } },
    alliance: { name: 'Nine Stars', membership: 'Member' },
    validity: { from: '2001-01-01' },
    provenance: [
      {
        field: 'name',
        source: 'OpenTravelData: airlines',
        licence: 'CC BY 4.0',
        attribution: '© OpenTravelData contributors',
      },
    ],
  });
});

test('a carrier with a known code only has no other properties', async () => {
  expect(await carrier('WW')).toEqual({
    code: { iata: 'WW' },
    publishingCarrier: false,
    duplicateCarrier: false,
    iataCodeRank: 1,
    iataCodeAssignmentCategory: { code: 'Unique', name: 'The carrier alone has the IATA code' },
  });
});

describe('AsOf returns the carriers of a day', () => {
  test.each([
    ['2008-01-01', 'Äther-Flug', 'Twelve Winds', 'Unique', false],
    ['2015-01-01', 'Zenith Example Airways', 'Twelve Winds', 'Shared', true],
    ['2020-06-01', 'Zenith Example Airways', undefined, 'Shared', true],
    ['2026-06-01', 'Zenith Example Airways', 'Nine Stars', 'Shared', true],
    ['2031-01-01', 'Zenith Example Airways', 'Nine Stars', 'Unique', false],
  ])('on %s ZX is %s', async (day, name, alliance, category, isDuplicate) => {
    const matches = await carrier(`ZX?AsOf=${day}`);
    expect([
      matches.name,
      matches.alliance?.name,
      matches.iataCodeAssignmentCategory.code,
      matches.duplicateCarrier,
      matches.iataCodeRank,
    ]).toEqual([name, alliance, category, isDuplicate, 1]);
  });

  test('before it began, a code has no owner except one that is only claimed', async () => {
    expect((await carrier('ZX?AsOf=1999-01-01')).name).toBe('Claims Air');
  });
});

describe('a search of carriers', () => {
  const result = async (query: string): Promise<readonly string[]> => {
    const page: CarrierPage = await parseBody(world.get(`/carriers?${query}`));
    return page.data.map(({ code, iataCodeRank = '-' }) => `${code.iata ?? '-'}/${code.icao ?? '-'} ${iataCodeRank}`);
  };
  test.each<readonly [query: string, expected: readonly string[]]>([
    ['', ['9Q/NQB 1', 'WW/- 1', 'ZX/ZXA 1', 'ZX/ZXC 2', 'ZX/ZXQ 3', '-/QQX -']],
    ['CarrierCode=zx', ['ZX/ZXA 1', 'ZX/ZXC 2', 'ZX/ZXQ 3']],
    ['CarrierCode=zxc,9Q&CodeType=ICAO,IATA', ['9Q/NQB 1', 'ZX/ZXC 2']],
    ['CodeType=ICAO&PublishingCarrier=false', ['9Q/NQB 1', 'ZX/ZXC 2', 'ZX/ZXQ 3', '-/QQX -']],
    ['PublishingCarrier=TRUE', ['ZX/ZXA 1']],
    ['CarrierName=zenith cargo, quay', ['9Q/NQB 1', 'ZX/ZXC 2']],
    ['CarrierName=ather flug', []],
    ['CarrierName=ather flug&AsOf=2008-01-01', ['ZX/ZXA 1']],
    ['CarrierName=zenith&AsOf=2008-01-01', []],
    ['Alliance=twelve', ['ZX/ZXC 2']],
    ['Alliance=twelve,nine', ['ZX/ZXA 1', 'ZX/ZXC 2']],
    ['Alliance=Twelve Winds&AsOf=2012-01-01', ['ZX/ZXA 1', 'ZX/ZXC 2']],
    ['CountryCode=gb,us', ['9Q/NQB 1', 'ZX/ZXA 1', 'ZX/ZXC 2']],
  ])('%s', async (query, expected) => {
    expect(await result(query)).toEqual(expected);
  });

  test('names a carrier with the code in a secondary source only', async () => {
    const page: CarrierPage = await parseBody(world.get('/carriers?CarrierCode=ZXQ&CodeType=ICAO'));
    expect(page.data.map(({ iataCodeAssignmentCategory: { code } }) => code)).toEqual(['Unconfirmed']);
  });
});

test('an aircraft type has all known facts', async () => {
  expect(await type('789')).toEqual({
    code: { iata: '789', icao: 'B789', faa: 'B789' },
    icaoTypes: ['B789'],
    name: 'Boeing 787-9',
    category: 'LandPlane',
    engine: { type: 'Jet', count: 2 },
    body: 'Wide',
    manufacturer: 'Boeing',
    group: { iata: '787' },
    wakeTurbulence: 'H',
    cargoTonnage: 15,
    serviceTypes: ['C', 'G', 'J'],
  });
});

test('an aircraft type with known codes only has no other properties', async () => {
  expect(await type('320')).toEqual({ code: { iata: '320', icao: 'A320' }, icaoTypes: [], serviceTypes: [] });
});

test('of the aircraft types under one ICAO designator, the one with that designator precedes its family', async () => {
  const page: EquipmentPage = await parseBody(world.get('/equipment?EquipmentCode=b738&CodeType=ICAO'));
  expect(page.data.map(({ code }) => code.iata)).toEqual(['737', '738', '73H']);
  expect((await type('B738?CodeType=ICAO')).code.iata).toBe('738');
  expect((await type('B737?CodeType=ICAO')).code.iata).toBe('737');
  expect((await type('R44?CodeType=IATA,ICAO')).code).toEqual({ icao: 'R44' });
});

describe('a search of equipment', () => {
  test.each<readonly [query: string, expected: readonly string[]]>([
    ['EquipmentCode=789,trn', ['789', 'TRN']],
    ['EquipmentCode=B789&CodeType=FAA', ['789']],
    ['CodeType=IATA', ['320', '388', '737', '738', '73H', '789', 'TRN']],
    ['Category=helicopter', ['R44', 'S76']],
    ['Body=Wide', ['789']],
    ['Body=Wide,Narrow&Manufacturer=boe', ['737', '738', '73H', '789']],
    ['Manufacturer=air,boe&Body=Wide', ['789']],
  ])('%s', async (query, expected) => {
    const page: EquipmentPage = await parseBody(world.get(`/equipment?${query}&Limit=100`));
    expect(page.data.map(({ code }) => code.iata ?? code.icao)).toEqual(expected);
  });

  test('reports the ICAO designator for a code that is not an IATA code', async () => {
    const { detail }: { detail: string } = await (await world.get('/equipment/r44')).json();
    expect(detail).toBe('No equipment has the IATA code R44. It is an ICAO code; send CodeType=ICAO.');
  });
});
