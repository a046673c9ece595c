import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataSources } from '#domain/master-data/data-sources.ts';
import { findStation } from '#domain/master-data/master-data-index.ts';
import type { LocationFacts } from '#domain/master-data/master-data-facts.ts';
import type { Location } from '#domain/master-data/master-data.ts';
import { isZone } from '#domain/time/zones.ts';
import { countReasons, createLoadReport } from '#feeds/load-report.ts';
import { readCsvRows } from '#feeds/text/csv-rows.ts';
import { readZoneBoundaries } from '#feeds/master-data/boundaries/zone-boundaries.ts';
import { createZoneCheck } from '#feeds/master-data/join/stations/zone-check.ts';
import { importMasterData } from '#jobs/import/import-master-data.ts';
import { readMasterDataIndex } from '#jobs/cache/read-master-data-index.ts';
import { readCountryNames } from '#store/master-data/countries.ts';
import { listLocations } from '#store/master-data/locations.ts';
import { readLocationFacts } from '#store/master-data/master-data-facts.ts';
import { readRealMasterData, type RealMasterData, realMasterDataDir } from '#test/support/real-master-data.ts';

const columns = ['iata', 'name', 'subd', 'country', 'lat', 'lon', 'tz'] as const;

const listSourceStations = async () => {
  const name = 'airportsdata_airports.csv.gz';
  const bytes = pipeline(createReadStream(`${realMasterDataDir}/${name}`), createGunzip(), () => {});
  const rows = readCsvRows({ name, bytes }, { columns, separator: ',', report: createLoadReport(name) });
  const stations = [];
  for await (const { values } of rows) if (values.iata !== '') stations.push(values);
  return stations;
};

if (!realMasterDataDir) console.warn('the shared data set is absent: locations are tested on small inputs only');

/** The file counts them among the states of the United States; they have separate ISO codes. */
const territories = {
  PR: 'ARE BQN CPX HUC MAZ NRR PSE SIG SJU VQS',
  VI: 'STT STX',
};

const movedNames: Readonly<Record<string, string>> = {
  KMG: 'Kunming Changshui International Airport',
  LZO: 'Luzhou Yunlong Airport',
  MBI: 'Songwe Airport',
  NKC: 'Nouakchott–Oumtounsy International Airport',
  SWA: 'Jieyang Chaoshan International Airport',
};
const movedPositions = 'JNZ KMG LZO MBI NKC SWA';

/** The file has degrees, minutes and seconds for decimals, or another mistake: two other lists agree on another place. */
const correctedPositions = 'ANR BRU BYD CRL GOB GVP HCM KJK KOW LGG LUX NLA OKL OST PUE TMO VBP WMT XGA';

/** The file has the zone of a neighbouring region, or one from before a change of the law. */
const correctedZones =
  'ACN AIR ARS BBA BUA BVV CCH CJS CUU DEE EKS ERN FEN GXM GXQ IKO KDY KIF LAK LGR LIQ MAM MHN NBW NLD OHH PAM PDS PNT ' +
  'REX SNP STZ UUS WPA WPR WPU XKS YBB YBI YCB YCK YCO YFS YGH YGR YHK YJF YNA YPC YSY YUB YVQ YWJ YWY YYH ZFM ZFN ZZO';
/** The zone in the file has other clocks only in years before the boundaries. */
const correctedPasts =
  'ANN AUX BGN BRA BXH BXY CKS CLN DMB ECN GNM GRP KSN MAB MVS NOZ OVB PAV PNB PNZ PPK PWQ RGK SWT SWV ULV UMS USR ' +
  'VAL YDA YDB YDP YHO YMA YMN YOC YQH YRF YRG YSO YWK YZW ZFA ZKP ZUM';

describe.skipIf(!realMasterDataDir)('the locations of the real master data', () => {
  let real: RealMasterData;
  let locations: readonly Location[];
  let facts: ReadonlyMap<number, LocationFacts>;

  beforeAll(async () => {
    real = await readRealMasterData();
    locations = await listLocations(real.sql);
    facts = await readLocationFacts(real.sql);
  });
  afterAll(() => real.drop());

  test('every remark has a reason, and the counts match', () => {
    const counts = `
      airport-moved 4, carrier-ended 104, carrier-icao-code 79, closed-without-date 1, code-changed 2, code-of-two-places 133,
      country-differs 2, country-of-neighbours 1, dates-out-of-order 1, designator-models-differ 2,
      domicile-conflict 11, domicile-unknown 1, equipment-category 5, equipment-engine 1,
      equipment-icao-code 65, equipment-without-engine 1, equipment-without-icao-code 1,
      equipment-without-wake-category 1, field-without-code 1, member-unknown 1, not-an-alliance 1,
      not-an-icao-code 1, optional-file-absent 1, own-membership 30, position-differs 96, position-far-from-city 21,
      position-in-other-country 8, position-outvoted 19, region-differs 212, shared-iata-code 27, shared-icao-code 1,
      station-named-by-city 1, station-without-city-code 1, station-without-country 1,
      station-without-icao-code 1, station-without-name 1, station-without-position 1,
      station-without-region 1, station-without-zone 1, stray-icao-code 11, unknown-designator 4,
      unwritten-row 1, withdrawn-code-in-use 39, world-area-unknown 1, zone-by-position 1, zone-near-border 25,
      zone-of-country 1, zone-of-far-airport 2, zone-of-nearest-airport 1, zone-of-position 405, zone-unknown 1`;
    const counted = Object.entries(countReasons(real.report)).map(([reason, count]) => `${reason} ${count}`);
    expect(counted.toSorted()).toEqual(counts.trim().split(/,\s+/).toSorted());
    expect(real.report.accepted).toEqual({ cities: 10_784, locations: 31_494, carriers: 6394, equipment: 2985 });
  });

  test('the 7,884 IATA stations of the list of airports are the first owners of their codes, with its facts, except for moved ones', async () => {
    const masterDataIndex = await readMasterDataIndex(real.sql);
    const stations = await listSourceStations();
    expect(stations).toHaveLength(7884);
    const countryOf = new Map(
      Object.entries(territories).flatMap(([country, codes]) => codes.split(' ').map((code) => [code, country])),
    );
    // Airports with a new code since the list was made.
    const presentCodes = new Map([
      ['PBI', 'DJT'],
      ['HBE', 'ALY'],
    ]);
    const firstOwners = stations.map(({ iata }) => findStation(masterDataIndex, presentCodes.get(iata) ?? iata));
    expect(firstOwners.map((owner) => [owner?.iata, owner?.name, owner?.countryCode])).toEqual(
      stations.map(({ iata, name, country }) => [
        presentCodes.get(iata) ?? iata,
        movedNames[iata] ?? name,
        countryOf.get(iata) ?? country,
      ]),
    );
    const otherZones = stations.filter(({ tz }, index) => firstOwners[index]?.zone !== tz).map(({ iata }) => iata);
    expect(otherZones.toSorted()).toEqual(`${correctedZones} ${correctedPasts}`.split(' ').toSorted());
    const moved = stations.filter(({ lat, lon }, index) => {
      const { latitude, longitude } = firstOwners[index] ?? {};
      return latitude !== Number(lat) || longitude !== Number(lon);
    });
    expect(moved.map(({ iata }) => iata).toSorted()).toEqual(
      `${correctedPositions} ${movedPositions}`.split(' ').toSorted(),
    );
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

  test('few stations with a code have another time than their position: those near a border, or with a position in another country', async () => {
    const check = createZoneCheck(await readZoneBoundaries());
    const differing = locations.filter((station) => {
      const { iata, zone } = station;
      const here = check.listZones(station);
      return iata !== '' && zone !== undefined && here.length > 0 && !here.some((one) => check.haveSameTime(one, zone));
    });
    const codes = new Set(differing.map(({ iata }) => iata));
    expect([...codes].toSorted().join(' ')).toBe('ARS DAZ GSI MLN OKT OOL QDA RKW SKM YDU YEU');
    // ARS has a correction of our own, and the zones of DAZ, MLN and SKM are the only ones of their country near the position.
    const remarks = real.report.entries.filter(
      ({ reason, value }) => /^(?:zone-near-border|position-in-other-country)$/.test(reason) && codes.has(value),
    );
    expect(
      remarks
        .map(({ value }) => value)
        .toSorted()
        .join(' '),
    ).toBe('GSI OKT OOL QDA RKW YDU YEU');
  });

  test('the stations without a zone have no position on land, or no country with a zone', async () => {
    const check = createZoneCheck(await readZoneBoundaries());
    const without = locations.filter(({ zone }) => zone === undefined);
    expect(without).toHaveLength(98);
    expect(without.filter((station) => check.listZones(station).length > 0)).toEqual([]);
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

  test('no national identifier becomes an ICAO code', () => {
    const icaos = locations.map(({ icao }) => icao).filter((icao) => icao !== '');
    expect(icaos.filter((icao) => !/^[A-HK-PR-WYZ][A-Z]{3}$/.test(icao))).toEqual([]);
    expect(['KAQY', 'KANG', 'DALH', 'SWRK', 'RHST'].filter((code) => icaos.includes(code))).toEqual([]);
  });

  test('a second import of the same files changes nothing', async () => {
    const lines: string[] = [];
    await importMasterData({ sql: real.sql, dir: realMasterDataDir ?? '', log: (line) => lines.push(line) });
    const kinds = ['cities', 'locations', 'carriers', 'equipment'];
    expect(lines).toEqual(kinds.map((kind) => `${kind}: 0 added, 0 changed`));
  });
});
