import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Location, LocationPage } from '#generated/master-data/v1/types.gen.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { Contract } from '#test/contract/contract.ts';
import { createTestApp } from '#test/support/test-app.ts';
import { readRealMasterData, realMasterDataDir, type RealMasterData } from '#test/support/real-master-data.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';
import { getJson, listPages } from '#test/products/responses.ts';

if (realMasterDataDir === undefined) console.warn('the shared data set is absent: hard cases are left out');

const IMPORT_TIMEOUT_MS = 240_000;
const contract = new Contract('master-data/v1');

const from = (day: string) => ({ validity: { from: day } });
const until = (day: string) => ({ validity: { to: day } });
const codes = (iata: string, icao?: string, faa?: string) => ({
  code: { iata, ...(icao !== undefined && { icao }), ...(faa !== undefined && { faa }) },
});
const area = (iata: string, ...airports: readonly string[]) => ({ code: { iata }, type: 'MetropolitanArea', airports });
const country = (code: string) => ({ place: { country: { code } } });
const zone = (name: string, variation: string) => ({
  timezone: { name, standardUtcVariation: variation, currentUtcVariation: variation },
});
const alliance = (name: string) => ({ alliance: { name } });
const category = (code: string) => ({ iataCodeAssignmentCategory: { code } });

/** Requests with error-prone responses, on 1 June 2026: the expected members of a record, or the detail of the error. */
const singles: readonly (readonly [query: string, expected: object | string])[] = [
  // Areas: of many airports, with heliports and a seaplane base, of airports with several codes.
  ['/locations/LON', area('LON', 'BQH', 'LCY', 'LGW', 'LHR', 'LTN', 'SEN', 'STN')],
  ['/locations/NYC', { type: 'MetropolitanArea', sharedCode: false }],
  ['/locations/TYO', { type: 'MetropolitanArea', ...country('JP') }],
  ['/locations/MIL', { type: 'MetropolitanArea', timezone: { name: 'Europe/Rome' } }],
  ['/locations/WAS', { type: 'MetropolitanArea', name: 'Washington' }],
  ['/locations/REK', area('REK', 'KEF', 'RKV')],
  ['/locations/EAP', area('EAP', 'BSL', 'MLH')],
  // BER was an area while its airports had other codes; now it is one airport.
  ['/locations/BER?AsOf=2019-01-01', area('BER', 'SXF', 'TXL')],
  ['/locations/BER', { ...codes('BER', 'EDDB'), type: 'Airport', sharedCode: false, ...from('2020-10-25') }],
  ['/locations/TXL', { ...codes('TXL', 'EDDT'), ...until('2020-11-08') }],
  ['/locations/TXL?AsOf=2019-01-01', { ...codes('TXL', 'EDDT'), ...until('2020-11-08') }],
  ['/locations/SXF', { ...codes('SXF', 'EDDB'), ...until('2020-10-24') }],
  ['/locations/EDDB?CodeType=ICAO&AsOf=2020-10-24', codes('SXF', 'EDDB')],
  ['/locations/EDDB?CodeType=ICAO&AsOf=2020-10-25', codes('BER', 'EDDB')],
  // IATA codes that moved to a new airport, or changed with the name of a city.
  ['/locations/IST?AsOf=2019-04-05', { ...codes('IST', 'LTBA'), ...until('2019-04-05') }],
  ['/locations/IST?AsOf=2019-04-06', { ...codes('IST', 'LTFM'), ...from('2019-04-06') }],
  ['/locations/TSE?AsOf=2019-01-01', { ...codes('TSE', 'UACC'), ...until('2020-05-31') }],
  ['/locations/NQZ', { ...codes('NQZ', 'UACC'), timezone: { currentUtcVariation: '+0500' } }],
  ['/locations/TSE?AsOf=2019-01-01', { type: 'Airport', place: { city: { code: 'TSE', name: 'Astana' } } }],
  ['/locations/KMG', { name: 'Kunming Changshui International Airport', ...from('2012-06-28'), sharedCode: false }],
  // An airport with a new code: its identifiers follow it, and the former code has its dates.
  ['/locations/PBI?AsOf=2026-06-30', { ...codes('PBI', 'KPBI', 'PBI'), ...until('2026-06-30') }],
  ['/locations/PBI?AsOf=2026-07-01', { type: 'MetropolitanArea', airports: expect.arrayContaining(['DJT']) }],
  ['/locations/DJT?AsOf=2026-07-01', { ...codes('DJT', 'KDJT', 'DJT'), ...from('2026-07-01') }],
  ['/locations/KDJT?CodeType=ICAO&AsOf=2026-07-01', codes('DJT', 'KDJT', 'DJT')],
  ['/locations/HBE?AsOf=2026-08-19', { ...codes('HBE', 'HEBA'), ...until('2026-08-19') }],
  ['/locations/ALY?AsOf=2026-08-20', { ...codes('ALY', 'HEBA'), ...from('2026-08-20') }],
  ['/locations/NKC', { ...codes('NKC', 'GQNO'), ...from('2016-06-23') }],
  ['/locations/THR', { place: { region: { code: 'IR-23', name: 'Tehran Province' } } }],
  ['/locations/KIV', { ...country('MD'), ...until('2024-01-17') }],
  ['/locations/RMO', { ...codes('RMO', 'LUKK'), ...from('2024-01-18') }],
  ['/locations/FRU', area('FRU', 'BSZ')],
  ['/locations/ISN', area('ISN', 'XWA')],
  ['/locations/ISN?AsOf=2019-01-01', { ...codes('ISN', 'KISN', 'ISN'), type: 'Airport' }],
  ['/locations/XWA', { ...codes('XWA', 'KXWA', 'XWA'), place: { city: { code: 'ISN' } } }],
  ['/locations/REP?AsOf=2022-01-01', codes('REP', 'VDSR')],
  ['/locations/SAI', codes('SAI', 'VDSA')],
  ['/locations/QQP', { ...codes('QQP'), type: 'RailwayStation', place: { city: { code: 'LON' } } }],
  ['/locations/JRB', { ...codes('JRB', 'KJRB', 'JRB'), type: 'Heliport' }],
  // An airport under several codes, only one of which ICAO knows.
  ['/locations/BSL', { ...codes('BSL', 'LFSB'), ...country('FR') }],
  ['/locations/MLH', codes('MLH')],
  ['/locations/SJU', { ...codes('SJU', 'TJSJ', 'SJU'), ...country('PR') }],
  ['/locations/LDH', { timezone: { standardUtcVariation: '+1030', daylightSaving: { utcVariation: '+1100' } } }],
  ['/locations/PHX', zone('America/Phoenix', '-0700')],
  ['/locations/ZZZZ?CodeType=ICAO', 'No location has the ICAO code ZZZZ on 2026-06-01.'],
  ['/locations/EGLL', 'No location has the IATA code EGLL on 2026-06-01. It is an ICAO code; send CodeType=ICAO.'],
  // Carriers that share a code: the airline first.
  ['/carriers/LH', { name: 'Lufthansa', duplicateCarrier: true, iataCodeRank: 1, ...alliance('Star Alliance') }],
  ['/carriers/GEC?CodeType=ICAO', { iataCodeRank: 2, domicile: { country: { code: { iso: 'DE', dot: '429' } } } }],
  ['/carriers/SK?AsOf=2024-08-31', alliance('Star Alliance')],
  ['/carriers/SK?AsOf=2024-09-01', alliance('SkyTeam')],
  // Designators with a new owner.
  ['/carriers/AZ', { name: 'ITA Airways', ...codes('AZ', 'ITY'), ...category('Unique') }],
  ['/carriers/AZ?AsOf=2015-01-01', { name: 'Alitalia', ...codes('AZ', 'AZA'), ...alliance('SkyTeam') }],
  ['/carriers/AB?AsOf=2015-01-01', { name: 'Air Berlin', ...alliance('oneworld') }],
  ['/carriers/NW', { name: 'Northwest Airlines', ...until('2010-01-31') }],
  ['/carriers/UK', { name: 'Vistara', ...until('2024-11-11') }],
  ['/carriers/K4', { name: 'Kalitta Air', ...codes('K4', 'CKS'), ...category('Unique') }],
  ['/carriers/YX?AsOf=2005-06-01', { name: 'Midwest Airlines', ...codes('YX', 'MEP'), iataCodeRank: 1 }],
  ['/carriers/JJ?AsOf=2012-06-01', { name: 'TAM Linhas Aéreas' }],
  ['/carriers/LXJ?CodeType=ICAO', { code: { icao: 'LXJ' }, ...category('Unassigned') }],
  ['/carriers/F9', codes('F9', 'FFT')],
  // Types whose designator one list has wrong or lacks, and families of several designators.
  ['/equipment/359', { ...codes('359', 'A359'), icaoTypes: ['A359'], body: 'Wide' }],
  ['/equipment/351', { code: { icao: 'A35K' } }],
  ['/equipment/74B', { code: { icao: 'BLCF' } }],
  ['/equipment/CRJ', { code: { iata: 'CRJ' }, icaoTypes: ['CRJ1', 'CRJ2', 'CRJ7', 'CRJ9', 'CRJX'] }],
  ['/equipment/E75', { icaoTypes: ['E75L', 'E75S'], body: 'Narrow' }],
  ['/equipment/77X', { code: { icao: 'B77L' }, cargoTonnage: 102 }],
  ['/equipment/78J', { code: { icao: 'B78X' }, group: { iata: '787' }, wakeTurbulence: 'H' }],
  ['/equipment/B738?CodeType=ICAO', { code: { iata: '738' }, engine: { type: 'Jet', count: 2 } }],
  ['/equipment/TRN', { category: 'SurfaceVehicle', icaoTypes: [], serviceTypes: ['U'] }],
  ['/equipment/LCH', { category: 'SurfaceVehicle' }],
  ['/equipment/R44?CodeType=ICAO', { category: 'Helicopter', engine: { type: 'Piston', count: 1 } }],
  ['/equipment/V22?CodeType=ICAO', { category: 'TiltRotor' }],
  ['/equipment/ZZZZ?CodeType=ICAO', 'No equipment has the ICAO code ZZZZ.'],
];

const searches: readonly (readonly [query: string, expected: string])[] = [
  ['/carriers?CarrierCode=LH', 'LH/DLH LH/GEC'],
  ['/carriers?CarrierCode=PQ', 'PQ/SQP PQ/APG'],
  ['/locations?AirportCode=DXB', 'DXB/OMDB DXB/'],
  ['/locations?AirportCode=EAP', 'EAP/'],
  ['/locations?CityCode=TSE&AsOf=2019-01-01', 'TSE/UACC'],
  ['/equipment?EquipmentCode=B738&CodeType=ICAO', '737/ 738/B738 73F/ 73H/B738 73K/B738 73U/B738 7F8/B738 7S8/B738'],
  ['/locations?Name=sao paulo congonhas', 'CGH/SBSP'],
  ['/locations?Name=chicago ohare&Type=Airport', 'ORD/KORD'],
  ['/locations?CountryCode=LU&CodeType=IATA&Type=Airport', 'LUX/ELLX'],
  ['/locations?Near=-16.7,-179.95&WithinKm=20&CodeType=ICAO', 'TVU/NFNM'],
];

describe.skipIf(realMasterDataDir === undefined)('with the real master data', () => {
  let real: RealMasterData;
  let get: (path: string) => Promise<Response>;

  beforeAll(async () => {
    real = await readRealMasterData();
    await insertKeyIfMissing(real.sql, { name: 'tests', products: ['master-data'], key: TEST_KEY });
    const app = await createTestApp(real.sql);
    get = (path) => app.request(`http://service.test${path}`, { headers: { 'subscription-key': TEST_KEY } });
  }, IMPORT_TIMEOUT_MS);
  afterAll(() => real.drop());

  test.each(singles)('%s', async (query, reply) => {
    const response = await get(query);
    const path = query.replace(/\?.*/, '').replace(/[^/]+$/, '{code}');
    expect(await contract.problems('get', path, response.clone())).toEqual([]);
    const body: { detail?: string } = await response.json();
    expect({ status: response.status, ...body }).toMatchObject(
      typeof reply === 'string' ? { status: 404, detail: reply } : { status: 200, ...reply },
    );
  });

  test.each(searches)('%s', async (query, matches) => {
    const { data } = await getJson<LocationPage>({ get }, `${query}&Limit=100`);
    expect(data.map(({ code: { iata = '', icao = '' } }) => `${iata}/${icao}`).join(' ')).toEqual(matches);
  });

  test('all stations of the main source with an IATA code are listed once, and returned one by one', async () => {
    type Listed = { readonly iata: string; readonly name: string };
    const bytes = gunzipSync(readFileSync(`${realMasterDataDir}/airportsdata_airports.csv.gz`));
    const rows: readonly Listed[] = parse(bytes, { columns: true });
    const listed = rows.filter(({ iata }) => iata !== '');
    expect(listed).toHaveLength(7884);
    const path = '/locations?Limit=1000&CodeType=IATA';
    expect(await contract.problems('get', '/locations', await get(path))).toEqual([]);
    const pages = await listPages<LocationPage>({ get }, path);
    const records = pages.flatMap(({ data }) => data);
    expect(records).toHaveLength(pages[0]?.paging.totalCount ?? 0);
    const airports = records.filter(({ type, rank }) => type !== 'MetropolitanArea' && rank === 1);
    const found = new Map(airports.map((one) => [one.code.iata, one]));
    // Listed as open, but closed: a search of today does not find it.
    expect(listed.flatMap(({ iata }) => (found.has(iata) ? [] : [iata]))).toEqual(['TXL']);
    // Listed by the names of the fields that they left.
    const renamed = listed.filter(({ iata, name }) => found.has(iata) && found.get(iata)?.name !== name);
    expect(renamed.map(({ iata }) => iata).toSorted()).toEqual(['KMG', 'LZO', 'MBI', 'NKC', 'PBI', 'SWA']);
    for (const { iata } of listed.filter((_, index) => index % 20 === 0))
      expect(await getJson<Location>({ get }, `/locations/${iata.toLowerCase()}`)).toEqual(found.get(iata));
  });
});
