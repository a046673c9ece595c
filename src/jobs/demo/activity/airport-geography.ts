import { computeGreatCircleMetres, type Position } from '../../../domain/master-data/distance.ts';
import { secondToMinute, type UtcSecond } from '../../../domain/status/instants.ts';
import { toDate, type LocalDate, type LocalMinute } from '../../../domain/time/dates.ts';
import { getUtcOffset } from '../../../domain/time/zones.ts';
import { airports } from '../world/airports.ts';

type KnownAirport = { readonly position: Position; readonly zone: string };

/** Airports by each of their codes; no FAA code is the IATA code of another airport here. */
const byCode: ReadonlyMap<string, KnownAirport> = new Map(
  airports.flatMap(({ iata, icao, faa, latitude = 0, longitude = 0, zone = 'UTC' }) =>
    [faa, icao, iata]
      .filter((code) => code !== '')
      .map((code) => [code, { position: { latitude, longitude }, zone }] as const),
  ),
);

/** Returns the great-circle distance of two airports in metres; undefined for an airport outside the demo world. */
export const computeDistance = (from: string, to: string): number | undefined => {
  const [start, end] = [byCode.get(from), byCode.get(to)];
  return start && end ? computeGreatCircleMetres(start.position, end.position) : undefined;
};

/** Returns the local date at an airport; the UTC date for an airport outside the demo world. */
export const toLocalDate = (code: string, at: UtcSecond): LocalDate => {
  const minute = secondToMinute(at);
  return toDate((minute + getUtcOffset(byCode.get(code)?.zone ?? 'UTC', minute)) as LocalMinute);
};

/** The longest distance from the destination to an alternate airport, metres. */
const MAX_METRES = 1_500_000;
const MAX_ALTERNATES = 4;
/** Airports that are too small or too remote for diverted flights. */
const unsuitable: ReadonlySet<string> = new Set(['CHT', 'LDH', 'PUQ', 'TNM']);

const cachedNeighbours = new Map<string, readonly string[]>();

const listNeighbours = (station: string): readonly string[] => {
  const cached = cachedNeighbours.get(station);
  if (cached) return cached;
  const neighbours = airports
    .filter(({ iata }) => iata !== '' && iata !== station && !unsuitable.has(iata))
    .map(({ iata }) => ({ iata, metres: computeDistance(station, iata) ?? Infinity }))
    .filter(({ metres }) => metres <= MAX_METRES)
    .toSorted((a, b) => a.metres - b.metres)
    .map(({ iata }) => iata);
  // Only airports of the demo world have neighbours, so the cache stays small.
  if (neighbours.length > 0) cachedNeighbours.set(station, neighbours);
  return neighbours;
};

/** Returns the alternate airports of a flight, the nearest to its destination first; none for remote islands. */
export const listAlternates = (departure: string, arrival: string): readonly string[] =>
  listNeighbours(arrival)
    .filter((iata) => iata !== departure)
    .slice(0, MAX_ALTERNATES);

/** Returns the distance of one pair of airports divided by that of another; 1 when an airport is unknown. */
export const computeDistanceRatio = (part: readonly [string, string], whole: readonly [string, string]): number => {
  const metres = computeDistance(...part);
  const wholeMetres = computeDistance(...whole);
  return metres === undefined || wholeMetres === undefined || wholeMetres === 0 ? 1 : metres / wholeMetres;
};
