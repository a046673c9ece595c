import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Location } from '../../../src/domain/master-data/master-data.ts';
import { isZone } from '../../../src/domain/time/zones.ts';
import { countReasons } from '../../../src/feeds/load-report.ts';
import { listCarriers } from '../../../src/store/master-data/carriers.ts';
import { listEquipment } from '../../../src/store/master-data/equipment.ts';
import { listLocations } from '../../../src/store/master-data/locations.ts';
import { importMasterData } from '../../../src/jobs/import/import-master-data.ts';
import { readRealMasterData, type RealMasterData } from '../../support/real-master-data.ts';
import { findSharedData } from '../../support/shared-data.ts';

const dir = findSharedData('master');
const us = findSharedData('ssim/bts_derived_2015-01-01_02.ssim.gz');
const reunion = findSharedData('ssim/gna_sample.ssim');
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
  let real: RealMasterData;
  let byIata: ReadonlyMap<string, Location>;

  beforeAll(async () => {
    real = await readRealMasterData();
    const locations = await listLocations(real.sql);
    byIata = new Map(locations.toReversed().map((location) => [location.iata, location]));
  });
  afterAll(() => real.drop());

  test('every remark has a reason, and the counts match', () => {
    const counts = `
      airport-moved 4, carrier-ended 104, carrier-icao-code 79, closed-without-date 1, code-of-two-places 133,
      country-differs 2, country-of-neighbours 1, dates-out-of-order 1, designator-models-differ 2,
      domicile-conflict 11, domicile-unknown 1, equipment-category 5, equipment-engine 1,
      equipment-icao-code 65, equipment-without-engine 1, equipment-without-icao-code 1,
      equipment-without-wake-category 1, field-without-code 1, member-unknown 1, not-an-alliance 1,
      not-an-icao-code 1, own-membership 30, position-differs 96, position-far-from-city 21,
      position-outvoted 19, region-differs 212, shared-iata-code 27, shared-icao-code 1,
      station-named-by-city 1, station-without-city-code 1, station-without-country 1,
      station-without-icao-code 1, station-without-name 1, station-without-position 1,
      station-without-region 1, station-without-zone 1, stray-icao-code 11, unknown-designator 4,
      unwritten-row 1, withdrawn-code-in-use 39, world-area-unknown 1, zone-of-country 1,
      zone-of-far-airport 11, zone-of-nearest-airport 1, zone-unknown 1`;
    const counted = Object.entries(countReasons(real.report)).map(([reason, count]) => `${reason} ${count}`);
    expect(counted.toSorted()).toEqual(counts.trim().split(/,\s+/).toSorted());
    expect(real.report.accepted).toEqual({ cities: 10_784, locations: 31_494, carriers: 6394, equipment: 2984 });
  });

  test.each([
    ['the schedule derived from US punctuality data', us, 312],
    ['the sample of a carrier of the Indian Ocean', reunion, 15],
  ])('every station of %s has a zone, a country and a position', async (_what, path, count) => {
    const { stations, types } = await namesOf(path ?? '');
    expect(stations).toHaveLength(count);
    const isComplete = ({ zone, countryCode, latitude }: Partial<Location> = {}): boolean =>
      zone !== undefined && isZone(zone) && countryCode !== '' && latitude !== undefined;
    expect(stations.filter((station) => !isComplete(byIata.get(station)))).toEqual([]);
    const known = new Set((await listEquipment(real.sql)).map(({ iata }) => iata));
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

  test('no national identifier becomes an ICAO code', async () => {
    const icaos = (await listLocations(real.sql)).map(({ icao }) => icao).filter((icao) => icao !== '');
    expect(icaos.filter((icao) => !/^[A-HK-PR-WYZ][A-Z]{3}$/.test(icao))).toEqual([]);
    expect(['KAQY', 'KANG', 'DALH', 'SWRK', 'RHST'].filter((code) => icaos.includes(code))).toEqual([]);
    const official = 'EGLL KJFK PANC PHNL TJSJ TIST PGUM NSTU BKPR'.split(' ');
    expect(official.filter((code) => !icaos.includes(code))).toEqual([]);
  });

  test('every carrier of the schedule derived from US punctuality data has its ICAO code', async () => {
    const carriers = await listCarriers(real.sql);
    const first = (code: string) => carriers.find(({ iata }) => iata === code)?.icao;
    const codes = 'AA AS B6 DL EV F9 HA MQ NK OO UA US VX WN'.split(' ');
    expect(codes.map(first).join(' ')).toBe('AAL ASA JBU DAL ASQ FFT HAL ENY NKS SKW UAL AWE VRD SWA');
  });

  test('a second import of the same files changes nothing', async () => {
    const rows = async () => [
      ...(await real.sql`
        select md5(string_agg(t::text, chr(10) order by t::text)) as digest from (
          select location::text as t from location
          union all select carrier::text from carrier
          union all select equipment::text from equipment
          union all select city::text from city
          union all select country::text from country) as everything`),
    ];
    const before = await rows();
    const lines: string[] = [];
    await importMasterData({ sql: real.sql, dir: dir ?? '', log: (line) => lines.push(line) });
    expect(lines).toEqual(
      ['cities', 'locations', 'carriers', 'equipment'].map((kind) => `${kind}: 0 added, 0 changed`),
    );
    expect(await rows()).toEqual(before);
  });
});
