import type { Carrier, Location } from '../../domain/master-data/master-data.ts';
import { FeedError } from '../../feeds/feed-error.ts';
import { countAccepted, type LoadReport, createLoadReport } from '../../feeds/load-report.ts';
import { describeCarriers, type DescribedCarrier } from '../../feeds/master-data/join/carriers/describe-carriers.ts';
import { joinEquipment } from '../../feeds/master-data/join/equipment/join-equipment.ts';
import { joinStations } from '../../feeds/master-data/join/stations/join-stations.ts';
import { RANK_IN_USE, type RankedStation } from '../../feeds/master-data/join/stations/merge-listing.ts';
import { readAircraft } from '../../feeds/master-data/sources/aircraft.ts';
import { readAirlines, readOperators } from '../../feeds/master-data/sources/airlines.ts';
import { readAirports } from '../../feeds/master-data/sources/airports.ts';
import { readAllianceMembers } from '../../feeds/master-data/sources/alliances.ts';
import { readReferencePoints } from '../../feeds/master-data/sources/reference-points.ts';
import { readCountries, readWorldAreaCodes } from '../../feeds/master-data/sources/countries.ts';
import type { FeedFile } from '../../feeds/text/csv-table.ts';
import { readStationSnapshot, readWithdrawnCodes } from '../../feeds/master-data/sources/former-stations.ts';
import { readMetropolitanAreas } from '../../feeds/master-data/sources/metropolitan-areas.ts';
import { readModelTypes } from '../../feeds/master-data/sources/model-types.ts';
import { noRegions, readRegions } from '../../feeds/master-data/sources/regions.ts';
import {
  listCarriers,
  type CarrierUpdate,
  listCarrierIdsNamedBy,
  upsertCarriers,
} from '../../store/master-data/carriers.ts';
import { upsertCities } from '../../store/master-data/cities.ts';
import { upsertCountries } from '../../store/master-data/countries.ts';
import { upsertEquipment } from '../../store/master-data/equipment.ts';
import {
  listLocations,
  type LocationUpdate,
  listStationIds,
  upsertLocations,
} from '../../store/master-data/locations.ts';
import { lockMasterData } from '../../store/master-data/master-data-changes.ts';
import type { Database } from '../../store/pool/database.ts';
import { insertRecordsDue } from '../../store/schedules/schedule-records.ts';
import { findMasterDataFiles, type MasterDataFiles } from './master-data-files.ts';
import { type IdMatchRule, matchIds } from './match-ids.ts';

/** Records of one kind: those that the main list of the last load had, and those that it has now, by their ids. */
type ListedRecords = {
  readonly kind: string;
  readonly before: readonly number[];
  readonly now: ReadonlySet<number | undefined>;
};

/** A list loses some records a month. One that loses more than a twentieth has been cut off more likely than not. */
const MOST_GONE_SHARE = 0.05;
/** So few may go from a small store without a word. */
const MOST_GONE = 20;

/**
 * Reports how many records the main lists have no longer. Throws FeedError when these are more than 5 % of a kind, and more
 * than 20, unless it is said to be meant: a file that was cut off is a table like any other.
 */
const checkRemovedRecords = (
  listings: readonly ListedRecords[],
  { report, isMeant }: { readonly report: LoadReport; readonly isMeant: boolean },
): void => {
  for (const { kind, before, now } of listings) {
    const gone = before.filter((id) => !now.has(id)).length;
    if (gone === 0) continue;
    if (!isMeant && gone > MOST_GONE && gone > before.length * MOST_GONE_SHARE) {
      const message = `${gone} of ${before.length} ${kind} would be listed no longer, which is more than 5 %: is a file cut off? With --force it is loaded all the same`;
      throw new FeedError(message, { value: String(gone), reason: 'too-many-gone' });
    }
    const message = `So many of ${before.length} ${kind} are in the main list no longer. They stay, and answer where nobody else has their code.`;
    report.entries.push({ severity: 'notice', field: kind, value: String(gone), reason: 'no-longer-listed', message });
  }
};

export type ImportMasterDataOptions = {
  readonly sql: Database;
  /** The directory with the files of `findMasterDataFiles`. */
  readonly dir: string;
  readonly log: (line: string) => void;
  /** Loads files that lack more than 5 % of what the last ones had, which are refused otherwise. */
  readonly isForced?: boolean;
  /** Called before each file is read. */
  readonly onProgress?: (progress: { readonly file: string; readonly step: number; readonly steps: number }) => void;
};

type Announce = (file: FeedFile) => FeedFile;

/** Reads all files, one after the other: together they would only wait for the same processor. */
const readFiles = async ({ required, optional }: MasterDataFiles, report: LoadReport, announce: Announce) => {
  const read = async <Result>(
    file: FeedFile | undefined,
    reader: (file: FeedFile, report: LoadReport) => Promise<Result>,
    otherwise: Result,
  ): Promise<Result> => (file ? reader(announce(file), report) : otherwise);

  const countries = await readCountries(announce(required.countries), report);
  const airports = await readAirports(announce(required.airports), report);
  const snapshot = await read(optional.snapshot, readStationSnapshot, []);
  const withdrawn = await read(optional.withdrawn, readWithdrawnCodes, { stations: [], cityNames: new Map() });
  const bestKnown = await read(optional.bestKnown, readReferencePoints, { stations: new Map(), cities: new Map() });
  const areas = await read(optional.areas, readMetropolitanAreas, new Map());
  const regions = await read(optional.regions, readRegions, noRegions);
  const airlines = await readAirlines(announce(required.airlines), report);
  const operators = await read(optional.operators, readOperators, []);
  const members = await read(optional.allianceMembers, readAllianceMembers, []);
  const worldAreas = await read(optional.worldAreas, readWorldAreaCodes, new Map());
  const aircraft = await readAircraft(announce(required.aircraft), report);
  const designators = await read(optional.modelTypes, readModelTypes, new Map());
  const { stations, cities } = joinStations(
    { airports, snapshot, withdrawnCodes: withdrawn, referencePoints: bestKnown, areas, countries, regions },
    report,
  );
  const countryByStation = new Map(
    stations.filter(({ rank }) => rank === RANK_IN_USE).map((station) => [station.iata, station.countryCode]),
  );
  const countryOf = (station: string): string | undefined => countryByStation.get(station);
  return {
    stations,
    cities,
    countries,
    carriers: describeCarriers({ airlines, operators, members, worldAreas, findCountry: countryOf }, report),
    equipment: joinEquipment({ aircraft, designators }, report),
  };
};

type AnyStation = Pick<Location, 'iata' | 'icao' | 'faa' | 'name'>;
type AnyCarrier = Pick<Carrier, 'iata' | 'icao' | 'name'>;

const alike = <Item>(keyOf: (item: Item) => string): IdMatchRule<Item, Item> => ({ known: keyOf, record: keyOf });

/** A row with an IATA code keeps it: flights were filed under it. Only rows without one are recognised by lesser codes. */
const stationWays: readonly IdMatchRule<AnyStation, AnyStation>[] = [
  // Several former owners of a code may have no other code.
  alike(({ iata, icao, faa, name }) => [iata, icao, faa, name].join('/')),
  alike(({ iata, icao, faa }) => [iata, icao, faa].join('/')),
  alike(({ iata }) => iata),
  { known: ({ iata, icao }) => (iata === '' ? icao : ''), record: ({ icao }) => icao },
  { known: ({ iata, icao, faa }) => (iata === '' && icao === '' ? faa : ''), record: ({ faa }) => faa },
];

const carrierWays: readonly IdMatchRule<AnyCarrier, AnyCarrier>[] = [
  alike(({ iata, icao, name }) => [iata, icao, name].join('/')),
  alike(({ iata, icao }) => (iata === '' || icao === '' ? '' : [iata, icao].join('/'))),
  { known: ({ iata, icao }) => (icao === '' ? iata : ''), record: ({ iata }) => iata },
  { known: ({ iata, icao }) => (iata === '' ? icao : ''), record: ({ icao }) => icao },
];

/** The source of the names of carriers in the list that a load cannot do without. */
const MAIN_LIST_OF_CARRIERS = 'optd-airlines';

/** After every place that the files have, former owners included: no code has so many. */
const NO_LONGER_LISTED = 99;

/** Locations that the files no longer list answer after those that have one of their codes. */
const recogniseStations = (
  known: readonly Location[],
  stations: readonly RankedStation[],
): readonly LocationUpdate[] => {
  const { records, left } = matchIds(known, stations, stationWays);
  return [...records, ...left.map((location) => ({ ...location, rank: NO_LONGER_LISTED }))];
};

/** Carriers that the files no longer list answer after those that have one of their codes. */
const recogniseCarriers = (
  known: readonly Carrier[],
  carriers: readonly DescribedCarrier[],
): readonly CarrierUpdate[] => {
  const { records, left } = matchIds(known, carriers, carrierWays);
  return [...records, ...left.map((carrier) => ({ ...carrier, rank: NO_LONGER_LISTED }))];
};

const idsOf = (records: readonly { readonly id?: number | undefined }[]): ReadonlySet<number | undefined> =>
  new Set(records.map(({ id }) => id));

/**
 * Reads a directory of master data and brings locations, carriers and equipment up to date, all or nothing. Rows keep their
 * ids from one import to the next; none is removed but an ICAO type designator that a type with an IATA code has taken over.
 * Throws FeedError when a file is missing, is not what its name says or lacks much of what the last one had, and then nothing
 * has changed.
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
    const message = 'An optional file is not there; what only it tells is left out.';
    report.entries.push({ severity: 'notice', value: name, reason: 'optional-file-absent', message });
  }
  const steps = [files.required, files.optional]
    .flatMap((group) => Object.values(group))
    .filter((file) => file !== undefined).length;
  let step = 0;
  const announce: Announce = (file) => {
    onProgress?.({ file: file.name, step: ++step, steps });
    return file;
  };
  const { stations, cities, countries, carriers, equipment } = await readFiles(files, report, announce);

  await sql.begin(async (transaction) => {
    await lockMasterData(transaction);
    const locationRecords = recogniseStations(await listLocations(transaction), stations);
    const carrierRecords = recogniseCarriers(await listCarriers(transaction), carriers);
    const inUse = locationRecords.filter(({ rank }) => rank === RANK_IN_USE);
    const listed = carrierRecords.filter(({ facts }) => facts?.provenance['name'] === MAIN_LIST_OF_CARRIERS);
    const listings = [
      { kind: 'stations in use', before: await listStationIds(transaction), now: idsOf(inUse) },
      {
        kind: 'carriers',
        before: await listCarrierIdsNamedBy(transaction, {
          source: MAIN_LIST_OF_CARRIERS,
          rankBelow: NO_LONGER_LISTED,
        }),
        now: idsOf(listed),
      },
    ];
    checkRemovedRecords(listings, { report, isMeant: isForced });
    await upsertCountries(transaction, countries);
    const savedCities = await upsertCities(transaction, cities);
    const ofFlights = {
      locations: await upsertLocations(transaction, locationRecords),
      carriers: await upsertCarriers(transaction, carrierRecords),
      equipment: await upsertEquipment(transaction, equipment),
    };
    // Schedule records show nothing of cities.
    if (Object.values(ofFlights).some(({ added, changed }) => added + changed > 0)) await insertRecordsDue(transaction);
    for (const [kind, { added, changed }] of Object.entries({ cities: savedCities, ...ofFlights }))
      log(`${kind}: ${added} added, ${changed} changed`);
  });
  countAccepted(report, 'cities', cities.length);
  countAccepted(report, 'locations', stations.length);
  countAccepted(report, 'carriers', carriers.length);
  countAccepted(report, 'equipment', equipment.length);
  return report;
};
