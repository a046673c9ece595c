import { expect, test } from 'vitest';
import { createConnectionCounter } from '#domain/connections/search/connection-tally.ts';
import { ruleNames } from '#domain/connections/rules/rule-verdict.ts';
import type { ConnectingRecord } from '#domain/connections/flights/connecting-flight.ts';
import { listDepartingOn, listFlightRecords } from '#domain/connections/set/flight-records.ts';
import { toDesignatorKey } from '#domain/schedule/designators.ts';
import { addDays, formatDate, type LocalDate } from '#domain/time/dates.ts';
import { operatesOn } from '#domain/time/period.ts';
import { countRejections, type Group } from './oracle/connections.ts';
import { listInstances } from './oracle/flights.ts';
import { formatConnection } from './oracle/judge.ts';
import { listWorlds } from './random-worlds.ts';
import { describeDatedFlight, describeInstance, hasDuplicateTimes, listDatedFlights } from './world-set.ts';
import { toDatedFlight } from './world-set.ts';

const linesOf = (texts: readonly string[]): readonly string[] => texts.flatMap((text) => text.split('\n')).toSorted();
const listLines = (groups: readonly Group[]): readonly string[] =>
  groups.flatMap((group) => group.map(({ one, other, judged }) => formatConnection(one, other, judged))).toSorted();

test.each([
  ['weeks around a night on which clocks change', 'weeks', 10],
  ['worlds with flights that take days, up to the last day of the set', 'slow', 10],
  ['worlds of a year', 'year', 10],
] as const)('has exactly the connections of nested loops over days and flights in %s', (_, kind, average) => {
  let [worlds, connections] = [0, 0];
  for (const { seed, groups, texts } of listWorlds(kind)) {
    const expected = listLines(groups());
    [worlds, connections] = [worlds + 1, connections + expected.length];
    expect(linesOf(texts()), `seed ${seed} of kind ${kind}`).toEqual(expected);
  }
  expect(connections / worlds).toBeGreaterThan(average);
});

test('connecting flights depart and arrive on the scheduled days and at the scheduled times', () => {
  for (const { seed, world, records } of listWorlds()) {
    const actual = records().flatMap(listDatedFlights).map(describeDatedFlight);
    const flights = listInstances(world);
    expect(actual.toSorted(), `seed ${seed}`).toEqual(flights.map(describeInstance).toSorted());
  }
});

/** If a record depends on the date, a pair can be suppressed on some days and too short on others. */
const mergeDated = (counts: Readonly<Record<string, number>>) => {
  const { suppressed = 0, 'minimum-connecting-time': tooShort = 0, ...others } = counts;
  return { ...others, 'suppressed or too short': suppressed + tooShort };
};

test('the report of a build counts every connection, and each rejected pair by the first rule that forbids it', () => {
  const seen = new Set<string>();
  for (const { seed, world, records, set, texts } of listWorlds()) {
    if (hasDuplicateTimes(records())) continue;
    const counter = createConnectionCounter(set());
    while (!counter.advance(10));
    const counts = countRejections(world);
    for (const rule of Object.keys(counts)) seen.add(rule);
    const expected = Object.fromEntries(ruleNames.map((rule) => [rule, counts[rule] ?? 0]));
    const { rejected, ...totals } = counter.result();
    const isDated = world.mct.records.some(({ from, to }) => from !== undefined || to !== undefined);
    expect(isDated ? mergeDated(rejected) : rejected, `seed ${seed}`).toEqual(
      isDated ? mergeDated(expected) : expected,
    );
    const built = texts().length;
    const candidates = Object.values(rejected).reduce((sum, count) => sum + count, built);
    expect({ ...totals, progress: counter.progress() }, `seed ${seed}`).toEqual({ candidates, built, progress: 1 });
  }
  // Departures after more than a day, or elsewhere, are not considered.
  const counted = ruleNames.filter((rule) => rule !== 'connection-point' && rule !== 'maximum-connecting-time');
  expect([...seen].toSorted()).toEqual(counted.toSorted());
});

const describeOn = (of: ConnectingRecord, date: LocalDate) => {
  const { flight, fingerprint } = of;
  const { period, departureLocalMinutes, arrivalLocalMinutes, lastLegArrivalDays } = of.record;
  const { of: _, ...times } = toDatedFlight(of, date);
  const ofRecord = { period, departureLocalMinutes, arrivalLocalMinutes, lastLegArrivalDays };
  return { flight, fingerprint, record: ofRecord, times };
};

const listOn = (records: readonly ConnectingRecord[], date: LocalDate) =>
  Object.fromEntries(
    records.map((of) => [
      `${JSON.stringify(of.record.period)} ${of.flight.airports.length} ${describeDatedFlight(toDatedFlight(of, date))}`,
      describeOn(of, date),
    ]),
  );

test('finds a flight by its designator and date, with every pair of points, as it was added to the set', () => {
  let matches = 0;
  for (const { seed, world, records, set } of listWorlds('weeks', 30))
    for (const [name, ofDesignator] of Map.groupBy(records(), ({ flight }) => toDesignatorKey(flight)))
      for (let date = world.from as LocalDate; date < world.from + world.days; date = addDays(date, 1)) {
        const [{ flight }] = ofDesignator as [ConnectingRecord];
        const actual = listDepartingOn(listFlightRecords(set(), flight), date);
        const expected = ofDesignator.filter(
          ({ record, cancelledOn }) => operatesOn(record.period, date) && !cancelledOn?.includes(date),
        );
        matches += actual.length;
        expect(actual.length).toBe(expected.length);
        expect(listOn(actual, date), `seed ${seed}: ${name} on ${formatDate(date)}`).toEqual(listOn(expected, date));
      }
  expect(matches).toBeGreaterThan(1_000);
});
