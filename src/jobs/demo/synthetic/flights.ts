import { greatCircleMetres } from '../../../domain/master-data/distance.ts';
import { between, pick, type Chance } from '../activity/chance.ts';
import { aircraftFor, type Aircraft } from './aircraft.ts';
import type { Place } from './places.ts';
import { skewed, weighted, type Weighted } from './weighted.ts';

/** A flight as it is planned, whatever the clocks do meanwhile. */
export type PlannedFlight = {
  readonly flightNumber: number;
  readonly from: Place;
  readonly to: Place;
  /** Minutes after local midnight. */
  readonly departs: number;
  readonly elapsedMinutes: number;
  /** Days of operation as filed: `1234567`, a blank where it does not operate. */
  readonly days: string;
  readonly aircraft: Aircraft;
};

export type World = { readonly places: readonly Place[]; readonly chance: Chance };

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

const daysOf = (chance: Chance, name: string): string =>
  chance(`${name} daily`) < EVERY_DAY_SHARE ? EVERY_DAY : pick(chance(`${name} days`), patterns);

const minuteOf = (share: number): number => {
  // Few flights leave at night; each hour of the day has two banks, at which hubs are busiest.
  if (share < 0.05) return Math.floor(share * 20 * 60) * 5;
  const minute = Math.floor(between((share - 0.05) / 0.95, 300, 1375));
  return Math.floor(minute / 5) * 5;
};

const countOf = (days: string): number => days.replaceAll(' ', '').length;

/** Prefers what is near: of some places that chance finds, the nearest within reach. */
const destinationOf = (
  from: Place,
  name: string,
  { places, chance, busiest }: World & { readonly busiest: Weighted },
): Place | undefined => {
  const found = Array.from({ length: CANDIDATES }, (_, index) => places[busiest(chance(`${name} to ${index}`))])
    .filter((place) => place !== undefined && place !== from)
    .flatMap((place) => (place ? [{ place, km: greatCircleMetres(from, place) / 1000 }] : []))
    .filter(({ km }) => km > 80 && km < LONGEST_KM);
  return found.toSorted((one, other) => one.km - other.km)[0]?.place;
};

const roundTrip = (
  flightNumber: number,
  { from, to, name }: { readonly from: Place; readonly to: Place; readonly name: string },
  chance: Chance,
): readonly PlannedFlight[] => {
  const aircraft = aircraftFor(greatCircleMetres(from, to) / 1000, chance(`${name} aircraft`));
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
export function* flightsOf(
  carriers: readonly string[],
  flightsPerDay: number,
  world: World,
): Generator<{ readonly carrier: string; readonly flights: readonly PlannedFlight[] }> {
  const { places, chance } = world;
  const busiest = weighted(skewed(places.length, PLACE_SKEW));
  const busyHubs = weighted(skewed(HUBS_FROM, HUB_SKEW));
  const shares = skewed(carriers.length, CARRIER_SKEW);
  const sum = shares.reduce((total, share) => total + share, 0);
  // What is too much or too little of one carrier is made up for by the next.
  let due = 0;
  for (const [index, carrier] of carriers.entries()) {
    due += (flightsPerDay * 7 * (shares[index] ?? 0)) / sum;
    const hubs = Array.from(
      { length: 1 + Math.floor(24 / (index + 2)) },
      (_, nth) => places[busyHubs(chance(`${carrier} hub ${nth}`))],
    );
    const flights: PlannedFlight[] = [];
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
