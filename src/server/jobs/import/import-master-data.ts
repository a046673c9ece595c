import { hash } from 'node:crypto';
import { join } from 'node:path';
import { hashFile } from '#feeds/hash-file.ts';
import { rejectWithReport } from '#feeds/reject-with-report.ts';
import type { Carrier, Location } from '#domain/master-data/master-data.ts';
import { FeedError } from '#feeds/feed-error.ts';
import { countAccepted, createLoadReport, type LoadReport } from '#feeds/load-report.ts';
import { readZoneBoundaries } from '#feeds/master-data/boundaries/zone-boundaries.ts';
import { describeCarriers, type DescribedCarrier } from '#feeds/master-data/join/carriers/describe-carriers.ts';
import { joinEquipment } from '#feeds/master-data/join/equipment/join-equipment.ts';
import { joinStations } from '#feeds/master-data/join/stations/join-stations.ts';
import { RANK_IN_USE, type RankedStation } from '#feeds/master-data/join/stations/merge-listing.ts';
import { readAircraft } from '#feeds/master-data/sources/aircraft.ts';
import { readAirlines, readOperators } from '#feeds/master-data/sources/airlines.ts';
import { readAirports } from '#feeds/master-data/sources/airports.ts';
import { readCabinLetters } from '#feeds/master-data/sources/cabin-letters.ts';
import { readAllianceMembers } from '#feeds/master-data/sources/alliances.ts';
import { readPublicPoints, readReferencePoints } from '#feeds/master-data/sources/reference-points.ts';
import { readCountries, readWorldAreaCodes } from '#feeds/master-data/sources/countries.ts';
import type { FeedFile } from '#feeds/text/csv-rows.ts';
import { readStationSnapshot, readWithdrawnCodes } from '#feeds/master-data/sources/former-stations.ts';
import { readMetropolitanAreas } from '#feeds/master-data/sources/metropolitan-areas.ts';
import { readModelTypes } from '#feeds/master-data/sources/model-types.ts';
import { noRegions, readRegions } from '#feeds/master-data/sources/regions.ts';
import {
  listCarriers,
  type CarrierUpdate,
  listCarrierIdsNamedBy,
  upsertCarriers,
} from '#store/master-data/carriers.ts';
import { upsertCities } from '#store/master-data/cities.ts';
import { upsertCountries } from '#store/master-data/countries.ts';
import { upsertEquipment } from '#store/master-data/equipment.ts';
import { listLocations, type LocationUpdate, listStationIds, upsertLocations } from '#store/master-data/locations.ts';
import { lockMasterData } from '#store/master-data/master-data-changes.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { insertLoad, updateLoadReport } from '#store/schedules/schedules.ts';
import { insertRecordsDue } from '#store/schedules/schedule-records.ts';
import { findMasterDataFiles, type MasterDataFiles } from './master-data-files.ts';
import { type IdMatchRule, matchIds, toEqualKeys } from './match-ids.ts';

/** IDs of the records of one kind that the main list had at the last load, and that it has now. */
type ListedRecords = {
  readonly kind: string;
  readonly before: readonly number[];
  readonly now: ReadonlySet<number | undefined>;
};

/** Lists lose some records a month; a list that loses more than this share is probably truncated. */
const MAX_REMOVED_SHARE = 0.05;
/** This many records may be removed in any case, for small stores. */
const MAX_REMOVED = 20;

type CheckOptions = { readonly report: LoadReport; readonly isForced: boolean };

/**
 * Reports how many records the main lists no longer have. Throws FeedError when these are more than 5 % of a kind and
 * more than 20, unless the load is forced: a truncated file is a valid table.
 */
const checkRemovedRecords = (listings: readonly ListedRecords[], { report, isForced }: CheckOptions): void => {
  for (const { kind, before, now } of listings) {
    const removed = before.filter((id) => !now.has(id)).length;
    if (removed === 0) continue;
    if (!isForced && removed > MAX_REMOVED && removed > before.length * MAX_REMOVED_SHARE) {
      const message = `${removed} of ${before.length} ${kind} are missing in the main list, more than the limit of 5 %; check whether a file is truncated, or load it with --force`;
      throw new FeedError(message, { value: String(removed), reason: 'too-many-gone' });
    }
    const message = `${removed} of ${before.length} ${kind} are no longer in the main list. They stay, and are returned only if no other record has their code.`;
    report.entries.push({
      severity: 'notice',
      field: kind,
      value: String(removed),
      reason: 'no-longer-listed',
      message,
    });
  }
};

export type ImportMasterDataOptions = {
  readonly sql: Database;
  /** The directory with the files of `findMasterDataFiles`. */
  readonly dir: string;
  readonly log: (line: string) => void;
  /** Imports files that lack more than 5 % of the records of the last import. */
  readonly isForced?: boolean;
  /** Called before each file is read. */
  readonly onProgress?: (progress: { readonly file: string; readonly step: number; readonly steps: number }) => void;
};

type ReportFile = (file: FeedFile) => FeedFile;

/** Reads all files in sequence: parsing is limited by one processor. */
const readFiles = async (
  { required, optional, modelTypes }: MasterDataFiles,
  report: LoadReport,
  reportFile: ReportFile,
) => {
  const read = async <Result>(
    file: FeedFile | undefined,
    reader: (file: FeedFile, report: LoadReport) => Promise<Result>,
    fallback: Result,
  ): Promise<Result> => (file ? reader(reportFile(file), report) : fallback);

  const countries = await readCountries(reportFile(required.countries), report);
  const airports = await readAirports(reportFile(required.airports), report);
  const snapshot = await read(optional.snapshot, readStationSnapshot, []);
  const withdrawnCodes = await read(optional.withdrawn, readWithdrawnCodes, { stations: [], cityNames: new Map() });
  const referencePoints = await read(
    optional.allPoints ?? optional.bestKnown,
    optional.allPoints ? readPublicPoints : readReferencePoints,
    { stations: new Map(), cities: new Map() },
  );
  const areas = await read(optional.areas, readMetropolitanAreas, new Map());
  const regions = await read(optional.regions, readRegions, noRegions);
  const airlines = await readAirlines(reportFile(required.airlines), report);
  const operators = await read(optional.operators, readOperators, []);
  const members = await read(optional.allianceMembers, readAllianceMembers, []);
  const worldAreas = await read(optional.worldAreas, readWorldAreaCodes, new Map());
  const cabinLetters = await read(optional.cabinLetters, readCabinLetters, new Map());
  const aircraft = await readAircraft(reportFile(required.aircraft), report);
  const designators = await readModelTypes(modelTypes.map(reportFile), report);
  const { stations, cities } = joinStations(
    {
      airports,
      snapshot,
      withdrawnCodes,
      referencePoints,
      areas,
      countries,
      regions,
      boundaries: await readZoneBoundaries(),
    },
    report,
  );
  const countryByStation = new Map(
    stations.filter(({ rank }) => rank === RANK_IN_USE).map((station) => [station.iata, station.countryCode]),
  );
  const findCountry = (station: string): string | undefined => countryByStation.get(station);
  return {
    stations,
    cities,
    countries,
    carriers: describeCarriers({ airlines, operators, members, worldAreas, cabinLetters, findCountry }, report),
    equipment: joinEquipment({ aircraft, designators }, report),
  };
};

type StationCodes = Pick<Location, 'iata' | 'icao' | 'faa' | 'name'>;
type CarrierCodes = Pick<Carrier, 'iata' | 'icao' | 'name'>;

/** A row keeps its IATA code, because flights refer to it. Only rows without one match by other codes. */
const stationRules: readonly IdMatchRule<StationCodes, StationCodes>[] = [
  // Several former owners of a code may have no other code.
  toEqualKeys(({ iata, icao, faa, name }) => [iata, icao, faa, name].join('/')),
  toEqualKeys(({ iata, icao, faa }) => [iata, icao, faa].join('/')),
  toEqualKeys(({ iata }) => iata),
  { known: ({ iata, icao }) => (iata === '' ? icao : ''), record: ({ icao }) => icao },
  { known: ({ iata, icao, faa }) => (iata === '' && icao === '' ? faa : ''), record: ({ faa }) => faa },
];

const carrierRules: readonly IdMatchRule<CarrierCodes, CarrierCodes>[] = [
  toEqualKeys(({ iata, icao, name }) => [iata, icao, name].join('/')),
  toEqualKeys(({ iata, icao }) => (iata === '' || icao === '' ? '' : [iata, icao].join('/'))),
  { known: ({ iata, icao }) => (icao === '' ? iata : ''), record: ({ iata }) => iata },
  { known: ({ iata, icao }) => (iata === '' ? icao : ''), record: ({ icao }) => icao },
];

/** The source of the names of carriers in the required list of airlines. */
const MAIN_CARRIER_SOURCE = 'optd-airlines';

/** The rank of records that the files no longer have: after all current and former owners of a code. */
const RANK_REMOVED = 99;

/** Locations that the files no longer list rank after the owners of their codes. */
const matchStations = (known: readonly Location[], stations: readonly RankedStation[]): readonly LocationUpdate[] => {
  const { records, unmatched } = matchIds(known, stations, stationRules);
  return [...records, ...unmatched.map((location) => ({ ...location, rank: RANK_REMOVED }))];
};

/** Carriers that the files no longer list rank after the owners of their codes. */
const matchCarriers = (known: readonly Carrier[], carriers: readonly DescribedCarrier[]): readonly CarrierUpdate[] => {
  const { records, unmatched } = matchIds(known, carriers, carrierRules);
  return [...records, ...unmatched.map((carrier) => ({ ...carrier, rank: RANK_REMOVED }))];
};

const toIds = (records: readonly { readonly id?: number | undefined }[]): ReadonlySet<number | undefined> =>
  new Set(records.map(({ id }) => id));

type MasterDataTables = Awaited<ReturnType<typeof readFiles>>;

/** Writes all tables, and logs how many records changed. */
const upsertMasterData = async (
  sql: Sql,
  { stations, cities, countries, carriers, equipment }: MasterDataTables,
  { report, log, isForced }: Pick<ImportMasterDataOptions, 'log'> & CheckOptions,
): Promise<void> => {
  await lockMasterData(sql);
  const locationRecords = matchStations(await listLocations(sql), stations);
  const carrierRecords = matchCarriers(await listCarriers(sql), carriers);
  const inUse = locationRecords.filter(({ rank }) => rank === RANK_IN_USE);
  const listed = carrierRecords.filter(({ facts }) => facts?.provenance['name'] === MAIN_CARRIER_SOURCE);
  const carriersBefore = { source: MAIN_CARRIER_SOURCE, rankBelow: RANK_REMOVED };
  const listings = [
    { kind: 'stations in use', before: await listStationIds(sql), now: toIds(inUse) },
    { kind: 'carriers', before: await listCarrierIdsNamedBy(sql, carriersBefore), now: toIds(listed) },
  ];
  checkRemovedRecords(listings, { report, isForced });
  await upsertCountries(sql, countries);
  const changedCities = await upsertCities(sql, cities);
  const changed = {
    locations: await upsertLocations(sql, locationRecords),
    carriers: await upsertCarriers(sql, carrierRecords),
    equipment: await upsertEquipment(sql, equipment),
  };
  // Schedule records contain no city.
  if (Object.values(changed).some((counts) => counts.added + counts.changed > 0)) await insertRecordsDue(sql);
  for (const [kind, counts] of Object.entries({ cities: changedCities, ...changed }))
    log(`${kind}: ${counts.added} added, ${counts.changed} changed`);
};

/** Computes the SHA-256 of each file, by its name. */
const hashFiles = async (
  dir: string,
  { required, optional, modelTypes }: MasterDataFiles,
): Promise<Readonly<Record<string, string>>> => {
  const files = [...Object.values(required), ...Object.values(optional), ...modelTypes].filter(
    (file) => file !== undefined,
  );
  const hashes = files.map(async ({ name }) => [name, await hashFile(join(dir, name))] as const);
  return Object.fromEntries(await Promise.all(hashes));
};

/** Records the load with its files, so that it is known which version of each is loaded. */
const recordLoad = async (sql: Sql, report: LoadReport, hashes: Readonly<Record<string, string>>): Promise<void> => {
  const sha256 = hash('sha256', JSON.stringify(hashes), 'hex');
  const loadId = await insertLoad(sql, { kind: 'master-data', source: report.source, sha256, carriers: [] });
  await updateLoadReport(sql, loadId, { ...report, files: hashes });
};

/**
 * Imports a directory of master data in one transaction. Rows keep their IDs; the only rows that are deleted are ICAO
 * type designators that a type with an IATA code has taken over. Throws FeedError, without changes, when a file is
 * missing, invalid or probably truncated.
 */
export const importMasterData = async ({
  sql,
  dir,
  log,
  isForced = false,
  onProgress,
}: ImportMasterDataOptions): Promise<LoadReport> => {
  const files = await findMasterDataFiles(dir);
  const report = createLoadReport(dir);
  for (const name of files.absent) {
    const message = 'An optional file is missing; its data are not available.';
    report.entries.push({ severity: 'notice', value: name, reason: 'optional-file-absent', message });
  }
  const steps = [files.required, files.optional, files.modelTypes]
    .flatMap((group) => Object.values(group))
    .filter((file) => file !== undefined).length;
  let step = 0;
  const reportFile: ReportFile = (file) => {
    onProgress?.({ file: file.name, step: ++step, steps });
    return file;
  };
  const tables = await rejectWithReport(report, readFiles(files, report, reportFile));
  await rejectWithReport(
    report,
    sql.begin(async (transaction) => {
      await upsertMasterData(transaction, tables, { report, log, isForced });
      countAccepted(report, 'cities', tables.cities.length);
      countAccepted(report, 'locations', tables.stations.length);
      countAccepted(report, 'carriers', tables.carriers.length);
      countAccepted(report, 'equipment', tables.equipment.length);
      await recordLoad(transaction, report, await hashFiles(dir, files));
    }),
  );
  return report;
};
