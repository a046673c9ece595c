import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { findSharedData } from '../shared-data.ts';

const raw = '/raw.githubusercontent.com';
const optd = `${raw}/opentraveldata/opentraveldata/master/opentraveldata`;
const standing = `${raw}/vradarserver/standing-data/main`;

/** Paths of the published files on a mirror, by the names that the importer gives them. */
export const publishedPaths: Readonly<Record<string, string>> = {
  'airportsdata_airports.csv': `${raw}/mborsetti/airportsdata/main/airportsdata/airports.csv`,
  'airportsdata_iata_macs.csv': `${raw}/mborsetti/airportsdata/main/airportsdata/iata_macs.csv`,
  'ourairports_airports.csv': '/davidmegginson.github.io/ourairports-data/airports.csv',
  'ourairports_countries.csv': '/davidmegginson.github.io/ourairports-data/countries.csv',
  'ourairports_regions.csv': '/davidmegginson.github.io/ourairports-data/regions.csv',
  'optd_por_public_all.csv': `${optd}/optd_por_public_all.csv`,
  'optd_por_no_longer_valid.csv': `${optd}/optd_por_no_longer_valid.csv`,
  'optd_airlines.csv': `${optd}/optd_airlines.csv`,
  'optd_airline_alliance_membership.csv': `${optd}/optd_airline_alliance_membership.csv`,
  'optd_aircraft.csv': `${optd}/optd_aircraft.csv`,
  'optd_usdot_wac.csv': `${optd}/optd_usdot_wac.csv`,
  'vrs_airlines.csv': `${standing}/airlines/schema-01/airlines.csv`,
  'skyalps.ssim': `${raw}/noi-techpark/opendatahub-collectors/main/transformers/flights-ssim-gtfs/testdata/sample.ssim`,
};

/** Returns the path of the published model types of one first letter. */
export const modelTypesPath = (letter: string): string => `${standing}/model-type/schema-01/${letter}.csv`;

/** Returns the path of the published on-time performance of a month. */
export const onTimePath = (year: number, month: number): string =>
  `/transtats.bts.gov/PREZIP/On_Time_Reporting_Carrier_On_Time_Performance_1987_present_${year}_${month}.zip`;

const byteOrderMark = '\uFEFF';
const toLines = (text: string): readonly string[] => text.split(/\r?\n/).filter((line) => line !== '');

/** Splits a table of model types by their first letters, each with the header, as the publisher has them. */
const splitModelTypes = (text: string): readonly (readonly [path: string, bytes: Buffer])[] => {
  const [header = '', ...rows] = toLines(text);
  const byLetter = Map.groupBy(rows, (row) => row.slice(0, 1));
  return [...'-ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => [
    modelTypesPath(letter),
    Buffer.from(`${byteOrderMark}${[header, ...(byLetter.get(letter) ?? [`${letter},,,,,,,,1`])].join('\r\n')}\r\n`),
  ]);
};

const publicHeader = toLines(
  `iata_code^icao_code^faa_code^is_geonames^geoname_id^envelope_id^name^asciiname^latitude^longitude^fclass^fcode^page_rank^date_from^date_until^comment^country_code^cc2^country_name^continent_name^adm1_code^adm1_name_utf^adm1_name_ascii^adm2_code^adm2_name_utf^adm2_name_ascii^adm3_code^adm4_code^population^elevation^gtopo30^timezone^gmt_offset^dst_offset^raw_offset^moddate^city_code_list^city_name_list^city_detail_list^tvl_por_list^iso31662^location_type^wiki_link^alt_name_section^wac^wac_name^ccy_code^unlc_list^uic_list^geoname_lat^geoname_lon`,
);

const toPublicRow = (values: Readonly<Record<string, string>>): string =>
  (publicHeader[0] ?? '')
    .split('^')
    .map((column) => values[column] ?? '')
    .join('^');

/**
 * Returns the published list of all points of reference for a short list (optd_por_best_known_so_far): in another order, with a
 * former point and one without an IATA code.
 */
export const toPublicPoints = (bestKnown: string): string => {
  const [, ...rows] = toLines(bestKnown);
  const points = rows.map((row, index) => {
    const [pk = '', iata = '', latitude = '', longitude = '', cities = '', from = ''] = row.split('^');
    const [, kind = '', geoname = ''] = pk.split('-');
    return toPublicRow({
      iata_code: iata,
      geoname_id: geoname,
      latitude,
      longitude,
      city_code_list: cities,
      date_from: from,
      location_type: kind,
      // The short list has the largest city first.
      population: String(rows.length - index),
    });
  });
  const former = {
    iata_code: 'AAA',
    geoname_id: '1',
    envelope_id: '1',
    latitude: '1',
    longitude: '1',
    location_type: 'A',
  };
  const uncoded = { icao_code: 'ZZZZ', geoname_id: '2', latitude: '1', longitude: '1', location_type: 'A' };
  return `${[...publicHeader, toPublicRow(former), toPublicRow(uncoded), ...points.toReversed()].join('\n')}\n`;
};

/** Adds to an extract of the airports of OurAirports the columns and a row that it lacks. */
const toPublishedAirports = (extract: string): string => {
  const [header = '', ...rows] = toLines(extract);
  const other = '1,00A,heliport,"Total, RF Heliport",40.07,-74.93,11,NA,US,US-PA,Bensalem,no,K00A,,00A';
  return `${[`${header},home_link,wikipedia_link,keywords`, ...[other, ...rows].map((row) => `${row},,,`)].join('\n')}\n`;
};

/** Reads the real files of the shared data set in the form in which they are published, by path; undefined without the set. */
export const readRealPublishedFiles = (): ReadonlyMap<string, Buffer> | undefined => {
  const dir = findSharedData('master');
  const schedule = findSharedData('ssim/real_airline_2025-12_2026-10.ssim');
  if (dir === undefined || schedule === undefined) return undefined;
  const read = (name: string): Buffer =>
    name.endsWith('.gz') ? gunzipSync(readFileSync(`${dir}/${name}`)) : readFileSync(`${dir}/${name}`);
  const contents: Readonly<Record<string, Buffer>> = {
    'airportsdata_airports.csv': read('airportsdata_airports.csv.gz'),
    'airportsdata_iata_macs.csv': read('airportsdata_iata_macs.csv'),
    'ourairports_airports.csv': Buffer.from(
      toPublishedAirports(read('ourairports_2020-10-21_airports_iata_subset.csv.gz').toString()),
    ),
    'ourairports_countries.csv': read('ourairports_countries.csv'),
    'ourairports_regions.csv': read('ourairports_regions.csv.gz'),
    'optd_por_public_all.csv': Buffer.from(toPublicPoints(read('optd_por_best_known_so_far.csv.gz').toString())),
    'optd_por_no_longer_valid.csv': read('optd_por_no_longer_valid.csv.gz'),
    'optd_airlines.csv': read('optd_airlines.csv'),
    'optd_airline_alliance_membership.csv': read('optd_airline_alliance_membership.csv'),
    'optd_aircraft.csv': read('optd_aircraft.csv'),
    'optd_usdot_wac.csv': read('optd_usdot_wac.csv'),
    'vrs_airlines.csv': read('vrs_airlines.csv'),
    'skyalps.ssim': readFileSync(schedule),
  };
  return new Map([
    ...Object.entries(contents).map(([name, bytes]) => [publishedPaths[name] ?? name, bytes] as const),
    ...splitModelTypes(read('vrs_model_types.csv').toString()),
  ]);
};
