import { expect, test } from 'vitest';
import { listDepartingOn, listFlightRecords } from '../../../../src/domain/connections/set/flight-records.ts';
import { ruleNames } from '../../../../src/domain/connections/rules/rule-verdict.ts';
import { createConnectionCounter } from '../../../../src/domain/connections/search/connection-tally.ts';
import type { ConnectingRecord } from '../../../../src/domain/connections/flights/connecting-flight.ts';
import { addDays, formatDate, type LocalDate } from '../../../../src/domain/time/dates.ts';
import { toDesignatorKey } from '../../../../src/domain/schedule/designators.ts';
import { operatesOn } from '../../../../src/domain/time/period.ts';
import { toDatedFlight } from './dated-flights.ts';
import { findAll } from './describe-connections.ts';
import { hasDuplicateTimes } from './has-duplicate-times.ts';
import { countRejections } from './oracle/count-rejections.ts';
import type { World } from './oracle/world.ts';
import { buildWorldRecords, buildWorldSet } from './world-set.ts';
import { createWorlds } from './random-worlds.ts';

/** Whether a record depends on the date: then the rejecting rule of a pair can differ by day. */
const hasDates = ({ mct }: World): boolean =>
  mct.records.some(({ from, to }) => from !== undefined || to !== undefined);

test(
  'the report of a build counts every connection, and each rejected pair by the first rule that forbids it',
  { timeout: 300_000 },
  () => {
    const seen = new Map<string, number>();
    for (const { seed, world } of createWorlds(40_001, 250)) {
      if (hasDuplicateTimes(buildWorldRecords(world))) continue;
      const set = buildWorldSet(world);
      const tally = createConnectionCounter(set);
      while (!tally.advance(10));
      const { looked, built, refused } = tally.result();
      const counts = countRejections(world);
      const all = Object.values(refused).reduce((sum, count) => sum + count, 0);
      expect(tally.progress(), `seed ${seed}`).toBe(1);
      expect(built, `seed ${seed}`).toBe(findAll(set).length);
      expect(looked, `seed ${seed}`).toBe(built + all);
      for (const [rule, count] of Object.entries(counts)) seen.set(rule, (seen.get(rule) ?? 0) + count);
      const expected = Object.fromEntries(ruleNames.map((rule) => [rule, counts[rule] ?? 0]));
      const merged = (one: Readonly<Record<string, number>>) => ({
        ...one,
        suppressed: 0,
        'minimum-connecting-time': (one['suppressed'] ?? 0) + (one['minimum-connecting-time'] ?? 0),
      });
      const isDated = hasDates(world);
      expect(isDated ? merged(refused) : refused, `seed ${seed}`).toEqual(isDated ? merged(expected) : expected);
    }
    // Departures after more than a day, or elsewhere, are not considered.
    const counted = ruleNames.filter((rule) => rule !== 'connection-point' && rule !== 'maximum-connecting-time');
    expect([...seen.keys()].toSorted()).toEqual(counted.toSorted());
  },
);

/** Describes a record on a date. */
const describeOn = (of: ConnectingRecord, date: LocalDate) => {
  const { period, departureLocalMinutes, arrivalLocalMinutes, lastLegArrivalDays } = of.record;
  const { of: _, ...times } = toDatedFlight(of, date);
  return {
    flight: of.flight,
    fingerprint: of.fingerprint,
    record: { period, departureLocalMinutes, arrivalLocalMinutes, lastLegArrivalDays },
    times,
  };
};

const nameOf = ({ flight }: ConnectingRecord): string => toDesignatorKey(flight);
const inOrder = (descriptions: readonly ReturnType<typeof describeOn>[]) =>
  descriptions.toSorted((one, other) =>
    JSON.stringify(one.record) + one.flight.airports.length <
    JSON.stringify(other.record) + other.flight.airports.length
      ? -1
      : 1,
  );

test(
  'finds a flight by its designator and date, with every pair of points, as it was added to the set',
  { timeout: 300_000 },
  () => {
    let matches = 0;
    for (const { seed, world } of createWorlds(50_001, 60)) {
      const set = buildWorldSet(world);
      for (const [name, records] of Map.groupBy(buildWorldRecords(world), nameOf))
        for (let date = world.from as LocalDate; date < world.from + world.days; date = addDays(date, 1)) {
          const flights = listDepartingOn(
            listFlightRecords(set, records[0]?.flight ?? { carrier: '', flightNumber: 0, suffix: '' }),
            date,
          );
          const expected = records.filter(({ record }) => operatesOn(record.period, date));
          matches += flights.length;
          expect(
            inOrder(flights.map((one) => describeOn(one, date))),
            `seed ${seed}: ${name} on ${formatDate(date)}`,
          ).toEqual(inOrder(expected.map((one) => describeOn(one, date))));
        }
    }
    expect(matches).toBeGreaterThan(3_000);
  },
);
