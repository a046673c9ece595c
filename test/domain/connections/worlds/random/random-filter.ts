import { connectionTypes } from '#domain/connections/rules/carrier-relations.ts';
import type { ConnectionFilter } from '#domain/connections/search/connection-filter.ts';
import type { LocalDate } from '#domain/time/dates.ts';
import { board, off } from '../oracle/flights.ts';
import type { Group } from '../oracle/connections.ts';
import type { World } from '../oracle/world.ts';
import type { SeededRandom } from '#test/lib/seeded-random.ts';

const spanOf = ({ from, days }: World, random: SeededRandom): ConnectionFilter['dates'] => {
  const first = from + random.integer(-2, days);
  return { from: first as LocalDate, to: (first + random.pick([0, 0, 1, 3, 6, -1])) as LocalDate };
};

/** Creates a filter for a world: each member is set in some cases, usually so that existing connections match. */
export const createRandomFilter = (world: World, groups: readonly Group[], random: SeededRandom): ConnectionFilter => {
  const [{ one, other, judged }] = random.pick(groups);
  const codes = world.stations.map(({ iata }) => iata);
  const few = (right: string, all: readonly string[]): readonly string[] =>
    random.chance(90) ? [right, ...random.sample(all, random.integer(0, 2))] : random.sample(all, random.integer(0, 3));
  const carriers = ['XA', 'YB', 'ZC', '9D', 'QXE', 'NO'];
  const cities = [...new Set(world.stations.map(({ cityCode }) => cityCode))];
  const elapsed = other.arrivesUtc - one.departsUtc;
  const maybe = <T>(chances: number, make: () => T): T | undefined => (random.chance(chances) ? make() : undefined);
  return {
    departureAirports: maybe(40, () => few(board(one.flight).iata, codes)),
    departureCities: maybe(10, () => few(board(one.flight).cityCode, cities)),
    arrivalAirports: maybe(40, () => few(off(other.flight).iata, codes)),
    arrivalCities: maybe(10, () => few(off(other.flight).cityCode, cities)),
    viaPoints: maybe(25, () => few(random.pick([off(one.flight).iata, board(other.flight).iata]), codes)),
    leg1Carriers: maybe(15, () => few(one.flight.carrier, carriers)),
    leg2Carriers: maybe(15, () => few(other.flight.carrier, carriers)),
    dates: maybe(60, () => spanOf(world, random)),
    maxCircuity: maybe(20, () => Math.ceil(judged.circuity ?? 0) + random.pick([-1, 0, 0, 20, 200])),
    types: maybe(15, () => random.sample(connectionTypes, random.integer(0, 3))),
    minConnectingMinutes: maybe(20, () => judged.minutes + random.pick([-60, 0, 0, 1, 60])),
    maxConnectingMinutes: maybe(20, () => judged.minutes + random.pick([-60, -1, 0, 0, 60, 2000])),
    interAirport: maybe(15, () => random.chance(50)),
    maxElapsedMinutes: maybe(20, () => elapsed + random.pick([-60, -1, 0, 0, 60])),
    service: maybe(20, () => random.pick(['passenger', 'cargo'] as const)),
  };
};
