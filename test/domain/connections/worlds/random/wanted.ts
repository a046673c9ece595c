import { connectionTypes } from '../../../../../src/domain/connections/rules/cooperation.ts';
import type { ConnectionFilter } from '../../../../../src/domain/connections/search/connection-filter.ts';
import type { LocalDate } from '../../../../../src/domain/time/dates.ts';
import { board, off } from '../oracle/flights.ts';
import type { Group } from '../oracle/grouped.ts';
import type { World } from '../oracle/world.ts';
import type { SeededRandom } from '../../../../lib/seeded-random.ts';

const spanOf = ({ from, days }: World, chance: SeededRandom): ConnectionFilter['dates'] => {
  const first = from + chance.integer(-2, days);
  return { from: first as LocalDate, to: (first + chance.pick([0, 0, 1, 3, 6, -1])) as LocalDate };
};

/** A question about a world: each part of it in some cases, as a rule with an answer among the connections there are. */
export const randomWanted = (world: World, groups: readonly Group[], chance: SeededRandom): ConnectionFilter => {
  const [{ one, other, judged }] = chance.pick(groups);
  const codes = world.stations.map(({ iata }) => iata);
  const few = (right: string, all: readonly string[]): readonly string[] =>
    chance.chance(90) ? [right, ...chance.sample(all, chance.integer(0, 2))] : chance.sample(all, chance.integer(0, 3));
  const carriers = ['XA', 'YB', 'ZC', '9D', 'QXE', 'NO'];
  const cities = [...new Set(world.stations.map(({ cityCode }) => cityCode))];
  const elapsed = other.arrivesUtc - one.departsUtc;
  const maybe = <T>(chances: number, make: () => T): T | undefined => (chance.chance(chances) ? make() : undefined);
  return {
    departureAirports: maybe(40, () => few(board(one.flight).iata, codes)),
    departureCities: maybe(10, () => few(board(one.flight).cityCode, cities)),
    arrivalAirports: maybe(40, () => few(off(other.flight).iata, codes)),
    arrivalCities: maybe(10, () => few(off(other.flight).cityCode, cities)),
    viaPoints: maybe(25, () => few(chance.pick([off(one.flight).iata, board(other.flight).iata]), codes)),
    leg1Carriers: maybe(15, () => few(one.flight.carrier, carriers)),
    leg2Carriers: maybe(15, () => few(other.flight.carrier, carriers)),
    dates: maybe(60, () => spanOf(world, chance)),
    maxCircuity: maybe(20, () => Math.ceil(judged.circuity ?? 0) + chance.pick([-1, 0, 0, 20, 200])),
    types: maybe(15, () => chance.sample(connectionTypes, chance.integer(0, 3))),
    minConnectingMinutes: maybe(20, () => judged.minutes + chance.pick([-60, 0, 0, 1, 60])),
    maxConnectingMinutes: maybe(20, () => judged.minutes + chance.pick([-60, -1, 0, 0, 60, 2000])),
    interAirport: maybe(15, () => chance.chance(50)),
    maxElapsedMinutes: maybe(20, () => elapsed + chance.pick([-60, -1, 0, 0, 60])),
    service: maybe(20, () => chance.pick(['passenger', 'cargo'] as const)),
  };
};
