import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Location, LocationPage } from '../../../../generated/master-data/v1/types.gen.ts';
import { insertKeyIfMissing } from '../../../../src/store/access/subscription-keys.ts';
import { Contract } from '../../../contract/contract.ts';
import { createTestApp } from '../../../support/test-app.ts';
import { readRealMasterData, realMasterDataDir, type RealMasterData } from '../../../support/real-master-data.ts';
import { TEST_KEY } from '../../../support/tiny-world.ts';

if (realMasterDataDir === undefined) console.warn('the shared data set is absent: hard cases are left out');

/** Imports the real master data on first use. */
const IMPORT_TIMEOUT_MS = 240_000;
const contract = new Contract('master-data/v1');

const from = (day: string) => ({ validity: { from: day } });
const until = (day: string) => ({ validity: { to: day } });
const named = (iata: string, icao?: string) => ({ code: icao === undefined ? { iata } : { iata, icao } });
const area = (iata: string, ...airports: readonly string[]) => ({ code: { iata }, type: 'MetropolitanArea', airports });

/** Requests with error-prone responses, on 1 June 2026: the expected members of a record, or the detail of the error. */
const singles: readonly (readonly [what: string, query: string, expected: object | string])[] = [
  ['an area of many airports', '/locations/LON', area('LON', 'BQH', 'LCY', 'LGW', 'LHR', 'LTN', 'SEN', 'STN')],
  ['an area with heliports and a seaplane base', '/locations/NYC', { type: 'MetropolitanArea', sharedCode: false }],
  ['an area', '/locations/TYO', { type: 'MetropolitanArea', place: { country: { code: 'JP' } } }],
  ['an area', '/locations/MIL', { type: 'MetropolitanArea', timezone: { name: 'Europe/Rome' } }],
  ['an area', '/locations/WAS', { type: 'MetropolitanArea', name: 'Washington' }],
  ['an area of two', '/locations/REK', area('REK', 'KEF', 'RKV')],
  [
    'an area that was one while its airports had other codes',
    '/locations/BER?AsOf=2019-01-01',
    area('BER', 'SXF', 'TXL'),
  ],
  [
    'the same code once it is an airport alone',
    '/locations/BER',
    { ...named('BER', 'EDDB'), type: 'Airport', sharedCode: false, ...from('2020-10-25') },
  ],
  ['a closed airport', '/locations/TXL', { ...named('TXL', 'EDDT'), ...until('2020-11-08') }],
  [
    'a closed airport in its time',
    '/locations/TXL?AsOf=2019-01-01',
    { ...named('TXL', 'EDDT'), ...until('2020-11-08') },
  ],
  ['an airport that became another', '/locations/SXF', { code: { iata: 'SXF', icao: 'EDDB' }, ...until('2020-10-24') }],
  ['one ICAO code, before', '/locations/EDDB?CodeType=ICAO&AsOf=2020-10-24', named('SXF', 'EDDB')],
  ['one ICAO code, after', '/locations/EDDB?CodeType=ICAO&AsOf=2020-10-25', named('BER', 'EDDB')],
  [
    'a code that moved to a new airport, before',
    '/locations/IST?AsOf=2019-04-05',
    { ...named('IST', 'LTBA'), ...until('2019-04-05') },
  ],
  [
    'a code that moved to a new airport, after',
    '/locations/IST?AsOf=2019-04-06',
    { ...named('IST', 'LTFM'), ...from('2019-04-06') },
  ],
  [
    'a code changed with the name of a city, before',
    '/locations/TSE?AsOf=2019-01-01',
    { ...named('TSE', 'UACC'), ...until('2020-05-31') },
  ],
  [
    'a code changed with the name of a city, after',
    '/locations/NQZ',
    { ...named('NQZ', 'UACC'), timezone: { currentUtcVariation: '+0500' } },
  ],
  [
    'its city before, under the code of that time',
    '/locations/TSE?AsOf=2019-01-01',
    { type: 'Airport', place: { city: { code: 'TSE', name: 'Astana' } }, sharedCode: false },
  ],
  ['an airport under several codes: their area', '/locations/EAP', area('EAP', 'BSL', 'MLH')],
  [
    'an airport that moved, which one list has at its old field',
    '/locations/KMG',
    { name: 'Kunming Changshui International Airport', ...from('2012-06-28'), sharedCode: false },
  ],
  ['an airport that moved, and its code with it', '/locations/NKC', { ...named('NKC', 'GQNO'), ...from('2016-06-23') }],
  [
    'a province whose number another has now',
    '/locations/THR',
    { place: { region: { code: 'IR-23', name: 'Tehran Province' } } },
  ],
  ['an old code of Kishinev', '/locations/KIV', { place: { country: { code: 'MD' } }, ...until('2024-01-17') }],
  ['the new code of Chisinau', '/locations/RMO', { ...named('RMO', 'LUKK'), ...from('2024-01-18') }],
  ['a city that keeps its code when its airport gets another', '/locations/FRU', area('FRU', 'BSZ')],
  ['a city whose airport moved', '/locations/ISN', area('ISN', 'XWA')],
  [
    'its airport before',
    '/locations/ISN?AsOf=2019-01-01',
    { code: { iata: 'ISN', icao: 'KISN', faa: 'ISN' }, type: 'Airport' },
  ],
  [
    'its airport now',
    '/locations/XWA',
    { code: { iata: 'XWA', icao: 'KXWA', faa: 'XWA' }, place: { city: { code: 'ISN' } } },
  ],
  ['an old airport of Siem Reap', '/locations/REP?AsOf=2022-01-01', named('REP', 'VDSR')],
  ['the new one', '/locations/SAI', named('SAI', 'VDSA')],
  [
    'a railway station',
    '/locations/QQP',
    { ...named('QQP'), type: 'RailwayStation', place: { city: { code: 'LON' } } },
  ],
  ['a heliport', '/locations/JRB', { code: { iata: 'JRB', icao: 'KJRB', faa: 'JRB' }, type: 'Heliport' }],
  [
    'an airport that is three, under the code of one',
    '/locations/BSL',
    { code: { iata: 'BSL', icao: 'LFSB' }, place: { country: { code: 'FR' } } },
  ],
  ['the same airport under another, which ICAO does not know', '/locations/MLH', named('MLH')],
  [
    'a territory with a country code of its own',
    '/locations/SJU',
    { code: { icao: 'TJSJ', faa: 'SJU' }, place: { country: { code: 'PR' } } },
  ],
  [
    'a clock that is moved by half an hour',
    '/locations/LDH',
    { timezone: { standardUtcVariation: '+1030', daylightSaving: { utcVariation: '+1100' } } },
  ],
  [
    'a clock without daylight saving in a country that has it',
    '/locations/PHX',
    { timezone: { name: 'America/Phoenix', standardUtcVariation: '-0700', currentUtcVariation: '-0700' } },
  ],
  ['an identifier of no place', '/locations/ZZZZ?CodeType=ICAO', 'No location has the ICAO code ZZZZ on 2026-06-01.'],
  [
    'an ICAO code without its system',
    '/locations/EGLL',
    'No location has the IATA code EGLL on 2026-06-01. It is an ICAO code; send CodeType=ICAO.',
  ],
  [
    'two carriers of one code: the airline first',
    '/carriers/LH',
    { name: 'Lufthansa', duplicateCarrier: true, iataCodeRank: 1, alliance: { name: 'Star Alliance' } },
  ],
  [
    'the other by the code it has alone',
    '/carriers/GEC?CodeType=ICAO',
    { name: 'Lufthansa Cargo', iataCodeRank: 2, domicile: { country: { code: { iso: 'DE', dot: '429' } } } },
  ],
  [
    'an alliance on its last day',
    '/carriers/SK?AsOf=2024-08-31',
    { alliance: { name: 'Star Alliance', membership: 'Member' } },
  ],
  ['another on the day after', '/carriers/SK?AsOf=2024-09-01', { alliance: { name: 'SkyTeam', membership: 'Member' } }],
  [
    'a designator with a new owner',
    '/carriers/AZ',
    { name: 'ITA Airways', code: { iata: 'AZ', icao: 'ITY' }, iataCodeAssignmentCategory: { code: 'Unique' } },
  ],
  [
    'and its former owner',
    '/carriers/AZ?AsOf=2015-01-01',
    { name: 'Alitalia', code: { iata: 'AZ', icao: 'AZA' }, alliance: { name: 'SkyTeam' } },
  ],
  [
    'a designator used again after a bankruptcy',
    '/carriers/AB?AsOf=2015-01-01',
    { name: 'Air Berlin', alliance: { name: 'oneworld' } },
  ],
  ['a carrier that is gone', '/carriers/NW', { name: 'Northwest Airlines', ...until('2010-01-31') }],
  ['a carrier that one list has as present', '/carriers/UK', { name: 'Vistara', ...until('2024-11-11') }],
  [
    'a designator that an undated name had before',
    '/carriers/K4',
    { name: 'Kalitta Air', code: { iata: 'K4', icao: 'CKS' }, iataCodeAssignmentCategory: { code: 'Unique' } },
  ],
  [
    'a designator before a company older than its code had it',
    '/carriers/YX?AsOf=2005-06-01',
    { name: 'Midwest Airlines', code: { iata: 'YX', icao: 'MEP' }, iataCodeRank: 1 },
  ],
  ['a carrier under the name it had', '/carriers/JJ?AsOf=2012-06-01', { name: 'TAM Linhas Aéreas' }],
  [
    'a carrier without an IATA code',
    '/carriers/LXJ?CodeType=ICAO',
    { code: { icao: 'LXJ' }, iataCodeAssignmentCategory: { code: 'Unassigned' } },
  ],
  ['an ICAO code that one list has wrong', '/carriers/F9', { code: { iata: 'F9', icao: 'FFT' } }],
  [
    'a type that one list has as ZZZZ',
    '/equipment/359',
    { code: { iata: '359', icao: 'A359' }, icaoTypes: ['A359'], body: 'Wide' },
  ],
  ['another one', '/equipment/351', { code: { icao: 'A35K' } }],
  ['a freighter of its own design', '/equipment/74B', { code: { icao: 'BLCF' } }],
  [
    'a family of several ICAO types',
    '/equipment/CRJ',
    { code: { iata: 'CRJ' }, icaoTypes: ['CRJ1', 'CRJ2', 'CRJ7', 'CRJ9', 'CRJX'] },
  ],
  [
    'a type with two designators for one wing or the other',
    '/equipment/E75',
    { icaoTypes: ['E75L', 'E75S'], body: 'Narrow' },
  ],
  [
    'a freighter with the designator of a passenger type',
    '/equipment/77X',
    { code: { icao: 'B77L' }, cargoTonnage: 102 },
  ],
  [
    'a type that the list lacks',
    '/equipment/78J',
    { code: { icao: 'B78X' }, group: { iata: '787' }, wakeTurbulence: 'H' },
  ],
  [
    'a designator that passenger types and freighters share',
    '/equipment/B738?CodeType=ICAO',
    { code: { iata: '738' }, engine: { type: 'Jet', count: 2 } },
  ],
  ['a train', '/equipment/TRN', { category: 'SurfaceVehicle', icaoTypes: [], serviceTypes: ['U'] }],
  ['a boat', '/equipment/LCH', { category: 'SurfaceVehicle' }],
  [
    'a helicopter that no schedule names',
    '/equipment/R44?CodeType=ICAO',
    { code: { icao: 'R44' }, category: 'Helicopter', engine: { type: 'Piston', count: 1 } },
  ],
  ['a tilt-rotor', '/equipment/V22?CodeType=ICAO', { category: 'TiltRotor' }],
  ['a designator of no type', '/equipment/ZZZZ?CodeType=ICAO', 'No equipment has the ICAO code ZZZZ.'],
];

/** Searches: the codes of the results, in order. */
const searches: readonly (readonly [what: string, query: string, expected: readonly string[]])[] = [
  ['owners of a shared carrier code', '/carriers?CarrierCode=LH', ['LH/DLH', 'LH/GEC']],
  ['owners of another', '/carriers?CarrierCode=PQ', ['PQ/SQP', 'PQ/APG']],
  ['an airport and the area of its code', '/locations?AirportCode=DXB', ['DXB/OMDB', 'DXB/']],
  ['an airport of two countries under the code of its area', '/locations?AirportCode=EAP', ['EAP/']],
  ['a city by the code it had in those days', '/locations?CityCode=TSE&AsOf=2019-01-01', ['TSE/UACC']],
  [
    'what is flown under one designator',
    '/equipment?EquipmentCode=B738&CodeType=ICAO',
    ['737/', '738/B738', '73F/', '73H/B738', '73K/B738', '73U/B738', '7F8/B738', '7S8/B738'],
  ],
  ['an accent that is not sent', '/locations?Name=sao paulo congonhas', ['CGH/SBSP']],
  ['an apostrophe that is not sent', '/locations?Name=chicago ohare&Type=Airport', ['ORD/KORD']],
  ['the airports of a small country', '/locations?CountryCode=LU&CodeType=IATA&Type=Airport', ['LUX/ELLX']],
  ['what is nearest over the date line', '/locations?Near=-16.7,-179.95&WithinKm=20&CodeType=ICAO', ['TVU/NFNM']],
];

describe.skipIf(realMasterDataDir === undefined)('with the real master data', () => {
  let real: RealMasterData;
  let get: (path: string) => Promise<Response>;

  beforeAll(async () => {
    real = await readRealMasterData();
    await insertKeyIfMissing(real.sql, { name: 'tests', products: ['master-data'], key: TEST_KEY });
    const app = await createTestApp(real.sql);
    get = (path) => app(new Request(`http://service.test${path}`, { headers: { 'subscription-key': TEST_KEY } }));
  }, IMPORT_TIMEOUT_MS);
  afterAll(() => real.drop());

  test.each(singles)('%s: %s', async (_, query, reply) => {
    const response = await get(query);
    const path = query.replace(/\?.*/, '').replace(/[^/]+$/, '{code}');
    expect(await contract.problems('get', path, response.clone())).toEqual([]);
    const body: { detail?: string } = await response.json();
    expect({ status: response.status, ...body }).toMatchObject(
      typeof reply === 'string' ? { status: 404, detail: reply } : { status: 200, ...reply },
    );
  });

  test.each(searches)('%s: %s', async (_, query, matches) => {
    const page: { data: readonly { code: { iata?: string; icao?: string } }[] } = await (
      await get(`${query}&Limit=100`)
    ).json();
    expect(page.data.map(({ code: { iata = '', icao = '' } }) => `${iata}/${icao}`)).toEqual(matches);
  });

  test('there are at least 40 hard cases', () => {
    expect(singles.length + searches.length).toBeGreaterThan(40);
  });

  describe('all stations of the main source with an IATA code', () => {
    type Listed = { readonly iata: string; readonly name: string };
    /** Listed as open, but closed: a search of today does not find them, but their code still identifies them. */
    const closed: readonly string[] = ['TXL'];
    /** Listed by the names of the fields that they left. */
    const moved: readonly string[] = ['KMG', 'LZO', 'MBI', 'NKC', 'SWA'];
    let listed: readonly Listed[] = [];
    const pages: LocationPage[] = [];
    const problems: string[] = [];

    beforeAll(async () => {
      const bytes = gunzipSync(readFileSync(`${realMasterDataDir}/airportsdata_airports.csv.gz`));
      const rows: readonly Listed[] = parse(bytes, { columns: true });
      listed = rows.filter(({ iata }) => iata !== '');
      let next: string | undefined = '/locations?Limit=1000&CodeType=IATA';
      while (next !== undefined) {
        const response = await get(next.replace('http://service.test', ''));
        if (pages.length === 0) problems.push(...(await contract.problems('get', '/locations', response.clone())));
        const page: LocationPage = await response.json();
        pages.push(page);
        next = page.paging.next;
      }
    }, IMPORT_TIMEOUT_MS);

    test('are returned by a walk over all locations, each record once', () => {
      const records = pages.flatMap(({ data }) => data);
      expect(problems).toEqual([]);
      expect(records).toHaveLength(pages[0]?.paging.totalCount ?? 0);
      const result = new Set(records.filter(({ type }) => type !== 'MetropolitanArea').map(({ code }) => code.iata));
      expect(listed).toHaveLength(7884);
      expect(listed.filter(({ iata }) => !result.has(iata)).map(({ iata }) => iata)).toEqual(closed);
    });

    test('are returned one by one, each by its name in the source except for moved ones', async () => {
      const wrong: string[] = [];
      const renamed: string[] = [];
      for (const { iata, name } of listed) {
        const response = await get(`/locations/${iata.toLowerCase()}`);
        const location: Location = await response.json();
        if (response.status !== 200 || location.code.iata !== iata) wrong.push(iata);
        else if (location.name !== name) renamed.push(iata);
      }
      expect(renamed.toSorted()).toEqual(moved);
      expect(wrong).toEqual([]);
    });
  });
});
