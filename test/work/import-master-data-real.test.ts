import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createGunzip, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Location } from '../../src/domain/master-data.ts';
import { isZone } from '../../src/domain/zones.ts';
import { countReasons, type LoadReport } from '../../src/feeds/load-report.ts';
import { allCarriers } from '../../src/store/carriers.ts';
import { allEquipment } from '../../src/store/equipment.ts';
import { allLocations } from '../../src/store/locations.ts';
import { importMasterData } from '../../src/work/import-master-data.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { sharedData } from '../support/shared-data.ts';

const dir = sharedData('master');
const us = sharedData('ssim/bts_derived_2015-01-01_02.ssim.gz');
const reunion = sharedData('ssim/gna_sample.ssim');
if (!dir || !us || !reunion) console.warn('the shared data set is absent: master data is tested on small inputs only');

/** The stations and aircraft types of a schedule file, by the byte positions of its leg records. */
const namesOf = async (path: string) => {
  const bytes = path.endsWith('.gz') ? createReadStream(path).pipe(createGunzip()) : createReadStream(path);
  const stations = new Set<string>();
  const types = new Set<string>();
  for await (const line of createInterface({ input: bytes })) {
    if (!line.startsWith('3')) continue;
    stations.add(line.slice(36, 39)).add(line.slice(54, 57));
    types.add(line.slice(72, 75));
  }
  return { stations: [...stations], types: [...types] };
};

describe.skipIf(!dir || !us || !reunion)('the real master data', () => {
  let database: FreshDatabase;
  let report: LoadReport;
  let byIata: ReadonlyMap<string, Location>;

  beforeAll(async () => {
    database = await freshDatabase();
    report = await importMasterData({ sql: database.sql, dir: dir ?? '', log: () => {} });
    const locations = await allLocations(database.sql);
    byIata = new Map(
      locations
        .filter(({ iata }) => iata !== '')
        .toReversed()
        .map((location) => [location.iata, location]),
    );
  });
  afterAll(() => database.drop());

  test('every remark has a reason, and their number is known', () => {
    expect(countReasons(report)).toEqual({
      'cells-of-row': 50,
      'carrier-icao-code': 69,
      'equipment-icao-code': 25,
      'equipment-without-icao-code': 1,
      'field-without-code': 1,
      'not-an-icao-code': 1,
      'shared-iata-code': 3,
      'shared-icao-code': 2,
      'stray-icao-code': 9,
      'zone-of-nearest-airport': 1173,
      'zone-unknown': 4,
    });
    expect(report.accepted).toEqual({ locations: 28_708, carriers: 6378, equipment: 483 });
  });

  test('Heathrow is where it should be', () => {
    expect(byIata.get('LHR')).toEqual({
      id: byIata.get('LHR')?.id,
      iata: 'LHR',
      icao: 'EGLL',
      faa: '',
      name: 'London Heathrow Airport',
      cityCode: 'LON',
      countryCode: 'GB',
      latitude: 51.4706,
      longitude: -0.46194,
      zone: 'Europe/London',
    });
  });

  test('all 7,884 IATA codes of the airports in use are answered with the zone that file gives', async () => {
    const text = gunzipSync(await readFile(`${dir}/airportsdata_airports.csv.gz`)).toString();
    const rows = [...text.matchAll(/^"[^"]*","([A-Z]{3})",.*,"([^"]*)","[^"]*"$/gm)];
    expect(rows).toHaveLength(7884);
    expect(rows.filter(([, iata = '', zone]) => byIata.get(iata)?.zone !== zone)).toEqual([]);
  });

  test.each([
    ['the schedule derived from US punctuality data', us, 312],
    ['the sample of a carrier of the Indian Ocean', reunion, 15],
  ])('every station of %s has a zone, a country and a position', async (_what, path, count) => {
    const { stations, types } = await namesOf(path ?? '');
    expect(stations).toHaveLength(count);
    const lost = stations.filter((station) => {
      const location = byIata.get(station);
      return (
        !location?.zone || !isZone(location.zone) || location.countryCode === '' || location.latitude === undefined
      );
    });
    expect(lost).toEqual([]);
    const known = new Set((await allEquipment(database.sql)).map(({ iata }) => iata));
    expect(types.filter((type) => !known.has(type))).toEqual([]);
  });

  test.each([
    ['ISN', 'KISN', 'America/Chicago', 'US'],
    ['SXF', 'EDDB', 'Europe/Berlin', 'DE'],
    ['TXL', 'EDDT', 'Europe/Berlin', 'DE'],
    ['TSE', 'UACC', 'Asia/Almaty', 'KZ'],
    ['REP', 'VDSR', 'Asia/Phnom_Penh', 'KH'],
    ['PNH', 'VDPP', 'Asia/Phnom_Penh', 'KH'],
    ['KIV', 'LUKK', 'Europe/Chisinau', 'MD'],
    ['FRU', 'UCFM', 'Asia/Bishkek', 'KG'],
    ['SJU', 'TJSJ', 'America/Puerto_Rico', 'PR'],
  ])('%s, closed, renamed or in a territory, is %s in %s, %s', (iata, icao, zone, country) => {
    const location = byIata.get(iata);
    expect([location?.icao, location?.zone, location?.countryCode]).toEqual([icao, zone, country]);
  });

  test('no national identifier passes for an ICAO code', async () => {
    const icaos = (await allLocations(database.sql)).map(({ icao }) => icao).filter((icao) => icao !== '');
    expect(icaos.filter((icao) => !/^[A-HK-PR-WYZ][A-Z]{3}$/.test(icao))).toEqual([]);
    expect(['KAQY', 'KANG', 'DALH', 'SWRK', 'RHST'].filter((code) => icaos.includes(code))).toEqual([]);
    expect(
      ['EGLL', 'KJFK', 'PANC', 'PHNL', 'TJSJ', 'TIST', 'PGUM', 'NSTU', 'BKPR'].filter((code) => !icaos.includes(code)),
    ).toEqual([]);
  });

  test.each([
    ['LH', ['Lufthansa', 'Lufthansa Cargo']],
    ['PQ', ['SkyUp Airlines', 'AirAsia Philippines']],
    ['1I', ['Netjets Aviation', 'Netjets Europe']],
    ['W1', ['WorldTicket']],
    ['US', ['US Airways']],
    ['AB', ['Bonza', 'Air Berlin']],
  ])('the carriers of %s are first of all %j', async (code, names) => {
    const owners = (await allCarriers(database.sql)).filter(({ iata }) => iata === code);
    expect(owners.slice(0, names.length).map(({ name }) => name)).toEqual(names);
    expect(owners.map(({ rank }) => rank)).toEqual(owners.map((_owner, index) => index + 1));
  });

  test('every carrier of the schedule derived from US punctuality data has its ICAO code', async () => {
    const carriers = await allCarriers(database.sql);
    const first = (code: string) => carriers.find(({ iata }) => iata === code)?.icao;
    const codes = ['AA', 'AS', 'B6', 'DL', 'EV', 'F9', 'HA', 'MQ', 'NK', 'OO', 'UA', 'US', 'VX', 'WN'];
    expect(codes.map(first)).toEqual([
      'AAL',
      'ASA',
      'JBU',
      'DAL',
      'ASQ',
      'FFT',
      'HAL',
      'ENY',
      'NKS',
      'SKW',
      'UAL',
      'AWE',
      'VRD',
      'SWA',
    ]);
  });
});
