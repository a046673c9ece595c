import { interpolate, createSeededRandom, type NamedRandom } from '../../../lib/seeded-random.ts';

/** Letters of piers and halls; an airport's terminal has one of them for good. */
const PIERS = 'ABCDEF';

const pierOf = (station: string, terminal: string): string =>
  PIERS[Math.floor(createSeededRandom('pier')(`${station}/${terminal}`) * PIERS.length)] ?? 'A';

const numberFrom = (share: number, least: number, most: number): number =>
  Math.floor(interpolate(share, least, most + 1));

/** A gate such as `B14`, in the pier of the terminal. */
export const assignGate = (station: string, terminal: string, share: number): string =>
  `${pierOf(station, terminal)}${numberFrom(share, 1, 48)}`;

/** Check-in counters such as `D21-D26`. */
export const assignCounters = (station: string, terminal: string, share: number): string => {
  const [pier, first] = [pierOf(station, terminal), numberFrom(share, 1, 60)];
  return `${pier}${first}-${pier}${first + 5}`;
};

/** A baggage belt such as `7`. */
export const assignBelt = (chance: NamedRandom): string => String(numberFrom(chance('belt'), 1, 14));
