import { computeGreatCircleMetres } from '#domain/master-data/distance.ts';
import { readCsvTable } from '#lib/csv-table.ts';
import { interpolate, type NamedRandom, pick } from '#lib/seeded-random.ts';
import type { SyntheticAirport } from './airports.ts';

/** The aircraft of a route: type and configuration as filed, and minutes from gate to gate. */
type RouteAircraft = {
  readonly equipment: string;
  readonly configuration: string;
  readonly elapsedMinutes: number;
};

const types = readCsvTable(
  new URL('aircraft.csv', import.meta.url),
  'max_km,equipment,configuration,speed_kmh,overhead_minutes',
).map(({ max_km: maxKm, ...type }) => ({ ...type, maxKm: maxKm === '' ? Infinity : Number(maxKm) }));

/** Routes are longer than the great circle by this factor. */
const DETOUR = 1.06;

/** Returns an aircraft for a route of a length in kilometres; `share`, from 0 up to 1, selects the type. */
const chooseAircraft = (km: number, share: number): RouteAircraft => {
  const range = types.find(({ maxKm }) => km <= maxKm)?.maxKm;
  const [first, ...others] = types.filter(({ maxKm }) => maxKm === range);
  if (!first) throw new RangeError(`no aircraft type flies ${km} km`);
  const { equipment, configuration, speed_kmh: speed, overhead_minutes: overhead } = pick(share, [first, ...others]);
  return {
    equipment,
    configuration,
    elapsedMinutes: Math.ceil(((km * DETOUR * 60) / Number(speed) + Number(overhead)) / 5) * 5,
  };
};

/** Returns the index at a share, from 0 up to 1, of the sum of the weights. */
type WeightedPicker = (share: number) => number;

/** Returns the weights of a Zipf-Mandelbrot distribution: rank n, from 0, weighs 1/(n + 1 + flattening). */
const computeSkewedWeights = (count: number, flattening: number): readonly number[] =>
  Array.from({ length: count }, (_, rank) => 1 / (rank + 1 + flattening));

/** Creates a picker by binary search in the cumulated weights, of which at least one must be positive. */
export const createWeightedPicker = (weights: readonly number[]): WeightedPicker => {
  const sums: number[] = [];
  let sum = 0;
  for (const weight of weights) sums.push((sum += weight));
  return (share) => {
    const target = share * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > target) high = middle;
      else low = middle + 1;
    }
    return low;
  };
};

/** A planned flight; its times do not depend on clock changes. */
export type SyntheticFlight = {
  readonly flightNumber: number;
  readonly from: SyntheticAirport;
  readonly to: SyntheticAirport;
  /** Local minutes after midnight. */
  readonly departs: number;
  readonly elapsedMinutes: number;
  /** Days of operation as filed: `1234567`, with a blank for a day without flight. */
  readonly days: string;
  readonly aircraft: RouteAircraft;
};

export type SyntheticWorld = { readonly airports: readonly SyntheticAirport[]; readonly random: NamedRandom };

/**
 * The flattening of the distributions: the busiest of 3,400 airports has 1.9 % of all departures, the largest of 600
 * carriers 5 % of all flights.
 */
const AIRPORT_SKEW = 8;
const CARRIER_SKEW = 3;

/** Half of the flights of a carrier depart from one of its hubs on purpose, the others from any airport. */
const HUB_SHARE = 0.5;
const HUB_CANDIDATES = 600;
const HUB_SKEW = 16;
const DESTINATION_CANDIDATES = 3;
const MAX_KM = 13_000;
const MAX_NUMBER = 9998;

const EVERY_DAY = '1234567';
const patterns = ['12345  ', '12345 7', '1 3 5 7', ' 2 4 6 ', '1  45 7', '    5 7', '  3  6 '] as const;
/** The share of flights that operate every day. */
const EVERY_DAY_SHARE = 0.6;

const chooseDays = (random: NamedRandom, name: string): string =>
  random(`${name} daily`) < EVERY_DAY_SHARE ? EVERY_DAY : pick(random(`${name} days`), patterns);

const chooseDeparture = (share: number): number => {
  // One flight in twenty departs at any time of the day, the others from 05:00 to 22:55; times are multiples of five
  // minutes.
  if (share < 0.05) return Math.floor(share * 20 * 60) * 5;
  const minute = Math.floor(interpolate((share - 0.05) / 0.95, 300, 1375));
  return Math.floor(minute / 5) * 5;
};

const countDays = (days: string): number => days.replaceAll(' ', '').length;

/** Chooses the nearest of three random airports within reach; undefined when none is. */
const chooseDestination = (
  from: SyntheticAirport,
  name: string,
  { airports, random, pickAirport }: SyntheticWorld & { readonly pickAirport: WeightedPicker },
): SyntheticAirport | undefined => {
  const candidates = Array.from(
    { length: DESTINATION_CANDIDATES },
    (_, index) => airports[pickAirport(random(`${name} to ${index}`))],
  )
    .flatMap((airport) =>
      airport && airport !== from ? [{ airport, km: computeGreatCircleMetres(from, airport) / 1000 }] : [],
    )
    .filter(({ km }) => km > 80 && km < MAX_KM);
  return candidates.toSorted((one, other) => one.km - other.km)[0]?.airport;
};

const planRoundTrip = (
  flightNumber: number,
  { from, to, name }: { readonly from: SyntheticAirport; readonly to: SyntheticAirport; readonly name: string },
  random: NamedRandom,
): readonly SyntheticFlight[] => {
  const aircraft = chooseAircraft(computeGreatCircleMetres(from, to) / 1000, random(`${name} aircraft`));
  const days = chooseDays(random, name);
  return [
    { from, to, flightNumber, departs: chooseDeparture(random(`${name} out`)) },
    { from: to, to: from, flightNumber: flightNumber + 1, departs: chooseDeparture(random(`${name} back`)) },
  ].map((flight) => ({ ...flight, days, aircraft, elapsedMinutes: aircraft.elapsedMinutes }));
};

/**
 * Generates the flights of each carrier, the largest first, so that an average day of a week has `flightsPerDay`
 * departures. The same random numbers give the same world; a larger world has more flights between the same airports.
 */
export function* generateFlights(
  carriers: readonly string[],
  flightsPerDay: number,
  world: SyntheticWorld,
): Generator<{ readonly carrier: string; readonly flights: readonly SyntheticFlight[] }> {
  const { airports, random } = world;
  const pickAirport = createWeightedPicker(computeSkewedWeights(airports.length, AIRPORT_SKEW));
  const pickHub = createWeightedPicker(computeSkewedWeights(HUB_CANDIDATES, HUB_SKEW));
  const shares = computeSkewedWeights(carriers.length, CARRIER_SKEW);
  const sum = shares.reduce((total, share) => total + share, 0);
  // Flights that a carrier has too many or too few of are settled with the next one.
  let due = 0;
  for (const [index, carrier] of carriers.entries()) {
    due += (flightsPerDay * 7 * (shares[index] ?? 0)) / sum;
    const hubs = Array.from(
      { length: 1 + Math.floor(24 / (index + 2)) },
      (_, nth) => airports[pickHub(random(`${carrier} hub ${nth}`))],
    );
    const flights: SyntheticFlight[] = [];
    for (let number = 1; due >= 1 && number < MAX_NUMBER; number += 2) {
      const name = `${carrier} ${number}`;
      const atHub = random(`${name} at hub`) < HUB_SHARE;
      const from = atHub
        ? hubs[Math.floor(random(`${name} hub`) * hubs.length)]
        : airports[pickAirport(random(`${name} from`))];
      const to = from && chooseDestination(from, name, { ...world, pickAirport });
      if (!from || !to) continue;
      const pair = planRoundTrip(number, { from, to, name }, random);
      flights.push(...pair);
      for (const { days } of pair) due -= countDays(days);
    }
    if (flights.length > 0) yield { carrier, flights };
  }
}
