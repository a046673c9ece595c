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

const matchLine = (set: ConnectionSet, match: ConnectionMatch): string =>
  lineOf(describeConnection(getConnectionDetails(set, match)));

test(
  'a query finds exactly the matching connections, each once with all its dates, in the order of the whole list',
  { timeout: 300_000 },
  () => {
    let queries = 0;
    let matches = 0;
    for (const { seed, world } of createWorlds(1, 400)) {
      const groups = groupConnections(listConnections(world));
      if (groups.length === 0 || hasDuplicateTimes(buildWorldRecords(world))) continue;
      const set = buildWorldSet(world);
      const everything = findAll(set).map((match) => matchLine(set, match));
      expect(everything.toSorted(), `seed ${seed}`).toEqual(groups.map(groupText).toSorted());
      const random = createRandom(seed);
      for (let question = 0; question < 12; question += 1) {
        const filter = createRandomFilter(world, groups, random);
        const expected = new Set(groups.filter((group) => matchesFilter(group, filter)).map(groupText));
        const match = findAll(set, filter).map((one) => matchLine(set, one));
        queries += 1;
        if (expected.size > 0) matches += 1;
        expect(match, `seed ${seed}, wanted ${JSON.stringify(filter)}`).toEqual(
          everything.filter((line) => expected.has(line)),
        );
      }
    }
    expect(matches).toBeGreaterThan(queries / 4);
    expect(queries - matches).toBeGreaterThan(queries / 10);
  },
);

/** The positions of all pages, in order. */
const pages = (set: ConnectionSet, filter: ConnectionFilter, limit: number): readonly ConnectionPosition[] => {
  const positions: ConnectionPosition[] = [];
  let after: ConnectionPosition | undefined;
  for (;;) {
    const walk = createConnectionSearch(set, filter, { after, limit, count: after === undefined });
    while (!walk.advance(1_000));
    const match = walk.matches();
    positions.push(...match.slice(0, limit).map(({ position }) => position));
    if (match.length <= limit) return positions;
    after = match[limit - 1]?.position;
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
      for (const filter of [{}, createRandomFilter(world, groups, random), createRandomFilter(world, groups, random)]) {
        const words = `seed ${seed}, wanted ${JSON.stringify(filter)}`;
        const whole = findAll(set, filter);
        const positions = whole.map(({ position }) => position);
        for (const limit of [1, 7, 100]) expect(pages(set, filter, limit), words).toEqual(positions);
        if (whole.length === 0) continue;
        const start = random.integer(0, whole.length - 1);
        const limit = random.integer(1, 5);
        const walk = createConnectionSearch(set, filter, { after: positions[start], limit, count: true });
        let slices = 1;
        while (!walk.advance(1)) slices += 1;
        expect(walk.matches(), words).toEqual(whole.slice(start + 1, start + limit + 2));
        expect(walk.total(), words).toBe(whole.length);
        // Searches of one set do not disturb one another.
        const [one, other] = [{}, filter].map((queries) =>
          createConnectionSearch(set, queries, { limit: 3, count: true }),
        );
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
      const listed = findAll(set).map((match) => {
        const { leg1, minutes } = getConnectionDetails(set, match);
        const { airports, carrier, flightNumber, suffix } = leg1.flight;
        const first = [
          airports[0].iata,
          leg1.record.departureLocalMinutes,
          carrier,
          flightNumber,
          suffix,
          leg1.record.period.from,
        ];
        return { first, place: [match.position.leg1, minutes, match.position.leg2, match.position.rule] };
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
