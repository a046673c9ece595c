import { greatCircleMetres, type Position } from '../../../domain/master-data/distance.ts';
import { minuteAt, type UtcSecond } from '../../../domain/status/instants.ts';
import { dateAt, type LocalDate, type LocalMinute } from '../../../domain/time/dates.ts';
import { utcOffsetAt } from '../../../domain/time/zones.ts';
import { airports } from '../world/airports.ts';

type Place = { readonly position: Position; readonly zone: string };

/** Places by every code they have, IATA before FAA: the FAA code of one is nowhere the IATA code of another. */
const places: ReadonlyMap<string, Place> = new Map(
  airports.flatMap(({ iata, icao, faa, latitude = 0, longitude = 0, zone = 'UTC' }) =>
    [faa, icao, iata]
      .filter((code) => code !== '')
      .map((code) => [code, { position: { latitude, longitude }, zone }] as const),
  ),
);

/** Metres between two airports of the demo world; undefined when one is none of its. */
export const computeDistance = (from: string, to: string): number | undefined => {
  const [start, end] = [places.get(from), places.get(to)];
  return start && end ? greatCircleMetres(start.position, end.position) : undefined;
};

/** The date on the clock of a place; that of UTC for a place that the demo world does not have. */
export const toLocalDate = (code: string, at: UtcSecond): LocalDate => {
  const minute = minuteAt(at);
  return dateAt((minute + utcOffsetAt(places.get(code)?.zone ?? 'UTC', minute)) as LocalMinute);
};

/** Nobody turns off farther than this from where he was going, metres. */
const FARTHEST = 1_500_000;
const CHOICES = 4;
/** Too small or too far from everything to take in a flight that was going elsewhere. */
const unsuitable: ReadonlySet<string> = new Set(['CHT', 'LDH', 'PUQ', 'TNM']);

const near = new Map<string, readonly string[]>();

const nearTo = (station: string): readonly string[] => {
  const known = near.get(station);
  if (known) return known;
  const found = airports
    .filter(({ iata }) => iata !== '' && iata !== station && !unsuitable.has(iata))
    .map(({ iata }) => ({ iata, metres: computeDistance(station, iata) ?? Infinity }))
    .filter(({ metres }) => metres <= FARTHEST)
    .toSorted((a, b) => a.metres - b.metres)
    .map(({ iata }) => iata);
  // Only places of the demo world have any, so there are never many entries.
  if (found.length > 0) near.set(station, found);
  return found;
};

/** The airports to which a flight may turn off, IATA codes, the nearest to its destination first; empty on islands far out. */
export const listAlternates = (departure: string, arrival: string): readonly string[] =>
  nearTo(arrival)
    .filter((iata) => iata !== departure)
    .slice(0, CHOICES);

/** How long a stretch is, measured by another: 0.5 is half as long. 1 when a place is not known. */
export const computeDistanceRatio = (stretch: readonly [string, string], whole: readonly [string, string]): number => {
  const metres = computeDistance(...stretch);
  const all = computeDistance(...whole);
  return metres === undefined || all === undefined || all === 0 ? 1 : metres / all;
};
