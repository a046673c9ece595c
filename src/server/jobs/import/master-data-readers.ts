import type { LoadReport } from '#feeds/load-report.ts';
import { readAircraft } from '#feeds/master-data/sources/aircraft.ts';
import { readAirlines, readOperators } from '#feeds/master-data/sources/airlines.ts';
import { readAirports } from '#feeds/master-data/sources/airports.ts';
import { readAllianceMembers } from '#feeds/master-data/sources/alliances.ts';
import { readCabinLetters } from '#feeds/master-data/sources/cabin-letters.ts';
import { readCountries, readWorldAreaCodes } from '#feeds/master-data/sources/countries.ts';
import { readStationSnapshot, readWithdrawnCodes } from '#feeds/master-data/sources/former-stations.ts';
import { readMetropolitanAreas } from '#feeds/master-data/sources/metropolitan-areas.ts';
import { readModelTypes } from '#feeds/master-data/sources/model-types.ts';
import { readPublicPoints, readReferencePoints } from '#feeds/master-data/sources/reference-points.ts';
import { readRegions } from '#feeds/master-data/sources/regions.ts';
import type { FeedFile } from '#feeds/text/csv-rows.ts';
import { findFileRole, type FileRole } from './master-data-files.ts';

const readers: Readonly<Record<FileRole, (file: FeedFile, report: LoadReport) => Promise<unknown>>> = {
  airports: readAirports,
  countries: readCountries,
  airlines: readAirlines,
  aircraft: readAircraft,
  areas: readMetropolitanAreas,
  bestKnown: readReferencePoints,
  allPoints: readPublicPoints,
  withdrawn: readWithdrawnCodes,
  snapshot: readStationSnapshot,
  regions: readRegions,
  operators: readOperators,
  modelTypes: (file, report) => readModelTypes([file], report),
  allianceMembers: readAllianceMembers,
  worldAreas: readWorldAreaCodes,
  cabinLetters: readCabinLetters,
};

/** Reads a master data file by the reader of its name, without a use of the result. Throws FeedError when it is another file. */
export const readMasterDataFile = async (file: FeedFile, report: LoadReport): Promise<void> => {
  const role = findFileRole(file.name);
  if (role === undefined) throw new Error(`${file.name} is not the name of a master data file`);
  await readers[role](file, report);
};
