import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FeedError } from '#feeds/feed-error.ts';
import type { FeedFile } from '#feeds/text/csv-rows.ts';

/** The files of a master data directory by role. Each may be plain or gzip, with `.gz` after its name. */
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
  withdrawn: { pattern: /^optd_por_no_longer_valid\.csv$/, shownAs: 'optd_por_no_longer_valid.csv', isRequired: false },
  snapshot: {
    pattern: /^ourairports_\d{4}-\d{2}-\d{2}_airports_iata_subset\.csv$/,
    shownAs: 'ourairports_<date>_airports_iata_subset.csv',
    isRequired: false,
  },
  regions: { pattern: /^ourairports_regions\.csv$/, shownAs: 'ourairports_regions.csv', isRequired: false },
  operators: { pattern: /^vrs_airlines\.csv$/, shownAs: 'vrs_airlines.csv', isRequired: false },
  modelTypes: { pattern: /^vrs_model_types\.csv$/, shownAs: 'vrs_model_types.csv', isRequired: false },
  allianceMembers: {
    pattern: /^optd_airline_alliance_membership\.csv$/,
    shownAs: 'optd_airline_alliance_membership.csv',
    isRequired: false,
  },
  worldAreas: { pattern: /^optd_usdot_wac\.csv$/, shownAs: 'optd_usdot_wac.csv', isRequired: false },
  cabinLetters: { pattern: /^cabin_letters\.csv$/, shownAs: 'cabin_letters.csv', isRequired: false },
} as const;

export type FileRole = keyof typeof files;
type RequiredRole = { [Role in FileRole]: (typeof files)[Role]['isRequired'] extends true ? Role : never }[FileRole];

export type MasterDataFiles = {
  readonly required: Readonly<Record<RequiredRole, FeedFile>>;
  readonly optional: Readonly<Partial<Record<Exclude<FileRole, RequiredRole>, FeedFile>>>;
  /** Names of the missing optional files. */
  readonly absent: readonly string[];
};

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
  const copiesOf = ({ pattern }: (typeof files)[FileRole]): readonly string[] =>
    names.filter((name) => pattern.test(name.replace(/\.gz$/, '')));
  const find = (role: FileRole): FeedFile | undefined => {
    // Of several dated copies, the latest is used.
    const copies = copiesOf(files[role]).toSorted();
    const twice = copies.find((name) => copies.includes(`${name}.gz`));
    if (twice !== undefined)
      throw new FeedError(`${dir} contains both ${twice} and ${twice}.gz; remove one of them`, {
        value: twice,
        reason: 'two-copies',
      });
    const name = copies.at(-1);
    return name === undefined ? undefined : openFile(dir, name);
  };
  const absent = (isRequired: boolean): readonly string[] =>
    Object.values(files)
      .filter((file) => file.isRequired === isRequired && copiesOf(file).length === 0)
      .map(({ shownAs }) => shownAs);

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
    withdrawn: find('withdrawn'),
    regions: find('regions'),
    snapshot: find('snapshot'),
    operators: find('operators'),
    modelTypes: find('modelTypes'),
    allianceMembers: find('allianceMembers'),
    worldAreas: find('worldAreas'),
    cabinLetters: find('cabinLetters'),
  };
  return { required: { airports, countries, airlines, aircraft }, optional, absent: absent(false) };
};
