import { expect, test } from 'vitest';
import { createCarrierRelations } from '#domain/connections/rules/carrier-relations.ts';
import { evaluateRules } from '#domain/connections/rules/evaluate-rules.ts';
import { ruleNames, type RuleVerdict } from '#domain/connections/rules/rule-verdict.ts';
import { createMctTable } from '../mct/create-mct-table.ts';
import type { ConnectionFilter } from '#domain/connections/search/connection-filter.ts';
import { getConnectionDetails } from '#domain/connections/search/connection-details.ts';
import { findKnownCount } from '#domain/connections/search/connection-counts.ts';
import { buildConnectionQuery } from '#domain/connections/search/connection-query.ts';
import { createConnectionSearch } from '#domain/connections/search/connection-search.ts';
import { findElapsedMinutes } from '#domain/connections/search/connection-dates.ts';
import type { ConnectionMatch, ConnectionPosition } from '#domain/connections/search/connection-dates.ts';
import { createElapsedSearch } from '#domain/connections/search/elapsed-search.ts';
import type { ConnectionSet } from '#domain/connections/set/connection-set.ts';
import { addDays, toDate, type LocalMinute } from '#domain/time/dates.ts';
import { createRandom } from '#test/lib/seeded-random.ts';
import { matchesFilter, type Group } from './oracle/connections.ts';
import { board, listInstances, off, type Instance } from './oracle/flights.ts';
import { createJudge, formatConnection, type Judgement } from './oracle/judge.ts';
import { createRandomFilter } from './random/random-filter.ts';
import { listWorlds } from './random-worlds.ts';
import { describeDatedFlight, describeInstance, describeMatches, findAll, hasDuplicateTimes } from './world-set.ts';
import { describeConnection, listDatedFlights, toCooperation } from './world-set.ts';

const groupText = (group: Group): string =>
  group.map(({ one, other, judged }) => formatConnection(one, other, judged)).join('\n');

test('a query finds exactly the matching connections, each once with all its dates, in the order of the whole list', () => {
  let [queries, matches] = [0, 0];
  for (const { seed, world, records, set, groups, texts } of listWorlds()) {
    if (groups().length === 0 || hasDuplicateTimes(records())) continue;
    expect(texts().toSorted(), `seed ${seed}`).toEqual(groups().map(groupText).toSorted());
    const random = createRandom(seed);
    for (let query = 0; query < 12; query += 1) {
      const filter = createRandomFilter(world, groups(), random);
      const expected = new Set(groups().flatMap((group) => (matchesFilter(group, filter) ? [groupText(group)] : [])));
      [queries, matches] = [queries + 1, matches + Number(expected.size > 0)];
      const found = describeMatches(set(), filter);
      const matching = texts().filter((text) => expected.has(text));
      expect(found, `seed ${seed}, filter ${JSON.stringify(filter)}`).toEqual(matching);
    }
  }
  expect(matches).toBeGreaterThan(queries / 4);
  expect(queries - matches).toBeGreaterThan(queries / 10);
});

/** The positions of all pages, in order. */
const listPages = (set: ConnectionSet, filter: ConnectionFilter, limit: number): readonly ConnectionPosition[] => {
  const positions: ConnectionPosition[] = [];
  for (;;) {
    const after = positions.at(-1);
    const search = createConnectionSearch(set, filter, { after, limit, count: after === undefined });
    while (!search.advance(1_000));
    const matches = search.matches();
    positions.push(...matches.slice(0, limit).map(({ position }) => position));
    if (matches.length <= limit) return positions;
  }
};

test('pages of any size form the same list, counted correctly from any start, as do searches in small slices', () => {
  let compared = 0;
  for (const { seed, world, set: getSet, groups } of listWorlds()) {
    if (groups().length === 0) continue;
    const [set, random] = [getSet(), createRandom(seed)];
    const some = () => createRandomFilter(world, groups(), random);
    for (const filter of [{}, some(), some()]) {
      const message = `seed ${seed}, filter ${JSON.stringify(filter)}`;
      const whole = findAll(set, filter);
      const positions = whole.map(({ position }) => position);
      for (const limit of [1, 7, 100]) expect(listPages(set, filter, limit), message).toEqual(positions);
      if (whole.length === 0) continue;
      const [start, limit] = [random.integer(0, whole.length - 1), random.integer(1, 5)];
      const search = createConnectionSearch(set, filter, { after: positions[start], limit, count: true });
      while (!search.advance(1));
      expect(search.matches(), message).toEqual(whole.slice(start + 1, start + limit + 2));
      expect(search.total(), message).toBe(whole.length);
      // Searches of one set do not disturb one another.
      const [one, other] = [{}, filter].map((query) => createConnectionSearch(set, query, { limit: 3, count: true }));
      while (![one?.advance(1), other?.advance(1)].every(Boolean));
      expect([other?.matches(), other?.total()], message).toEqual([whole.slice(0, 4), whole.length]);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(100);
});

test('the counts of a set are those of the lists of an airport: of a day, of up to a week and of all dates', () => {
  let [known, connections] = [0, 0];
  for (const { seed, set: getSet, groups } of listWorlds()) {
    if (groups().length === 0) continue;
    const [set, random] = [getSet(), createRandom(seed)];
    const airports = set.header.airports.map(({ iata }) => iata);
    const destinations = random.sample(airports, 3);
    const filters: readonly ConnectionFilter[] = [
      ...airports.map((airport) => ({ departureAirports: [airport] })),
      ...airports.map((airport) => ({ viaPoints: [airport] })),
      ...airports.map((airport) => ({ arrivalAirports: [airport] })),
      { arrivalAirports: destinations },
    ];
    for (const filter of filters) {
      const from = addDays(set.from, random.integer(-2, set.days));
      const spans = [undefined, { from, to: from }, { from, to: addDays(from, random.integer(1, 8)) }];
      for (const dates of spans) {
        const searched = { ...filter, dates, maxConnectingMinutes: 360 };
        const count = findKnownCount(set, buildConnectionQuery(set, searched));
        if (count === undefined) continue;
        const found = findAll(set, searched);
        expect(count, `seed ${seed}, filter ${JSON.stringify(searched)}`).toBe(found.length);
        [known, connections] = [known + 1, connections + found.length];
      }
    }
  }
  expect(known).toBeGreaterThan(1000);
  expect(connections).toBeGreaterThan(2000);
});

/** The positions of all pages of a list sorted by elapsed time, in order. */
const listElapsedPages = (set: ConnectionSet, filter: ConnectionFilter, limit: number): readonly ConnectionMatch[] => {
  const listed: ConnectionMatch[] = [];
  for (;;) {
    const last = listed.at(-1);
    const after = last && { position: last.position, elapsedMinutes: findElapsedMinutes(set, last) };
    const search = createElapsedSearch(set, filter, { after, limit });
    while (!search.advance(100));
    const matches = search.matches();
    listed.push(...matches.slice(0, limit));
    if (matches.length <= limit) return listed;
  }
};

test('a list by elapsed time has the connections of the whole list, the shortest on its first date first, on pages of any size', () => {
  let [compared, connections] = [0, 0];
  for (const { seed, world, records, set: getSet, groups } of listWorlds()) {
    if (groups().length === 0 || hasDuplicateTimes(records())) continue;
    const [set, random] = [getSet(), createRandom(seed)];
    // The oracle knows when the first flight departs and the second arrives on the first date.
    const elapsedByText = new Map(
      groups().map((group) => [groupText(group), group[0].other.arrivesUtc - group[0].one.departsUtc]),
    );
    for (const filter of [{}, createRandomFilter(world, groups(), random)]) {
      const message = `seed ${seed}, filter ${JSON.stringify(filter)}`;
      const whole = describeMatches(set, filter);
      const elapsedOf = (text: string): number => elapsedByText.get(text) ?? Number.NaN;
      const expected = whole.toSorted((one, other) => elapsedOf(one) - elapsedOf(other));
      // A page examines the whole list.
      for (const limit of whole.length < 40 ? [1, 7, 100] : [Math.ceil(whole.length / 3)]) {
        const listed = listElapsedPages(set, filter, limit);
        const texts = listed.map((match) => describeConnection(getConnectionDetails(set, match)).join('\n'));
        expect(texts, message).toEqual(expected);
      }
      const search = createElapsedSearch(set, filter, { limit: 2 });
      while (!search.advance(1));
      expect(search.total(), message).toBe(whole.length);
      [compared, connections] = [compared + 1, connections + whole.length];
    }
  }
  expect(compared).toBeGreaterThan(100);
  expect(connections).toBeGreaterThan(1000);
});

const compareParts = (one: readonly (string | number)[], other: readonly (string | number)[]): number => {
  const index = one.findIndex((part, at) => part !== other[at]);
  const [a, b] = [one[index] ?? 0, other[index] ?? 0];
  return index < 0 || a === b ? 0 : a < b ? -1 : 1;
};

test('a list is ordered by the airport, time, designator and first day of the first flight, then by connecting time, then by the second flight', () => {
  for (const { seed, set } of listWorlds()) {
    const listed = findAll(set()).map((match) => {
      const { leg1, minutes } = getConnectionDetails(set(), match);
      const { airports, carrier, flightNumber, suffix } = leg1.flight;
      const { departureLocalMinutes, period } = leg1.record;
      const first = [airports[0].iata, departureLocalMinutes, carrier, flightNumber, suffix, period.from];
      return [...first, match.position.leg1, minutes, match.position.leg2, match.position.rule];
    });
    expect(listed, `seed ${seed}`).toEqual(listed.toSorted(compareParts));
  }
});

/** The parts of a verdict that the oracle returns too. */
const toComparable = (verdicts: readonly RuleVerdict[]) => {
  const restriction = verdicts.find((verdict) => verdict.rule === 'traffic-restriction');
  const minimum = verdicts.find((verdict) => verdict.rule === 'minimum-connecting-time');
  return {
    forbiddenBy: verdicts.find(({ allowed }) => !allowed)?.rule,
    services: (['passenger', 'cargo'] as const).filter((service) => restriction?.figures[service]),
    minimum: minimum && [minimum.figures.status, minimum.figures.minimumMinutes, minimum.figures.record?.line],
  };
};

const toExpected = ({ forbiddenBy, services, minimum: found }: Judgement) => {
  return { forbiddenBy, services, minimum: found && [found.status, found.minutes, found.line] };
};

/** Pairs of flights, of which most have a common airport. */
const pickPairs = (instances: readonly Instance[], seed: number): readonly (readonly [Instance, Instance])[] => {
  const random = createRandom(seed);
  const byBoard = Map.groupBy(instances, ({ flight }) => board(flight).cityCode);
  return random.sample(instances, 40).flatMap((one) => {
    const near = (byBoard.get(off(one.flight).cityCode) ?? []).filter(
      ({ departsUtc }) => departsUtc > one.arrivesUtc - 60 && departsUtc < one.arrivesUtc + 1500,
    );
    return [random.pick(instances), ...random.sample(near, 4)].map((other) => [one, other] as const);
  });
};

test('two flights on two days have the verdict of the rules: the same first rule, services and record', () => {
  const seen = new Map<string, number>();
  for (const { seed, world, records } of listWorlds()) {
    const judge = createJudge(world);
    const mct = createMctTable({ records: world.mct.records, defaults: world.defaults });
    const relations = createCarrierRelations(toCooperation(world));
    const dated = Map.groupBy(records().flatMap(listDatedFlights), describeDatedFlight);
    // By chance two variations of a designator can depart on one day at one time, which makes them indistinguishable.
    const instances = listInstances(world).filter((one) => dated.get(describeInstance(one))?.length === 1);
    for (const pair of instances.length === 0 ? [] : pickPairs(instances, seed)) {
      const expected = toExpected(judge(...pair));
      const [leg1, leg2] = pair.map((one) => dated.get(describeInstance(one))?.[0]);
      if (!leg1 || !leg2) throw new Error('the flights are known');
      const [flight1, flight2] = [leg1.of.flight, leg2.of.flight];
      const arrivesOn = toDate(leg1.arrivesLocal as LocalMinute);
      const meeting = { flight1, flight2, minutes: leg2.departsUtc - leg1.arrivesUtc, arrivesOn };
      const actual = toComparable(evaluateRules(meeting, { mct, relations }));
      const rule = expected.forbiddenBy ?? 'allowed';
      seen.set(rule, (seen.get(rule) ?? 0) + 1);
      // The oracle stops at the first rule.
      const compared = expected.minimum ? actual : { ...expected, forbiddenBy: actual.forbiddenBy };
      expect(compared, `seed ${seed}: ${pair.map(describeInstance).join(' > ')}`).toEqual(expected);
    }
  }
  // A rule that never decides is not tested.
  expect([...seen.keys()].toSorted()).toEqual(['allowed', ...ruleNames].toSorted());
  expect(Math.min(...seen.values())).toBeGreaterThan(10);
});
