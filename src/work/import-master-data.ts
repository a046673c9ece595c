import type { Carrier, Location } from '../domain/master-data.ts';
import { readAircraft } from '../feeds/master-data/aircraft.ts';
import { readAirlines, readOperators } from '../feeds/master-data/airlines.ts';
import { readAirports } from '../feeds/master-data/airports.ts';
import { readCityCodes, readMetropolitanAreas } from '../feeds/master-data/city-codes.ts';
import { readCountries } from '../feeds/master-data/countries.ts';
import { readRetiredStations, readStationSnapshot } from '../feeds/master-data/former-stations.ts';
import { joinStations, type RankedStation } from '../feeds/master-data/join-stations.ts';
import { rankCarriers, type RankedCarrier } from '../feeds/master-data/rank-carriers.ts';
import type { FeedFile } from '../feeds/master-data/csv-rows.ts';
import { countAccepted, newLoadReport, type LoadReport } from '../feeds/load-report.ts';
import { allCarriers, saveCarriers, type CarrierRecord } from '../store/carriers.ts';
import type { Database } from '../store/database.ts';
import { saveEquipment } from '../store/equipment.ts';
import { allLocations, saveLocations, type LocationRecord } from '../store/locations.ts';
import { lockMasterData } from '../store/master-data-changes.ts';
import { recogniseIds, type Recognition } from './known-ids.ts';
import { findMasterDataFiles, type MasterDataFiles } from './master-data-files.ts';

export type ImportMasterData = {
  readonly sql: Database;
  /** The directory with the files of `findMasterDataFiles`. */
  readonly dir: string;
  readonly log: (line: string) => void;
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
  const retired = await read(optional.retired, readRetiredStations, []);
  const cityCodes = await read(optional.cityCodes, readCityCodes, new Map());
  const metropolitanAreas = await read(optional.metropolitanAreas, readMetropolitanAreas, new Map());
  const airlines = await readAirlines(announce(required.airlines), report);
  const operators = await read(optional.operators, readOperators, []);
  const equipment = await readAircraft(announce(required.aircraft), report);
  return {
    stations: joinStations({ airports, snapshot, retired, cityCodes, metropolitanAreas, countries }, report),
    carriers: rankCarriers(airlines, operators, report),
    equipment,
  };
};

type AnyStation = Pick<Location, 'iata' | 'icao' | 'faa'>;
type AnyCarrier = Pick<Carrier, 'iata' | 'icao' | 'name'>;

const alike = <Item>(keyOf: (item: Item) => string): Recognition<Item, Item> => ({ known: keyOf, record: keyOf });

/** A row with an IATA code keeps it: flights were filed under it. Only rows without one are recognised by lesser codes. */
const stationWays: readonly Recognition<AnyStation, AnyStation>[] = [
  alike(({ iata, icao, faa }) => [iata, icao, faa].join('/')),
  alike(({ iata }) => iata),
  { known: ({ iata, icao }) => (iata === '' ? icao : ''), record: ({ icao }) => icao },
  { known: ({ iata, icao, faa }) => (iata === '' && icao === '' ? faa : ''), record: ({ faa }) => faa },
];

const carrierWays: readonly Recognition<AnyCarrier, AnyCarrier>[] = [
  alike(({ iata, icao, name }) => [iata, icao, name].join('/')),
  alike(({ iata, icao }) => (iata === '' || icao === '' ? '' : [iata, icao].join('/'))),
  { known: ({ iata, icao }) => (icao === '' ? iata : ''), record: ({ iata }) => iata },
  { known: ({ iata, icao }) => (iata === '' ? icao : ''), record: ({ icao }) => icao },
];

const NO_LONGER_LISTED = 3;

/** Locations that the files no longer list answer after those that now have one of their codes. */
const recogniseStations = (
  known: readonly Location[],
  stations: readonly RankedStation[],
): readonly LocationRecord[] => {
  const { records, left } = recogniseIds(known, stations, stationWays);
  const codes = new Set(stations.flatMap(({ iata, icao, faa }) => [iata, icao, faa]));
  codes.delete('');
  const outlived = left.filter(({ iata, icao, faa }) => codes.has(iata) || codes.has(icao) || codes.has(faa));
  return [...records, ...outlived.map((location) => ({ ...location, rank: NO_LONGER_LISTED }))];
};

/** Carriers that the files no longer list answer after those that now have their IATA code. */
const recogniseCarriers = (known: readonly Carrier[], carriers: readonly RankedCarrier[]): readonly CarrierRecord[] => {
  const { records, left } = recogniseIds(known, carriers, carrierWays);
  const owners = Map.groupBy(carriers, ({ iata }) => iata);
  owners.delete('');
  const outlived = left.filter(({ iata }) => owners.has(iata));
  return [
    ...records,
    ...outlived.map((carrier) => ({ ...carrier, rank: (owners.get(carrier.iata)?.length ?? 0) + 1 })),
  ];
};

/**
 * Reads a directory of master data and brings locations, carriers and equipment up to date, all or nothing. Rows keep their
 * ids from one import to the next; none is ever removed. Throws FeedError when a file is missing or is not what its name
 * says, and then nothing has changed.
 */
export const importMasterData = async ({ sql, dir, log, onProgress }: ImportMasterData): Promise<LoadReport> => {
  const files = await findMasterDataFiles(dir);
  const report = newLoadReport(dir);
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
  const { stations, carriers, equipment } = await readFiles(files, report, announce);

  await sql.begin(async (transaction) => {
    await lockMasterData(transaction);
    const saved = {
      locations: await saveLocations(transaction, recogniseStations(await allLocations(transaction), stations)),
      carriers: await saveCarriers(transaction, recogniseCarriers(await allCarriers(transaction), carriers)),
      equipment: await saveEquipment(transaction, equipment),
    };
    for (const [kind, { added, changed }] of Object.entries(saved)) log(`${kind}: ${added} added, ${changed} changed`);
  });
  countAccepted(report, 'locations', stations.length);
  countAccepted(report, 'carriers', carriers.length);
  countAccepted(report, 'equipment', equipment.length);
  return report;
};
