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
/** The first test imports all files, while tests in other files use the machine too. */
const IMPORT_TIMEOUT_MS = 240_000;

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
  }, IMPORT_TIMEOUT_MS);
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
  const describeOwners = (code: string, day?: string) =>
    records
      .listOwners('iata', code, day === undefined ? undefined : localDate(day))
      .map(({ location, facts, area }) => {
        const { icao, faa, name, cityCode, countryCode, zone } = location;
        const { type, cityName, region, validity } = facts;
        if (area) return ['area', name, countryCode, zone].join(' | ');
        const codes = [icao, faa].filter((one) => one !== '').join('/');
        const time = validity.from === '' && validity.to === '' ? '' : `${validity.from}..${validity.to}`;
        return [codes, type, name, `${cityCode} ${cityName}`, region.code, countryCode, zone, time].join(' | ');
      });

  test.each([
    [
      'an airport of a metropolitan area',
      'LHR',
      ['EGLL | Airport | London Heathrow Airport | LON London | GB-ENG | GB | Europe/London | '],
    ],
    [
      'an airport in another town than the city it serves',
      'EWR',
      ['KEWR/EWR | Airport | Newark Liberty International Airport | NYC New York | US-NJ | US | America/New_York | '],
    ],
    [
      'an airport with another code of the FAA',
      'SPN',
      [
        'PGSN/GSN | Airport | Francisco C Ada/Saipan International Airport | SPN Saipan Island |  | MP | Pacific/Saipan | ',
      ],
    ],
    [
      'an airport of a territory',
      'SJU',
      [
        'TJSJ/SJU | Airport | Luis Munoz Marin International Airport | SJU San Juan |  | PR | America/Puerto_Rico | ',
        'area | San Juan | PR | America/Puerto_Rico',
      ],
    ],
    [
      'an airport whose second code has no ICAO code',
      'MLH',
      [' | Airport | EuroAirport Basel-Mulhouse-Freiburg Airport | EAP Basel/Mulhouse | FR-GES | FR | Europe/Paris | '],
    ],
    [
      'an airport with a code of the FAA alone, and the IATA code of another list',
      'UTK',
      ['03N | Airport | Utirik Airport | UTK Utirik Island | MH-UTI | MH | Pacific/Majuro | '],
    ],
    [
      'a field in use that has its IATA code from the points of reference',
      'GDR',
      ['SDAG | Airport | Angra dos Reis Airport | GDR Angra Dos Reis | BR-RJ | BR | America/Sao_Paulo | '],
    ],
    [
      'a station whose identifier in the ICAO column is none',
      'KIA',
      [
        ' | Airport | Kaieteur International Airport |  Kaieteur Falls | GY-PT | GY | America/Guyana | ',
        ' | Airport | Kaiapit Airport | KIA Kaiapit | PG-MPL | PG | Pacific/Port_Moresby | ',
      ],
    ],
    [
      'a seaplane base',
      'AGN',
      ['PAGN/AGN | SeaplaneBase | Angoon Seaplane Base | AGN Angoon | US-AK | US | America/Juneau | '],
    ],
    [
      'a seaplane base that its name calls an airport',
      'CXH',
      ['CYHC | SeaplaneBase | Vancouver Harbour Airport | YVR Vancouver | CA-BC | CA | America/Vancouver | '],
    ],
    [
      'a heliport of the list of airports',
      'HLR',
      ['KHLR/HLR | Heliport | Yoakum-Defrenn Army Heliport | ILE Killeen | US-TX | US | America/Chicago | '],
    ],
    [
      'a heliport that it lacks',
      'JRB',
      ['KJRB/JRB | Heliport | Downtown-Manhattan/Wall St Heliport | NYC New York | US-NY | US | America/New_York | '],
    ],
    ['a railway station', 'QKL', [' | RailwayStation | Cologne | CGN Cologne | DE-NW | DE | Europe/Berlin | ']],
    ['a ferry port', 'NBP', [' | Port | New York | NYC New York |  | US | America/New_York | ']],
    [
      'a code of two places, of which lists disagree',
      'SGS',
      [
        'RPMN | Airport | Sanga Sanga Airport | TWT Tawi-Tawi Island | PH-TAW | PH | Asia/Manila | ',
        ' | BusStation | Tokyo | TYO Tokyo |  | JP | Asia/Tokyo | 2023-09-01..',
      ],
    ],
    [
      'a code that went from one Istanbul to the other',
      'IST',
      [
        'LTFM | Airport | Istanbul Airport | IST Istanbul | TR-34 | TR | Europe/Istanbul | 2019-04-06..',
        'LTBA | Airport | Istanbul Atatürk Airport | IST Istanbul | TR-34 | TR | Europe/Istanbul | ..2019-04-05',
        'area | Istanbul | TR | Europe/Istanbul',
      ],
    ],
    [
      'a code that went the other way',
      'ISL',
      [
        'LTBA | Airport | Ataturk International Airport | IST Istanbul | TR-34 | TR | Europe/Istanbul | 2019-04-06..',
        'LTFM | Airport | Istanbul Airport | IST Istanbul | TR-34 | TR | Europe/Istanbul | 2018-10-29..2019-04-05',
        ' | Airport | Isabel Pass Airport | ISL Isabel Pass |  | US | America/Anchorage | ..2014-09-01',
      ],
    ],
    [
      'a code that three places had',
      'TCV',
      [
        'MYEY | Airport | Torch Cay Airport | TCV Hog Cay | BS-EX | BS | America/Nassau | 2023-01-01..',
        ' | BusStation | Tres Cruces Bus Station | MVD Montevideo | UY-CA | UY | America/Montevideo | 2013-04-01..2013-05-01',
        ' | Airport | Tete Airport | TET Tete | MZ-T | MZ | Africa/Maputo | ..2011-01-01',
      ],
    ],
    [
      'a code that a railway station had',
      'XWA',
      [
        'KXWA/XWA | Airport | Williston Basin International Airport | ISN Williston | US-ND | US | America/Chicago | 2019-10-10..',
        ' | RailwayStation | Warwick Watford Railway Station | XWA Warwick |  | CA | America/Toronto | ..2013-09-01',
      ],
    ],
    [
      'a code that stayed when the airport moved a few kilometres',
      'DOH',
      [
        'OTHH | Airport | Hamad International Airport | DOH Doha | QA-DA | QA | Asia/Qatar | 2014-05-27..',
        'OTBD | Airport | Doha International Airport | DOH Doha | QA-DA | QA | Asia/Qatar | ..2014-05-26',
        'area | Doha | QA | Asia/Qatar',
      ],
    ],
    [
      'a station that closed long ago',
      'THF',
      [
        'EDDI | Airport | Berlin Tempelhof International Airport | BER Berlin | DE-BE | DE | Europe/Berlin | ..2008-10-31',
      ],
    ],
  ])('%s has its known facts: %s', (_what, code, expected) => {
    expect(describeOwners(code)).toEqual(expected);
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
      const locationFacts = facts.get(id);
      const values = {
        'code.iata': location.iata,
        'code.icao': location.icao,
        'code.faa': location.faa,
        type: locationFacts?.type,
        name: location.name,
        'place.city.code': location.cityCode,
        'place.city.name': locationFacts?.cityName,
        'place.region.code': locationFacts?.region.code,
        'place.region.name': locationFacts?.region.name,
        'place.country.code': location.countryCode,
        'place.country.name': location.countryCode,
        'place.latitude.decimalDegrees': location.latitude,
        'place.longitude.decimalDegrees': location.longitude,
        'timezone.name': location.zone,
        'validity.from': locationFacts?.validity.from,
        'validity.to': locationFacts?.validity.to,
      };
      return Object.entries(values)
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([field]) => field);
    };
    const wrong = locations.filter(
      (location) =>
        fieldsOf(location).toSorted().join() !==
        Object.keys(facts.get(location.id)?.provenance ?? {})
          .toSorted()
          .join(),
    );
    expect(wrong.map(({ iata, icao, faa }) => iata || icao || faa)).toEqual([]);
  });
});
