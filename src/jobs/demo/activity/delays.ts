import { interpolate, createSeededRandom } from '../../../lib/seeded-random.ts';
import type { DemoFlight } from './demo-flight.ts';

/** A share of all flights, cumulated, and the minutes between which they lie. */
type Band = readonly [upTo: number, least: number, most: number];

/** What a flight brings along itself: most leave within five minutes of their time, one in sixty an hour and a half late or more. */
const own: readonly Band[] = [
  [0.6, -5, 5],
  [0.84, 5, 14],
  [0.94, 14, 45],
  [0.985, 45, 100],
  [1, 100, 180],
];

/** What an airport adds in an hour, to all that leaves in it: usually nothing. */
const crowding: readonly Band[] = [
  [0.85, 0, 0],
  [0.96, 5, 20],
  [1, 20, 50],
];

/** Nothing is later than this by delay alone, minutes. */
export const MAX_DELAY = 180;

const drawFrom = (bands: readonly Band[], share: number): number => {
  let reached = 0;
  for (const [upTo, least, most] of bands) {
    if (share < upTo) return interpolate((share - reached) / (upTo - reached), least, most);
    reached = upTo;
  }
  return 0;
};

/** Two flight numbers in a row are mostly out and back with one aircraft: 101 and 102, 103 and 104. */
export const toRotationKey = ({ reference: { carrier, flightNumber, suffix, originDate } }: DemoFlight): string =>
  `${carrier}/${Math.ceil(flightNumber / 2)}${suffix}/${originDate}`;

/**
 * Minutes by which a flight leaves the gate after its scheduled time, -5 to 180. The legs of a flight, and the flight back
 * with the same aircraft, share one part of it; what leaves one airport in one hour shares the other.
 */
export const computeDepartureDelay = (flight: DemoFlight): number => {
  const hour = Math.floor(flight.departsAt / 3600);
  const place = createSeededRandom(`crowding|${flight.reference.departureAirport}`)(String(hour));
  const itself = createSeededRandom('delay')(toRotationKey(flight));
  return Math.min(MAX_DELAY, Math.round(drawFrom(own, itself) + drawFrom(crowding, place)));
};
