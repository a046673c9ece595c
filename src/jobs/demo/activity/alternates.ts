import { airports } from '../world/airports.ts';
import { metresBetween } from './places.ts';

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
    .map(({ iata }) => ({ iata, metres: metresBetween(station, iata) ?? Infinity }))
    .filter(({ metres }) => metres <= FARTHEST)
    .toSorted((a, b) => a.metres - b.metres)
    .map(({ iata }) => iata);
  // Only places of the demo world have any, so there are never many entries.
  if (found.length > 0) near.set(station, found);
  return found;
};

/** The airports to which a flight may turn off, IATA codes, the nearest to its destination first; empty on islands far out. */
export const alternatesOf = (departure: string, arrival: string): readonly string[] =>
  nearTo(arrival)
    .filter((iata) => iata !== departure)
    .slice(0, CHOICES);

/** How long a stretch is, measured by another: 0.5 is half as long. 1 when a place is not known. */
export const relativeDistance = (stretch: readonly [string, string], whole: readonly [string, string]): number => {
  const metres = metresBetween(...stretch);
  const all = metresBetween(...whole);
  return metres === undefined || all === undefined || all === 0 ? 1 : metres / all;
};
