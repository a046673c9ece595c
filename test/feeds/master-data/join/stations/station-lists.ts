import { createLoadReport } from '../../../../../src/feeds/load-report.ts';
import type { CityPoint } from '../../../../../src/feeds/master-data/sources/reference-points.ts';
import { joinStations, type StationSources } from '../../../../../src/feeds/master-data/join/stations/join-stations.ts';
import type { RankedStation } from '../../../../../src/feeds/master-data/join/stations/merge-listing.ts';
import { noRegions } from '../../../../../src/feeds/master-data/sources/regions.ts';
import type { Station } from '../../../../../src/feeds/master-data/sources/station.ts';

const nothing = { from: '', to: '' };

/** A station of the list of airports in use, north of Bismarck unless given elsewhere. */
export const station = (given: Partial<Station>): Station => ({
  iata: '',
  icao: '',
  faa: '',
  name: '',
  cityCode: '',
  countryCode: 'US',
  latitude: 48,
  longitude: -103,
  zone: undefined,
  type: '',
  cityName: '',
  region: { code: '', name: '' },
  validity: nothing,
  source: 'airportsdata',
  ...given,
});
/** One of the older list. */
export const older = (given: Partial<Station>) => station({ type: 'Airport', ...given, source: 'ourairports' });
/** One of the points of reference: an airport unless told otherwise. */
export const point = (given: Partial<Station>) =>
  station({ type: 'Airport', countryCode: '', ...given, source: 'optd-por' });
/** One that lost its code on a day. */
export const left = (to: string, given: Partial<Station>) =>
  station({ type: 'Airport', ...given, source: 'optd-por', validity: { from: '', to } });

export const bismarck = station({
  iata: 'BIS',
  icao: 'KBIS',
  faa: 'BIS',
  name: 'Bismarck',
  cityName: 'Bismarck',
  latitude: 46.77,
  longitude: -100.74,
  zone: 'America/Chicago',
});
export const billings = station({
  iata: 'BIL',
  icao: 'KBIL',
  faa: 'BIL',
  name: 'Billings',
  cityName: 'Billings',
  latitude: 45.8,
  longitude: -108.54,
  zone: 'America/Denver',
});

/** Lists to be joined, as far as a test has them: two airports in use unless it has others. */
export type Given = Partial<Omit<StationSources, 'bestKnown' | 'withdrawn'>> & {
  readonly points?: readonly Station[];
  readonly cities?: readonly (Omit<CityPoint, 'since'> & { readonly since?: string })[];
  readonly withdrawn?: readonly Station[];
  readonly cityNames?: ReadonlyMap<string, string>;
};

/** Joins the lists given; `conflicts` are all remarks but the counts of what is missing. */
export const join = ({ points = [], cities = [], withdrawn = [], cityNames = new Map(), ...given }: Given) => {
  const report = createLoadReport('test');
  const joined = joinStations(
    {
      airports: [billings, bismarck],
      snapshot: [],
      areas: new Map(),
      regions: noRegions,
      referencePoints: {
        stations: new Map(points.map((found) => [found.iata, found])),
        cities: new Map(cities.map((city) => [city.code, { since: '', ...city }])),
      },
      withdrawnCodes: { stations: withdrawn, cityNames },
      countries: new Map(['US', 'KZ', 'MC', 'TR', 'DE', 'CH', 'PK', 'QA'].map((code) => [code, code])),
      ...given,
    },
    report,
  );
  const conflicts = report.entries.filter(({ reason }) => !/^station-(without|named)-/.test(reason));
  return { ...joined, entries: report.entries, conflicts };
};

/** The first station of a code. */
export const find = (stations: readonly RankedStation[], iata: string) => stations.find((found) => found.iata === iata);
/** The places of an IATA or ICAO code: codes, rank and dates. */
export const owners = (stations: readonly RankedStation[], code: string) =>
  stations
    .filter(({ iata, icao }) => iata === code || icao === code)
    .map(({ iata, icao, rank, facts }) => [`${iata}/${icao}`, rank, facts.validity.from, facts.validity.to]);
/** Remarks in short. */
export const reasons = (entries: readonly { reason: string; value: string }[]) =>
  entries.map(({ reason, value }) => `${reason} ${value}`);
