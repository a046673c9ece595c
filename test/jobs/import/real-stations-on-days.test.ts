import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localDate } from '../../../src/domain/time/dates.ts';
import { LocationRecords } from '../../../src/domain/master-data/location-records.ts';
import { listCities } from '../../../src/store/master-data/cities.ts';
import { listLocations } from '../../../src/store/master-data/locations.ts';
import { readLocationFacts } from '../../../src/store/master-data/master-data-facts.ts';
import { readRealMasterData, realMasterDataDir, type RealMasterData } from '../../support/real-master-data.ts';

if (!realMasterDataDir) console.warn('the shared data set is absent: stations are tested on small inputs only');

/** The first test imports all files, while tests in other files use the machine too. */
const IMPORT_TIMEOUT_MS = 240_000;

describe.skipIf(!realMasterDataDir)('the stations of the real master data', () => {
  let real: RealMasterData;
  let records: LocationRecords;

  beforeAll(async () => {
    real = await readRealMasterData();
    const locations = await listLocations(real.sql);
    const factsOf = await readLocationFacts(real.sql);
    records = new LocationRecords({ locations, factsOf, cities: await listCities(real.sql) });
  }, IMPORT_TIMEOUT_MS);
  afterAll(() => real.drop());

  const owner = (code: string, day: string) => records.listOwners('iata', code, localDate(day))[0]?.location;

  test.each([
    ['SXF', '2020-10-24', 'Berlin-Schönefeld Airport', '2020-10-25', undefined],
    ['BER', '2020-10-24', 'Berlin', '2020-10-25', 'Berlin Brandenburg Airport'],
    ['TXL', '2020-11-08', 'Berlin-Tegel International Airport', '2020-11-09', undefined],
    ['TSE', '2020-05-31', 'Astana International Airport', '2020-06-01', undefined],
    ['NQZ', '2020-05-31', undefined, '2020-06-01', 'Nursultan Nazarbayev International Airport'],
    ['REP', '2023-10-15', 'Siem Reap International Airport', '2023-10-16', undefined],
    ['SAI', '2023-07-31', 'San Marino', '2023-10-16', 'Siem Reap Angkor International Airport'],
    ['PNH', '2025-09-08', 'Phnom Penh International Airport', '2025-09-09', undefined],
    ['KTI', '2024-12-31', 'Kratie Airport', '2025-09-09', 'Techo International Airport'],
    ['KIV', '2024-01-17', 'Chişinău International Airport', '2024-01-18', undefined],
    ['RMO', '2024-01-17', undefined, '2024-01-18', 'Chișinău International Airport'],
    ['FRU', '2025-08-20', 'Manas International Airport', '2025-08-21', 'Bishkek'],
    ['BSZ', '2013-12-31', 'Bartletts Airport', '2025-08-21', 'Manas International Airport'],
    ['ISN', '2019-10-09', 'Sloulin Field International Airport', '2019-10-10', 'Williston'],
    ['XWA', '2013-09-01', 'Warwick Watford Railway Station', '2019-10-10', 'Williston Basin International Airport'],
    ['IST', '2019-04-05', 'Istanbul Atatürk Airport', '2019-04-06', 'Istanbul Airport'],
    ['ISL', '2019-04-05', 'Istanbul Airport', '2019-04-06', 'Ataturk International Airport'],
    [
      'KMG',
      '2012-06-27',
      'Kunming Wujiaba International Airport',
      '2012-06-28',
      'Kunming Changshui International Airport',
    ],
    [
      'NKC',
      '2016-06-22',
      'Nouakchott International Airport',
      '2016-06-23',
      'Nouakchott–Oumtounsy International Airport',
    ],
    ['MBI', '2012-12-12', 'Mbeya Airport', '2012-12-13', 'Songwe Airport'],
    ['ALY', '2026-08-01', 'El Nouzha Airport', '2026-08-20', 'Alexandria'],
    ['SDV', '2019-06-30', 'Sde Dov Airport', '2019-07-01', undefined],
    ['ETH', '2019-03-17', 'Eilat Airport', '2019-03-18', 'Eilat'],
    ['ROV', '2017-12-06', 'Rostov-on-Don Airport', '2017-12-07', 'Platov International Airport'],
    ['ISB', '2018-05-02', 'Benazir Bhutto International Airport', '2018-05-03', 'Islamabad International Airport'],
  ])('%s is on %s %s, and on %s %s', (code, before, former, after, present) => {
    expect([owner(code, before)?.name, owner(code, after)?.name]).toEqual([former, present]);
  });

  test('an airport that changed codes is found by its ICAO code on every day, under the code of that day', () => {
    const iataOf = (icao: string, day: string) =>
      records.listOwners('icao', icao, localDate(day)).map(({ location }) => location.iata);
    expect(['2019-04-05', '2019-04-06'].map((day) => iataOf('LTBA', day))).toEqual([['IST'], ['ISL']]);
    expect(['2018-10-28', '2018-10-29', '2019-04-06'].map((day) => iataOf('LTFM', day))).toEqual([
      [],
      ['ISL'],
      ['IST'],
    ]);
    expect(['2024-01-17', '2024-01-18'].map((day) => iataOf('LUKK', day))).toEqual([['KIV'], ['RMO']]);
  });

  test.each([
    ['THR', 'IR-23'],
    ['IKA', 'IR-23'],
    ['MHD', 'IR-09'],
    ['SYZ', 'IR-07'],
    ['MAD', 'ES-MD'],
    ['GRO', 'ES-CT'],
    ['BCN', 'ES-CT'],
    ['ALC', 'ES-VC'],
    ['OVD', 'ES-AS'],
    ['PNA', 'ES-NC'],
    ['RMU', 'ES-MC'],
  ])('%s is in the region %s', (code, region) => {
    expect(records.listOwners('iata', code)[0]?.facts.region.code).toBe(region);
  });
});
