import { expect, test } from 'vitest';
import { getConnectionDetails } from '../../../../src/domain/connections/search/connection-details.ts';
import type { ConnectionSet } from '../../../../src/domain/connections/set/connection-set.ts';
import { createConnectionSearch } from '../../../../src/domain/connections/search/connection-search.ts';
import type {
  ConnectionPosition,
  ConnectionMatch,
} from '../../../../src/domain/connections/search/connection-dates.ts';
import type { ConnectionFilter } from '../../../../src/domain/connections/search/connection-filter.ts';
import { describeConnection, findAll } from './describe-connections.ts';
import { hasDuplicateTimes } from './has-duplicate-times.ts';
import { listConnections } from './oracle/list-connections.ts';
import { matchesFilter } from './oracle/match-filter.ts';
import { groupConnections, type Group } from './oracle/group-connections.ts';
import { formatConnection } from './oracle/judge.ts';
import { createRandom } from '../../../lib/seeded-random.ts';
import { createRandomFilter } from './random/random-filter.ts';
import { buildWorldRecords, buildWorldSet } from './world-set.ts';
import { createWorlds } from './random-worlds.ts';

/** All dates of a connection on one line. */
const lineOf = (texts: readonly string[]): string => texts.join('\n');

const groupText = (group: Group): string =>
  lineOf(group.map(({ one, other, judged }) => formatConnection(one, other, judged)));

const foundLine = (set: ConnectionSet, found: ConnectionMatch): string =>
  lineOf(describeConnection(getConnectionDetails(set, found)));

test(
  'a query finds exactly the matching connections, each once with all its dates, in the order of the whole list',
  { timeout: 300_000 },
  () => {
    let asked = 0;
    let answered = 0;
    for (const { seed, world } of createWorlds(1, 400)) {
      const groups = groupConnections(listConnections(world));
      if (groups.length === 0 || hasDuplicateTimes(buildWorldRecords(world))) continue;
      const set = buildWorldSet(world);
      const everything = findAll(set).map((found) => foundLine(set, found));
      expect(everything.toSorted(), `seed ${seed}`).toEqual(groups.map(groupText).toSorted());
      const random = createRandom(seed);
      for (let question = 0; question < 12; question += 1) {
        const wanted = createRandomFilter(world, groups, random);
        const expected = new Set(groups.filter((group) => matchesFilter(group, wanted)).map(groupText));
        const found = findAll(set, wanted).map((one) => foundLine(set, one));
        asked += 1;
        if (expected.size > 0) answered += 1;
        expect(found, `seed ${seed}, wanted ${JSON.stringify(wanted)}`).toEqual(
          everything.filter((line) => expected.has(line)),
        );
      }
    }
    expect(answered).toBeGreaterThan(asked / 4);
    expect(asked - answered).toBeGreaterThan(asked / 10);
  },
);

/** The positions of all pages, in order. */
const pages = (set: ConnectionSet, wanted: ConnectionFilter, limit: number): readonly ConnectionPosition[] => {
  const places: ConnectionPosition[] = [];
  let after: ConnectionPosition | undefined;
  for (;;) {
    const walk = createConnectionSearch(set, wanted, { after, limit, count: after === undefined });
    while (!walk.advance(1_000));
    const found = walk.matches();
    places.push(...found.slice(0, limit).map(({ position: place }) => place));
    if (found.length <= limit) return places;
    after = found[limit - 1]?.position;
  }
};

test(
  'pages of any size form the same list, counted correctly from any start, as do searches in small slices',
  { timeout: 300_000 },
  () => {
    let compared = 0;
    for (const { seed, world } of createWorlds(20_001, 250)) {
      const groups = groupConnections(listConnections(world));
      if (groups.length === 0) continue;
      const set = buildWorldSet(world);
      const random = createRandom(seed);
      for (const wanted of [{}, createRandomFilter(world, groups, random), createRandomFilter(world, groups, random)]) {
        const words = `seed ${seed}, wanted ${JSON.stringify(wanted)}`;
        const whole = findAll(set, wanted);
        const places = whole.map(({ position: place }) => place);
        for (const limit of [1, 7, 100]) expect(pages(set, wanted, limit), words).toEqual(places);
        if (whole.length === 0) continue;
        const start = random.integer(0, whole.length - 1);
        const limit = random.integer(1, 5);
        const walk = createConnectionSearch(set, wanted, { after: places[start], limit, count: true });
        let slices = 1;
        while (!walk.advance(1)) slices += 1;
        expect(walk.matches(), words).toEqual(whole.slice(start + 1, start + limit + 2));
        expect(walk.total(), words).toBe(whole.length);
        // Searches of one set do not disturb one another.
        const [one, other] = [{}, wanted].map((asked) => createConnectionSearch(set, asked, { limit: 3, count: true }));
        while (![one?.advance(1), other?.advance(1)].every(Boolean));
        expect(other?.matches(), words).toEqual(whole.slice(0, 4));
        expect(other?.total(), words).toBe(whole.length);
        expect(slices).toBeGreaterThan(0);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(100);
  },
);

test(
  'a list is ordered by the airport, time, designator and first day of the first flight, then by connecting time, then by the second flight',
  { timeout: 300_000 },
  () => {
    for (const { seed, world } of createWorlds(30_001, 300)) {
      const set = buildWorldSet(world);
      const listed = findAll(set).map((found) => {
        const { leg1, minutes } = getConnectionDetails(set, found);
        const { airports, carrier, flightNumber, suffix } = leg1.flight;
        const first = [
          airports[0].iata,
          leg1.record.departureLocalMinutes,
          carrier,
          flightNumber,
          suffix,
          leg1.record.period.from,
        ];
        return { first, place: [found.position.leg1, minutes, found.position.leg2, found.position.rule] };
      });
      const byParts = (one: readonly (string | number)[], other: readonly (string | number)[]): number => {
        const index = one.findIndex((part, at) => part !== other[at]);
        const [a, b] = [one[index] ?? 0, other[index] ?? 0];
        return index < 0 || a === b ? 0 : a < b ? -1 : 1;
      };
      expect(listed, `seed ${seed}`).toEqual(
        listed.toSorted((one, other) => byParts(one.first, other.first) || byParts(one.place, other.place)),
      );
    }
  },
);
