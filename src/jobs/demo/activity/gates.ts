import { interpolate, createSeededRandom, type NamedRandom } from '../../../lib/seeded-random.ts';

/** Letters of piers; each terminal has one of them permanently. */
const PIERS = 'ABCDEF';

const findPier = (station: string, terminal: string): string =>
  PIERS[Math.floor(createSeededRandom('pier')(`${station}/${terminal}`) * PIERS.length)] ?? 'A';

const pickNumber = (share: number, min: number, max: number): number => Math.floor(interpolate(share, min, max + 1));

/** Returns a gate such as `B14` in the pier of the terminal. */
export const assignGate = (station: string, terminal: string, share: number): string =>
  `${findPier(station, terminal)}${pickNumber(share, 1, 48)}`;

/** Returns check-in counters such as `D21-D26`. */
export const assignCounters = (station: string, terminal: string, share: number): string => {
  const [pier, first] = [findPier(station, terminal), pickNumber(share, 1, 60)];
  return `${pier}${first}-${pier}${first + 5}`;
};

/** Returns a baggage belt such as `7`. */
export const assignBelt = (random: NamedRandom): string => String(pickNumber(random('belt'), 1, 14));
