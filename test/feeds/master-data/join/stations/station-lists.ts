import { createLoadReport } from '#feeds/load-report.ts';
import type { ZoneBoundaries } from '#feeds/master-data/boundaries/zone-boundaries.ts';
import type { CityPoint } from '#feeds/master-data/sources/reference-points.ts';
import { joinStations } from '#feeds/master-data/join/stations/join-stations.ts';
import type { StationSources } from '#feeds/master-data/join/stations/recode-stations.ts';
import type { RankedStation } from '#feeds/master-data/join/stations/merge-listing.ts';
import { noRegions, type RegionIndex } from '#feeds/master-data/sources/regions.ts';
import type { Station } from '#feeds/master-data/sources/station.ts';

export const at = (latitude: number, longitude: number) => ({ latitude, longitude });

const texts = { iata: '', icao: '', faa: '', name: '', cityCode: '', countryCode: '', cityName: '' };
export const unknownStation: Station = {
  ...texts,
  latitude: undefined,
  longitude: undefined,
  zone: undefined,
  type: '',
  source: 'airportsdata',
  region: { code: '', name: '' },
  validity: { from: '', to: '' },
};
/** Builds a station of the list of airports in use, by default north of Bismarck. */
const usual = { ...unknownStation, ...at(48, -103), countryCode: 'US' };
export const buildStation = (fields: Partial<Station>): Station => ({ ...usual, ...fields });
export const buildSnapshotStation = (fields: Partial<Station>) =>
  buildStation({ type: 'Airport', ...fields, source: 'ourairports' });
/** Builds a point of reference, by default an airport. */
export const buildReferencePoint = (fields: Partial<Station>) =>
  buildStation({ type: 'Airport', countryCode: '', ...fields, source: 'optd-por' });
export const buildWithdrawnStation = (to: string, fields: Partial<Station>) =>
  buildStation({ type: 'Airport', ...fields, source: 'optd-por', validity: { from: '', to } });

const named = (iata: string, name: string, zone: string) =>
  buildStation({ iata, icao: `K${iata}`, faa: iata, name, cityName: name, zone });
export const bismarck = { ...named('BIS', 'Bismarck', 'America/Chicago'), ...at(46.77, -100.74) };
export const billings = { ...named('BIL', 'Billings', 'America/Denver'), ...at(45.8, -108.54) };

/** Lists to join; by default there are two airports in use. */
export type ListsToJoin = Partial<Omit<StationSources, 'referencePoints' | 'withdrawnCodes' | 'boundaries'>> & {
  /** The zones at a position; by default all is open sea. */
  readonly zonesAt?: ZoneBoundaries['listZones'];
  readonly points?: readonly Station[];
  readonly cities?: readonly (Omit<CityPoint, 'since'> & { readonly since?: string })[];
  readonly withdrawn?: readonly Station[];
  readonly cityNames?: ReadonlyMap<string, string>;
};

/** Joins the lists; `conflicts` are all remarks except the counts of missing facts. */
export const joinLists = ({ points = [], cities = [], withdrawn = [], cityNames, zonesAt, ...fields }: ListsToJoin) => {
  const report = createLoadReport('test');
  const joined = joinStations(
    {
      airports: [billings, bismarck],
      snapshot: [],
      areas: new Map(),
      regions: noRegions,
      boundaries: { date: '2026-09-16', listZones: zonesAt ?? (() => []) },
      referencePoints: {
        stations: new Map(points.map((station) => [station.iata, station])),
        cities: new Map(cities.map((city) => [city.code, { since: '', ...city }])),
      },
      withdrawnCodes: { stations: withdrawn, cityNames: cityNames ?? new Map() },
      countries: new Map(['US', 'KZ', 'MC', 'TR', 'DE', 'CH', 'PK', 'QA'].map((code) => [code, code])),
      ...fields,
    },
    report,
  );
  const conflicts = report.entries.filter(({ reason }) => !/^station-(without|named)-/.test(reason));
  return { ...joined, entries: report.entries, conflicts };
};

export const findStation = (stations: readonly RankedStation[], iata: string) =>
  stations.find((station) => station.iata === iata);
/** Returns the stations of an IATA code as `IST/LTFM 1 2019-04-06..`: codes, rank and dates. */
export const listOwners = (stations: readonly RankedStation[], code: string): readonly string[] =>
  stations
    .filter(({ iata }) => iata === code)
    .map(({ iata, icao, rank, facts: { validity } }) => `${iata}/${icao} ${rank} ${validity.from}..${validity.to}`);
/** Builds regions; those with a code have it as their name. */
export const buildRegions = (codes: readonly string[], byName: Readonly<Record<string, string>> = {}): RegionIndex => ({
  findByCode: (code) => (codes.includes(code) ? { code, name: code } : undefined),
  findByName: (country, name) => {
    const code = byName[`${country} ${name}`];
    return code === undefined ? undefined : { code, name };
  },
});
export const formatReasons = (entries: readonly { reason: string; value: string }[]) =>
  entries.map(({ reason, value }) => `${reason} ${value}`);
