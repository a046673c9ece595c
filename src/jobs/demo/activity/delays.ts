import { interpolate, createSeededRandom } from '../../../lib/seeded-random.ts';
import { type DemoFlight, toRotationKey } from './demo-flight.ts';

/** A cumulated share of all flights, and the range of their minutes. */
type DelayBand = readonly [upTo: number, min: number, max: number];

/**
 * The delay of the flight itself: most depart within five minutes of their time, one in sixty at least 100 minutes
 * late.
 */
const ownDelay: readonly DelayBand[] = [
  [0.6, -5, 5],
  [0.84, 5, 14],
  [0.94, 14, 45],
  [0.985, 45, 100],
  [1, 100, 180],
];

/** The delay of all departures of an airport in one hour: usually none. */
const congestionDelay: readonly DelayBand[] = [
  [0.85, 0, 0],
  [0.96, 5, 20],
  [1, 20, 50],
];

/** The longest delay, minutes; only earlier legs and gate returns make a flight later. */
export const MAX_DELAY = 180;

const pickMinutes = (bands: readonly DelayBand[], share: number): number => {
  let reached = 0;
  for (const [upTo, min, max] of bands) {
    if (share < upTo) return interpolate((share - reached) / (upTo - reached), min, max);
    reached = upTo;
  }
  return 0;
};

/**
 * Returns the departure delay of a flight in minutes, -5 to 180. One part is the same for all legs and for the return
 * flight with the same aircraft, the other for all departures of an airport in one hour.
 */
export const computeDepartureDelay = (flight: DemoFlight): number => {
  const hour = Math.floor(flight.departsAt / 3600);
  const congestion = createSeededRandom(`crowding|${flight.reference.departureAirport}`)(String(hour));
  const own = createSeededRandom('delay')(toRotationKey(flight));
  return Math.min(MAX_DELAY, Math.round(pickMinutes(ownDelay, own) + pickMinutes(congestionDelay, congestion)));
};
