import { addDays, formatDate, localDate } from '#domain/time/dates.ts';
import type { LoadReport } from '#feeds/load-report.ts';
import type { ZoneBoundaries } from '#feeds/master-data/boundaries/zone-boundaries.ts';
import type { WithdrawnCodes } from '#feeds/master-data/sources/former-stations.ts';
import type { AreasByAirport } from '#feeds/master-data/sources/metropolitan-areas.ts';
import type { ReferencePoints } from '#feeds/master-data/sources/reference-points.ts';
import type { RegionIndex } from '#feeds/master-data/sources/regions.ts';
import { computeMetres, type Station } from '#feeds/master-data/sources/station.ts';

/** The lists of stations to join. */
export type StationSources = {
  /** Airports in use, with zones. */
  readonly airports: readonly Station[];
  /** An older list of stations without zones. */
  readonly snapshot: readonly Station[];
  readonly withdrawnCodes: WithdrawnCodes;
  readonly referencePoints: ReferencePoints;
  readonly areas: AreasByAirport;
  /** Names of the countries that exist, by their codes. */
  readonly countries: ReadonlyMap<string, string>;
  readonly regions: RegionIndex;
  readonly boundaries: ZoneBoundaries;
};

/** An airport in use that received a new IATA code, while the list of airports still has the former one. */
type CodeChange = { readonly airport: Station; readonly former: Station; readonly present: Station };

/**
 * Finds airports with a new code: the points of reference have two airports at one position, one of them with the day since which it has its
 * code, and the list of airports has only the other code. Areas of several airports have no such day.
 */
const findCodeChanges = ({ airports, referencePoints }: StationSources): readonly CodeChange[] => {
  const byCode = new Map(airports.map((airport) => [airport.iata, airport]));
  const points = [...referencePoints.stations.values()].filter(({ type }) => type === 'Airport');
  const byPosition = Map.groupBy(points, ({ latitude, longitude }) => `${latitude} ${longitude}`);
  return points.flatMap((present): readonly CodeChange[] => {
    const since = present.validity.from;
    if (since === '' || byCode.has(present.iata)) return [];
    const former = (byPosition.get(`${present.latitude} ${present.longitude}`) ?? []).find(
      (point) => point.validity.from < since && byCode.has(point.iata) && computeMetres(point, present) === 0,
    );
    const airport = former && byCode.get(former.iata);
    return airport ? [{ airport, former, present }] : [];
  });
};

const dayBefore = (date: string): string => formatDate(addDays(localDate(date), -1));

/** The former code in the form of a withdrawn one. Its ICAO and FAA codes are those that an older list has with it. */
const toWithdrawnStation = ({ airport, former, present }: CodeChange): Station => ({
  ...former,
  name: airport.name,
  countryCode: airport.countryCode,
  zone: airport.zone,
  cityName: airport.cityName,
  validity: { from: former.validity.from, to: dayBefore(present.validity.from) },
});

/**
 * Gives airports in use their new IATA codes. ICAO and FAA codes, name and position follow the airport; the former code ends on the day before
 * the new one begins, and resolves for its dates. A notice in the report names each.
 */
export const recodeStations = (sources: StationSources, report: LoadReport): StationSources => {
  const changes = findCodeChanges(sources);
  if (changes.length === 0) return sources;
  const { airports, referencePoints, withdrawnCodes } = sources;
  const byFormerCode = new Map(changes.map((change) => [change.former.iata, change]));
  for (const { former, present } of changes)
    report.entries.push({
      severity: 'notice',
      field: 'iata',
      value: present.iata,
      reason: 'code-changed',
      message: `The airport ${former.iata} has the code ${present.iata} since ${present.validity.from}; the list of airports has the former code.`,
    });
  return {
    ...sources,
    airports: airports.map((airport) => {
      const present = byFormerCode.get(airport.iata)?.present;
      return present ? { ...airport, iata: present.iata } : airport;
    }),
    referencePoints: {
      ...referencePoints,
      stations: new Map([...referencePoints.stations].filter(([code]) => !byFormerCode.has(code))),
    },
    withdrawnCodes: {
      ...withdrawnCodes,
      stations: [...withdrawnCodes.stations, ...changes.map(toWithdrawnStation)],
    },
  };
};
