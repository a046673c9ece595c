import { greatCircleMetres } from '../../../domain/master-data/distance.ts';
import { interpolate, type NamedRandom, pick } from '../../../lib/seeded-random.ts';
import { chooseAircraft, type RouteAircraft } from './aircraft.ts';
import type { SyntheticAirport } from './airports.ts';

/** Picks a position: the one that holds this share, from 0 up to 1, of the sum of the weights. */
type WeightedPicker = (share: number) => number;

/**
 * Weights of a skewed world: the n-th of `count`, from 0, weighs 1/(n + 1 + flattened). The larger `flattened`, the less the
 * first stands out.
 */
const computeSkewedWeights = (count: number, flattened: number): readonly number[] =>
  Array.from({ length: count }, (_, rank) => 1 / (rank + 1 + flattened));

/** A picker over weights, of which at least one is greater than 0. */
export const createWeightedPicker = (weights: readonly number[]): WeightedPicker => {
  const sums: number[] = [];
  let sum = 0;
  for (const weight of weights) sums.push((sum += weight));
  return (share) => {
    const wanted = share * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
};

/** A flight as it is planned, whatever the clocks do meanwhile. */
export type SyntheticFlight = {
  readonly flightNumber: number;
  readonly from: SyntheticAirport;
  readonly to: SyntheticAirport;
  /** Minutes after local midnight. */
  readonly departs: number;
  readonly elapsedMinutes: number;
  /** Days of operation as filed: `1234567`, a blank where it does not operate. */
  readonly days: string;
  readonly aircraft: RouteAircraft;
};

export type SyntheticWorld = { readonly places: readonly SyntheticAirport[]; readonly chance: NamedRandom };

/** So the busiest of 3,400 places has 1.9 % of all departures, and the largest of 600 carriers 5 % of all flights. */
const PLACE_SKEW = 8;
const CARRIER_SKEW = 3;

/** Half of a carrier's flights leave or reach one of its hubs beyond what chance would have. */
const HUB_SHARE = 0.5;
const HUBS_FROM = 600;
const HUB_SKEW = 16;
const CANDIDATES = 3;
const LONGEST_KM = 13_000;
const LAST_NUMBER = 9998;

/** Days of operation, the usual ones more often. */
const EVERY_DAY = '1234567';
const patterns = ['12345  ', '12345 7', '1 3 5 7', ' 2 4 6 ', '1  45 7', '    5 7', '  3  6 '] as const;
const EVERY_DAY_SHARE = 0.6;

const daysOf = (chance: NamedRandom, name: string): string =>
  chance(`${name} daily`) < EVERY_DAY_SHARE ? EVERY_DAY : pick(chance(`${name} days`), patterns);

const minuteOf = (share: number): number => {
  // Few flights leave at night; each hour of the day has two banks, at which hubs are busiest.
  if (share < 0.05) return Math.floor(share * 20 * 60) * 5;
  const minute = Math.floor(interpolate((share - 0.05) / 0.95, 300, 1375));
  return Math.floor(minute / 5) * 5;
};

const countOf = (days: string): number => days.replaceAll(' ', '').length;

/** Prefers what is near: of some places that chance finds, the nearest within reach. */
const destinationOf = (
  from: SyntheticAirport,
  name: string,
  { places, chance, busiest }: SyntheticWorld & { readonly busiest: WeightedPicker },
): SyntheticAirport | undefined => {
  const found = Array.from({ length: CANDIDATES }, (_, index) => places[busiest(chance(`${name} to ${index}`))])
    .filter((place) => place !== undefined && place !== from)
    .flatMap((place) => (place ? [{ place, km: greatCircleMetres(from, place) / 1000 }] : []))
    .filter(({ km }) => km > 80 && km < LONGEST_KM);
  return found.toSorted((one, other) => one.km - other.km)[0]?.place;
};

const roundTrip = (
  flightNumber: number,
  { from, to, name }: { readonly from: SyntheticAirport; readonly to: SyntheticAirport; readonly name: string },
  chance: NamedRandom,
): readonly SyntheticFlight[] => {
  const aircraft = chooseAircraft(greatCircleMetres(from, to) / 1000, chance(`${name} aircraft`));
  const days = daysOf(chance, name);
  return [
    { from, to, flightNumber, departs: minuteOf(chance(`${name} out`)) },
    { from: to, to: from, flightNumber: flightNumber + 1, departs: minuteOf(chance(`${name} back`)) },
  ].map((flight) => ({ ...flight, days, aircraft, elapsedMinutes: aircraft.elapsedMinutes }));
};

/**
 * The flights of each carrier in turn, the largest first: as many as depart on `flightsPerDay` in a week, divided by seven.
 * The same world for the same chance; a larger one has more flights between the same places.
 */
export function* generateFlights(
  carriers: readonly string[],
  flightsPerDay: number,
  world: SyntheticWorld,
): Generator<{ readonly carrier: string; readonly flights: readonly SyntheticFlight[] }> {
  const { places, chance } = world;
  const busiest = createWeightedPicker(computeSkewedWeights(places.length, PLACE_SKEW));
  const busyHubs = createWeightedPicker(computeSkewedWeights(HUBS_FROM, HUB_SKEW));
  const shares = computeSkewedWeights(carriers.length, CARRIER_SKEW);
  const sum = shares.reduce((total, share) => total + share, 0);
  // What is too much or too little of one carrier is made up for by the next.
  let due = 0;
  for (const [index, carrier] of carriers.entries()) {
    due += (flightsPerDay * 7 * (shares[index] ?? 0)) / sum;
    const hubs = Array.from(
      { length: 1 + Math.floor(24 / (index + 2)) },
      (_, nth) => places[busyHubs(chance(`${carrier} hub ${nth}`))],
    );
    const flights: SyntheticFlight[] = [];
    for (let number = 1; due >= 1 && number < LAST_NUMBER; number += 2) {
      const name = `${carrier} ${number}`;
      const atHub = chance(`${name} at hub`) < HUB_SHARE;
      const from = atHub
        ? hubs[Math.floor(chance(`${name} hub`) * hubs.length)]
        : places[busiest(chance(`${name} from`))];
      const to = from && destinationOf(from, name, { ...world, busiest });
      if (!from || !to) continue;
      const pair = roundTrip(number, { from, to, name }, chance);
      flights.push(...pair);
      for (const { days } of pair) due -= countOf(days);
    }
    if (flights.length > 0) yield { carrier, flights };
  }
}
