import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataSources } from '../../../src/domain/master-data/data-sources.ts';
import { findStation } from '../../../src/domain/master-data/master-data-index.ts';
import { computeGreatCircleMetres } from '../../../src/domain/master-data/distance.ts';
import { LocationRecords } from '../../../src/domain/master-data/location-records.ts';
import type { LocationFacts } from '../../../src/domain/master-data/master-data-facts.ts';
import type { Location } from '../../../src/domain/master-data/master-data.ts';
import { localDate } from '../../../src/domain/time/dates.ts';
import { isZone } from '../../../src/domain/time/zones.ts';
import { createLoadReport } from '../../../src/feeds/load-report.ts';
import { readCsvRows } from '../../../src/feeds/text/csv-rows.ts';
import { readMasterDataIndex } from '../../../src/jobs/cache/read-master-data-index.ts';
import { listCities } from '../../../src/store/master-data/cities.ts';
import { readCountryNames } from '../../../src/store/master-data/countries.ts';
import { listLocations } from '../../../src/store/master-data/locations.ts';
import { readLocationFacts } from '../../../src/store/master-data/master-data-facts.ts';
import { readRealMasterData, type RealMasterData, realMasterDataDir } from '../../support/real-master-data.ts';

const columns = ['iata', 'name', 'subd', 'country', 'lat', 'lon', 'tz'] as const;

/** Lists the stations with an IATA code of the file of airports in use. */
const listSourceStations = async () => {
  const name = 'airportsdata_airports.csv.gz';
  const bytes = pipeline(createReadStream(`${realMasterDataDir}/${name}`), createGunzip(), () => {});
  const rows = readCsvRows({ name, bytes }, { columns, separator: ',', report: createLoadReport(name) });
  const stations = [];
  for await (const { values } of rows) if (values.iata !== '') stations.push(values);
  return stations;
};

if (!realMasterDataDir) console.warn('the shared data set is absent: locations are tested on small inputs only');

const TODAY = '2026-11-21';

/** The file counts them among the states of the United States; they have separate ISO codes. */
const territories = {
  PR: 'ARE BQN CPX HUC MAZ NRR PSE SIG SJU VQS',
  VI: 'STT STX',
};

/** The file has their former positions or types. */
const movedNames: Readonly<Record<string, string>> = {
  KMG: 'Kunming Changshui International Airport',
  LZO: 'Luzhou Yunlong Airport',
  MBI: 'Songwe Airport',
  NKC: 'Nouakchott–Oumtounsy International Airport',
  SWA: 'Jieyang Chaoshan International Airport',
};
const movedPositions = 'JNZ KMG LZO MBI NKC SWA';

/**
 * The file has degrees, minutes and seconds for decimals, or another mistake: two other lists agree on another place.
 */
const correctedPositions = 'ANR BRU BYD CRL GOB GVP HCM KJK KOW LGG LUX NLA OKL OST PUE TMO VBP WMT XGA';

describe.skipIf(!realMasterDataDir)('the locations of the real master data', () => {
  let real: RealMasterData;
  let locations: readonly Location[];
  let facts: ReadonlyMap<number, LocationFacts>;
  let records: LocationRecords;

  beforeAll(async () => {
    real = await readRealMasterData();
    locations = await listLocations(real.sql);
    facts = await readLocationFacts(real.sql);
    records = new LocationRecords({ locations, factsOf: facts, cities: await listCities(real.sql) });
  });
  afterAll(() => real.drop());

  test('all 7,884 IATA stations of the list of airports are the first owners of their codes, with name, country and zone', async () => {
    const masterDataIndex = await readMasterDataIndex(real.sql);
    const stations = await listSourceStations();
    expect(stations).toHaveLength(7884);
    const countryOf = new Map(
      Object.entries(territories).flatMap(([country, codes]) => codes.split(' ').map((code) => [code, country])),
    );
    const firstOwners = stations.map(({ iata }) => {
      const station = findStation(masterDataIndex, iata);
      return [iata, station?.name, station?.countryCode, station?.zone];
    });
    expect(firstOwners).toEqual(
      stations.map(({ iata, name, country, tz }) => [
        iata,
        movedNames[iata] ?? name,
        countryOf.get(iata) ?? country,
        tz,
      ]),
    );
  });

  test('have the positions of that list, except moved stations and those that two other lists contradict', async () => {
    const masterDataIndex = await readMasterDataIndex(real.sql);
    const moved = (await listSourceStations()).filter(({ iata, lat, lon }) => {
      const { latitude, longitude } = findStation(masterDataIndex, iata) ?? {};
      return latitude !== Number(lat) || longitude !== Number(lon);
    });
    expect(moved.map(({ iata }) => iata).toSorted()).toEqual(
      `${correctedPositions} ${movedPositions}`.split(' ').toSorted(),
    );
    const brussels = findStation(masterDataIndex, 'BRU');
    const town = { latitude: 50.8467, longitude: 4.3525 };
    const { latitude = 0, longitude = 0 } = brussels ?? {};
    expect(Math.round(computeGreatCircleMetres({ latitude, longitude }, town) / 1000)).toBe(11);
  });

  /** All facts of the owners of a code in their order, on a day or on any day. */
  const describeOwners = (code: string) =>
    records.listOwners('iata', code).map(({ location, facts, area }) => {
      const { icao, faa, name, cityCode, countryCode, zone } = location;
      const { type, cityName, region, validity } = facts;
      if (area) return ['area', name, countryCode, zone].join(' | ');
      const codes = [icao, faa].filter((one) => one !== '').join('/');
      const time = validity.from === '' && validity.to === '' ? '' : `${validity.from}..${validity.to}`;
      return [codes, type, name, `${cityCode} ${cityName}`, region.code, countryCode, zone, time].join(' | ').trim();
    });

  /** Each code with a description, and below it the owners in their order. */
  const known = `
LHR, an airport of a metropolitan area
  EGLL | Airport | London Heathrow Airport | LON London | GB-ENG | GB | Europe/London |
EWR, an airport in another town than the city it serves
  KEWR/EWR | Airport | Newark Liberty International Airport | NYC New York | US-NJ | US | America/New_York |
SPN, an airport with another code of the FAA
  PGSN/GSN | Airport | Francisco C Ada/Saipan International Airport | SPN Saipan Island |  | MP | Pacific/Saipan |
SJU, an airport of a territory
  TJSJ/SJU | Airport | Luis Munoz Marin International Airport | SJU San Juan |  | PR | America/Puerto_Rico |
  area | San Juan | PR | America/Puerto_Rico
MLH, an airport whose second code has no ICAO code
   | Airport | EuroAirport Basel-Mulhouse-Freiburg Airport | EAP Basel/Mulhouse | FR-GES | FR | Europe/Paris |
UTK, an airport with a code of the FAA alone, and the IATA code of another list
  03N | Airport | Utirik Airport | UTK Utirik Island | MH-UTI | MH | Pacific/Majuro |
GDR, a field in use that has its IATA code from the points of reference
  SDAG | Airport | Angra dos Reis Airport | GDR Angra Dos Reis | BR-RJ | BR | America/Sao_Paulo |
KIA, a station whose identifier in the ICAO column is none
   | Airport | Kaieteur International Airport |  Kaieteur Falls | GY-PT | GY | America/Guyana |
   | Airport | Kaiapit Airport | KIA Kaiapit | PG-MPL | PG | Pacific/Port_Moresby |
AGN, a seaplane base
  PAGN/AGN | SeaplaneBase | Angoon Seaplane Base | AGN Angoon | US-AK | US | America/Juneau |
CXH, a seaplane base that its name calls an airport
  CYHC | SeaplaneBase | Vancouver Harbour Airport | YVR Vancouver | CA-BC | CA | America/Vancouver |
HLR, a heliport of the list of airports
  KHLR/HLR | Heliport | Yoakum-Defrenn Army Heliport | ILE Killeen | US-TX | US | America/Chicago |
JRB, a heliport that it lacks
  KJRB/JRB | Heliport | Downtown-Manhattan/Wall St Heliport | NYC New York | US-NY | US | America/New_York |
QKL, a railway station
   | RailwayStation | Cologne | CGN Cologne | DE-NW | DE | Europe/Berlin |
NBP, a ferry port
   | Port | New York | NYC New York |  | US | America/New_York |
SGS, a code of two places, of which lists disagree
  RPMN | Airport | Sanga Sanga Airport | TWT Tawi-Tawi Island | PH-TAW | PH | Asia/Manila |
   | BusStation | Tokyo | TYO Tokyo |  | JP | Asia/Tokyo | 2023-09-01..
IST, a code that went from one Istanbul to the other
  LTFM | Airport | Istanbul Airport | IST Istanbul | TR-34 | TR | Europe/Istanbul | 2019-04-06..
  LTBA | Airport | Istanbul Atatürk Airport | IST Istanbul | TR-34 | TR | Europe/Istanbul | ..2019-04-05
  area | Istanbul | TR | Europe/Istanbul
ISL, a code that went the other way
  LTBA | Airport | Ataturk International Airport | IST Istanbul | TR-34 | TR | Europe/Istanbul | 2019-04-06..
  LTFM | Airport | Istanbul Airport | IST Istanbul | TR-34 | TR | Europe/Istanbul | 2018-10-29..2019-04-05
   | Airport | Isabel Pass Airport | ISL Isabel Pass |  | US | America/Anchorage | ..2014-09-01
TCV, a code that three places had
  MYEY | Airport | Torch Cay Airport | TCV Hog Cay | BS-EX | BS | America/Nassau | 2023-01-01..
   | BusStation | Tres Cruces Bus Station | MVD Montevideo | UY-CA | UY | America/Montevideo | 2013-04-01..2013-05-01
   | Airport | Tete Airport | TET Tete | MZ-T | MZ | Africa/Maputo | ..2011-01-01
XWA, a code that a railway station had
  KXWA/XWA | Airport | Williston Basin International Airport | ISN Williston | US-ND | US | America/Chicago | 2019-10-10..
   | RailwayStation | Warwick Watford Railway Station | XWA Warwick |  | CA | America/Toronto | ..2013-09-01
DOH, a code that stayed when the airport moved a few kilometres
  OTHH | Airport | Hamad International Airport | DOH Doha | QA-DA | QA | Asia/Qatar | 2014-05-27..
  OTBD | Airport | Doha International Airport | DOH Doha | QA-DA | QA | Asia/Qatar | ..2014-05-26
  area | Doha | QA | Asia/Qatar
THF, a station that closed long ago
  EDDI | Airport | Berlin Tempelhof International Airport | BER Berlin | DE-BE | DE | Europe/Berlin | ..2008-10-31
`;
  const sections = known
    .trim()
    .split(/\n(?! )/)
    .map((section) => section.split('\n'));
  test.each(sections)('%s has its known facts', (title = '', ...owners) => {
    expect(describeOwners(title.slice(0, 3))).toEqual(owners.map((owner) => owner.trim()));
  });

  test.each([
    ['LON', 'London', 'GB', 'LHR LGW STN LTN LCY SEN'],
    ['NYC', 'New York', 'US', 'JFK LGA EWR SWF'],
    ['TYO', 'Tokyo', 'JP', 'HND NRT'],
    ['MIL', 'Milan', 'IT', 'MXP LIN BGY'],
    ['WAS', 'Washington', 'US', 'IAD DCA BWI'],
    ['YMQ', 'Montreal', 'CA', 'YUL YMX YHU'],
    ['PAR', 'Paris', 'FR', 'CDG ORY LBG'],
    ['CHI', 'Chicago', 'US', 'ORD MDW'],
    ['MOW', 'Moscow', 'RU', 'SVO DME VKO ZIA'],
  ])('%s is a metropolitan area, no station, and serves its airports', async (code, name, country, airports) => {
    const [area, ...others] = records.listOwners('iata', code, localDate(TODAY));
    expect([area?.location.name, area?.location.countryCode, others]).toEqual([name, country, []]);
    expect(area?.area && records.listServedAirports(area.area, localDate(TODAY))).toEqual(
      expect.arrayContaining(airports.split(' ')),
    );
    expect(locations.filter(({ iata }) => iata === code)).toEqual([]);
  });

  test('no code has two owners of one rank, and a present owner comes before all former ones', async () => {
    const ties = await real.sql`
      select iata from location where iata <> '' group by iata, rank having count(*) > 1`;
    expect([...ties]).toEqual([]);
    const ofCode = Map.groupBy(locations, ({ iata }) => iata);
    ofCode.delete('');
    const endOf = (location: Location | undefined) => facts.get(location?.id ?? 0)?.validity.to;
    const wrong = [...ofCode].filter(
      ([, [first, ...others]]) => endOf(first) !== '' && others.some((other) => endOf(other) === ''),
    );
    expect(wrong.map(([code]) => code)).toEqual([]);
  });

  test('facts of locations are valid: dates, zones, countries, regions and sources', async () => {
    const countries = await readCountryNames(real.sql);
    expect(countries.size).toBe(249);
    const wrong = locations.filter(({ id, zone, countryCode }) => {
      const { validity, region, provenance } = facts.get(id) ?? { validity: { from: 'none', to: '' } };
      const isInOrder = validity.from === '' || validity.to === '' || validity.from <= validity.to;
      const isZoned = zone === undefined || isZone(zone);
      const isIn = region?.code === '' || region?.code.startsWith(`${countryCode}-`);
      const isSourced = Object.values(provenance ?? {}).every((source) => Object.hasOwn(dataSources, source));
      return !(isInOrder && isZoned && isIn && isSourced && (countryCode === '' || countries.has(countryCode)));
    });
    expect(wrong.map(({ iata, icao, faa }) => iata || icao || faa)).toEqual([]);
  });

  test('every fact has a source, and no unknown fact has one', () => {
    const fieldsOf = ({ id, ...location }: Location): readonly string[] => {
      const { type, cityName, region, validity } = facts.get(id) ?? {};
      const values = {
        'code.iata': location.iata,
        'code.icao': location.icao,
        'code.faa': location.faa,
        type,
        name: location.name,
        'place.city.code': location.cityCode,
        'place.city.name': cityName,
        'place.region.code': region?.code,
        'place.region.name': region?.name,
        'place.country.code': location.countryCode,
        'place.country.name': location.countryCode,
        'place.latitude.decimalDegrees': location.latitude,
        'place.longitude.decimalDegrees': location.longitude,
        'timezone.name': location.zone,
        'validity.from': validity?.from,
        'validity.to': validity?.to,
      };
      return Object.entries(values).flatMap(([field, value]) => (value === undefined || value === '' ? [] : field));
    };
    const sourcesOf = ({ id }: Location) => Object.keys(facts.get(id)?.provenance ?? {}).toSorted();
    const wrong = locations.filter((one) => fieldsOf(one).toSorted().join() !== sourcesOf(one).join());
    expect(wrong.map(({ iata, icao, faa }) => iata || icao || faa)).toEqual([]);
  });

  const owner = (code: string, day: string) => records.listOwners('iata', code, localDate(day))[0]?.location;

  /** Each code with two days, and the name of its owner on them. */
  const changes = `
    SXF | 2020-10-24 | Berlin-Schönefeld Airport | 2020-10-25 | -
    BER | 2020-10-24 | Berlin | 2020-10-25 | Berlin Brandenburg Airport
    TXL | 2020-11-08 | Berlin-Tegel International Airport | 2020-11-09 | -
    TSE | 2020-05-31 | Astana International Airport | 2020-06-01 | -
    NQZ | 2020-05-31 | - | 2020-06-01 | Nursultan Nazarbayev International Airport
    REP | 2023-10-15 | Siem Reap International Airport | 2023-10-16 | -
    SAI | 2023-07-31 | San Marino | 2023-10-16 | Siem Reap Angkor International Airport
    PNH | 2025-09-08 | Phnom Penh International Airport | 2025-09-09 | -
    KTI | 2024-12-31 | Kratie Airport | 2025-09-09 | Techo International Airport
    KIV | 2024-01-17 | Chişinău International Airport | 2024-01-18 | -
    RMO | 2024-01-17 | - | 2024-01-18 | Chișinău International Airport
    FRU | 2025-08-20 | Manas International Airport | 2025-08-21 | Bishkek
    BSZ | 2013-12-31 | Bartletts Airport | 2025-08-21 | Manas International Airport
    ISN | 2019-10-09 | Sloulin Field International Airport | 2019-10-10 | Williston
    XWA | 2013-09-01 | Warwick Watford Railway Station | 2019-10-10 | Williston Basin International Airport
    IST | 2019-04-05 | Istanbul Atatürk Airport | 2019-04-06 | Istanbul Airport
    ISL | 2019-04-05 | Istanbul Airport | 2019-04-06 | Ataturk International Airport
    KMG | 2012-06-27 | Kunming Wujiaba International Airport | 2012-06-28 | Kunming Changshui International Airport
    NKC | 2016-06-22 | Nouakchott International Airport | 2016-06-23 | Nouakchott–Oumtounsy International Airport
    MBI | 2012-12-12 | Mbeya Airport | 2012-12-13 | Songwe Airport
    ALY | 2026-08-01 | El Nouzha Airport | 2026-08-20 | Alexandria
    SDV | 2019-06-30 | Sde Dov Airport | 2019-07-01 | -
    ETH | 2019-03-17 | Eilat Airport | 2019-03-18 | Eilat
    ROV | 2017-12-06 | Rostov-on-Don Airport | 2017-12-07 | Platov International Airport
    ISB | 2018-05-02 | Benazir Bhutto International Airport | 2018-05-03 | Islamabad International Airport`;
  test.each(changes.trim().split(/\n\s+/))('%s', (line) => {
    const [code = '', before = '', former, after = '', present] = line.split(' | ');
    const nameOn = (day: string): string => owner(code, day)?.name ?? '-';
    expect([nameOn(before), nameOn(after)]).toEqual([former, present]);
  });

  test('an airport that changed codes is found by its ICAO code on every day, under the code of that day', () => {
    const iataOf = (icao: string, day: string) =>
      records.listOwners('icao', icao, localDate(day)).map(({ location }) => location.iata);
    expect(['2019-04-05', '2019-04-06'].map((day) => iataOf('LTBA', day))).toEqual([['IST'], ['ISL']]);
    const days = ['2018-10-28', '2018-10-29', '2019-04-06'];
    expect(days.map((day) => iataOf('LTFM', day))).toEqual([[], ['ISL'], ['IST']]);
    expect(['2024-01-17', '2024-01-18'].map((day) => iataOf('LUKK', day))).toEqual([['KIV'], ['RMO']]);
  });

  test('stations of Iran and Spain have their regions', () => {
    const regions = 'THR IR-23, IKA IR-23, MHD IR-09, SYZ IR-07, MAD ES-MD, GRO ES-CT, ALC ES-VC, OVD ES-AS, PNA ES-NC';
    const actual = regions.split(', ').map((station) => {
      const code = station.slice(0, 3);
      return `${code} ${records.listOwners('iata', code)[0]?.facts.region.code}`;
    });
    expect(actual.join(', ')).toBe(regions);
  });
});
