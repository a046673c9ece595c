import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FeedError } from '#feeds/feed-error.ts';
import type { FeedFile } from '#feeds/text/csv-rows.ts';

/**
 * The files of a master data directory by role. Each may be plain or gzip, with `.gz` after its name. The names are those under which
 * `sources fetch` stores published files.
 */
const files = {
  airports: { pattern: /^airportsdata_airports\.csv$/, shownAs: 'airportsdata_airports.csv', isRequired: true },
  countries: { pattern: /^ourairports_countries\.csv$/, shownAs: 'ourairports_countries.csv', isRequired: true },
  airlines: { pattern: /^optd_airlines\.csv$/, shownAs: 'optd_airlines.csv', isRequired: true },
  aircraft: { pattern: /^optd_aircraft\.csv$/, shownAs: 'optd_aircraft.csv', isRequired: true },
  areas: {
    pattern: /^airportsdata_iata_macs\.csv$/,
    shownAs: 'airportsdata_iata_macs.csv',
    isRequired: false,
  },
  bestKnown: {
    pattern: /^optd_por_best_known_so_far\.csv$/,
    shownAs: 'optd_por_best_known_so_far.csv',
    isRequired: false,
  },
  allPoints: { pattern: /^optd_por_public_all\.csv$/, shownAs: 'optd_por_public_all.csv', isRequired: false },
  withdrawn: { pattern: /^optd_por_no_longer_valid\.csv$/, shownAs: 'optd_por_no_longer_valid.csv', isRequired: false },
  snapshot: {
    pattern: /^ourairports_(?:\d{4}-\d{2}-\d{2}_airports_iata_subset|airports)\.csv$/,
    shownAs: 'ourairports_airports.csv',
    isRequired: false,
  },
  regions: { pattern: /^ourairports_regions\.csv$/, shownAs: 'ourairports_regions.csv', isRequired: false },
  operators: { pattern: /^vrs_airlines\.csv$/, shownAs: 'vrs_airlines.csv', isRequired: false },
  modelTypes: { pattern: /^vrs_model_types(?:_[A-Z-])?\.csv$/, shownAs: 'vrs_model_types.csv', isRequired: false },
  allianceMembers: {
    pattern: /^optd_airline_alliance_membership\.csv$/,
    shownAs: 'optd_airline_alliance_membership.csv',
    isRequired: false,
  },
  worldAreas: { pattern: /^optd_usdot_wac\.csv$/, shownAs: 'optd_usdot_wac.csv', isRequired: false },
  cabinLetters: { pattern: /^cabin_letters\.csv$/, shownAs: 'cabin_letters.csv', isRequired: false },
} as const;

/** What a file of a master data directory contains. */
export type FileRole = keyof typeof files;
// The type of Object.keys does not keep the keys.
const roles = Object.keys(files) as FileRole[];
type RequiredRole = { [Role in FileRole]: (typeof files)[Role]['isRequired'] extends true ? Role : never }[FileRole];

export type MasterDataFiles = {
  readonly required: Readonly<Record<RequiredRole, FeedFile>>;
  readonly optional: Readonly<Partial<Record<Exclude<FileRole, RequiredRole | 'modelTypes'>, FeedFile>>>;
  /** One file, or one for each first letter of the designator. */
  readonly modelTypes: readonly FeedFile[];
  /** Names of the missing optional files. */
  readonly absent: readonly string[];
};

const matchesRole = (role: FileRole, name: string): boolean => files[role].pattern.test(name.replace(/\.gz$/, ''));

/** Finds what a file contains by its name. */
export const findFileRole = (name: string): FileRole | undefined => roles.find((role) => matchesRole(role, name));

const openFile = (dir: string, name: string): FeedFile => {
  const path = `${dir}/${name}`;
  // The pipeline passes a read error to its last stream, where the reader receives it; the callback has nothing to add.
  const bytes = (): AsyncIterable<Uint8Array> =>
    name.endsWith('.gz') ? pipeline(createReadStream(path), createGunzip(), () => {}) : createReadStream(path);
  // The file is opened when it is first read, so that no file stays open after an earlier error.
  return { name, bytes: { [Symbol.asyncIterator]: () => bytes()[Symbol.asyncIterator]() } };
};

const formatNames = (isRequired: boolean): string =>
  Object.values(files)
    .filter((file) => file.isRequired === isRequired)
    .map(({ shownAs }) => shownAs)
    .join(', ');

/**
 * Finds the files of a master data directory. Throws FeedError when the directory cannot be read, has a file twice, or
 * lacks a required file; the error names all missing files.
 */
export const findMasterDataFiles = async (dir: string): Promise<MasterDataFiles> => {
  const names = await readdir(dir).catch((error: unknown) => {
    throw new FeedError(`the directory ${dir} cannot be read`, {
      value: dir,
      reason: 'no-such-directory',
      cause: error,
    });
  });
  const copiesOf = (role: FileRole): readonly string[] => names.filter((name) => matchesRole(role, name));
  const rejectBoth = (one: string | undefined, other: string | undefined): void => {
    if (one === undefined || other === undefined) return;
    throw new FeedError(`${dir} contains both ${one} and ${other}; remove one of them`, {
      value: one,
      reason: 'two-copies',
    });
  };
  const findAll = (role: FileRole): readonly string[] => {
    const copies = copiesOf(role).toSorted();
    const twice = copies.find((name) => copies.includes(`${name}.gz`));
    rejectBoth(twice, twice && `${twice}.gz`);
    return copies;
  };
  const find = (role: FileRole): FeedFile | undefined => {
    // Of several dated copies, the latest is used, and before them the one without a date.
    const name = findAll(role).at(-1);
    return name === undefined ? undefined : openFile(dir, name);
  };
  const isAbsent = (role: FileRole): boolean => copiesOf(role).length === 0;
  const absent = (isRequired: boolean): readonly string[] =>
    roles
      .filter((role) => files[role].isRequired === isRequired && isAbsent(role))
      // Both lists have the same points.
      .filter((role) => role !== 'allPoints' && (role !== 'bestKnown' || isAbsent('allPoints')))
      .map((role) => files[role].shownAs);

  const [airports, countries, airlines, aircraft] = [
    find('airports'),
    find('countries'),
    find('airlines'),
    find('aircraft'),
  ];
  if (!airports || !countries || !airlines || !aircraft) {
    throw new FeedError(
      `${dir} does not contain ${absent(true).join(', ')}. Required files: ${formatNames(true)}; optional files: ${formatNames(false)}. Each can be compressed with gzip.`,
      { value: dir, reason: 'missing-files' },
    );
  }
  const optional = {
    areas: find('areas'),
    bestKnown: find('bestKnown'),
    allPoints: find('allPoints'),
    withdrawn: find('withdrawn'),
    regions: find('regions'),
    snapshot: find('snapshot'),
    operators: find('operators'),
    allianceMembers: find('allianceMembers'),
    worldAreas: find('worldAreas'),
    cabinLetters: find('cabinLetters'),
  };
  rejectBoth(optional.bestKnown?.name, optional.allPoints?.name);
  const modelTypes = findAll('modelTypes');
  if (modelTypes.length > 1)
    rejectBoth(
      modelTypes.find((name) => /^vrs_model_types\.csv/.test(name)),
      modelTypes.find((name) => /^vrs_model_types_/.test(name)),
    );
  return {
    required: { airports, countries, airlines, aircraft },
    optional,
    modelTypes: modelTypes.map((name) => openFile(dir, name)),
    absent: absent(false),
  };
};
