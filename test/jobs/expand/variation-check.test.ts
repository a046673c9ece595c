import { expect, test } from 'vitest';
import { addDays, localDate, type LocalMinute, type UtcMinute } from '#domain/time/dates.ts';
import type { Moment, SegmentInstance } from '#domain/schedule/instances.ts';
import type { ScheduleLeg } from '#domain/schedule/schedule.ts';
import { VariationCheck } from '#jobs/expand/variation-check.ts';
import { sampleLeg } from '#test/domain/schedule/sample-leg.ts';

const start = localDate('2026-01-01');
const hour = 60;

/** A flight of a record that departs at a station with the filed and the right offset, hours, and arrives somewhere without a difference. */
type Flight = { readonly line: number; readonly filed: number; readonly right: number };

const buildFlight = ({
  line,
  filed,
  right,
}: Flight): { readonly leg: ScheduleLeg; readonly instance: SegmentInstance } => {
  const leg = {
    ...sampleLeg,
    line,
    departure: { ...sampleLeg.departure, station: 'AAA', utcVariationMinutes: filed * hour },
    arrival: { ...sampleLeg.arrival, station: `B${line}`, utcVariationMinutes: 0 },
  };
  const createMoment = (offset: number, mismatch: boolean): Moment => {
    const local = (1000 + offset * hour) as LocalMinute;
    return { local, filedLocal: local, utc: 1000 as UtcMinute, mismatch };
  };
  const byZone = { departure: createMoment(right, filed !== right), arrival: createMoment(0, false) };
  const [departsAtLocal, arrivesAtLocal] = [byZone.departure.local, byZone.arrival.local];
  const instance: SegmentInstance = {
    originDate: start,
    departsAtLocal,
    departsAtUtc: byZone.departure.utc,
    arrivesAtLocal,
    arrivesAtUtc: byZone.arrival.utc,
    filed: { departsAt: departsAtLocal, arrivesAt: arrivesAtLocal },
    byZone,
    utcAsFiled: false,
  };
  return { leg, instance };
};

/** Adds the flights of each day of a span, and returns the differences of stations and the lines of legs, with their days. */
const check = (days: number, flightsOn: (day: number) => readonly Flight[]) => {
  const variations = new VariationCheck();
  for (let day = 0; day < days; day++)
    for (const flight of flightsOn(day)) {
      const { leg, instance } = buildFlight(flight);
      variations.add(addDays(start, day), leg, instance);
    }
  const stations = variations.listStations();
  return {
    stations: stations.map(({ filed, byZone, records, movements, days: differing }) => ({
      offsets: [filed / hour, byZone / hour],
      records,
      movements,
      days: differing.toString(),
    })),
    legs: variations.listLegs(stations).map(({ leg, days: differing }) => [leg.line, differing.toString()]),
  };
};

const summer = 100;

test('all records differ on all days', () => {
  const { stations, legs } = check(30, () => [
    { line: 1, filed: -6, right: -7 },
    { line: 2, filed: -6, right: -7 },
  ]);
  const days = '30 days (2026-01-01 to 2026-01-30)';
  expect(stations).toEqual([{ offsets: [-6, -7], records: 2, movements: 60, days }]);
  expect(legs).toEqual([]);
});

test('one record alone is no evidence against the zone of its station', () => {
  const { stations, legs } = check(30, () => [{ line: 1, filed: -6, right: -7 }]);
  expect([stations, legs]).toEqual([[], [[1, '30 days (2026-01-01 to 2026-01-30)']]]);
});

test('all records have a summer time that the zone lacks, and on the day of the change some have both variations', () => {
  const { stations, legs } = check(200, (day) => [
    { line: 1, filed: day < summer ? -6 : -5, right: -6 },
    { line: 2, filed: day <= summer ? -6 : -5, right: -6 },
  ]);
  const days = '100 days (2026-04-11 to 2026-07-19)';
  expect(stations).toEqual([{ offsets: [-5, -6], records: 2, movements: 199, days }]);
  expect(legs).toEqual([]);
});

test('all records lack a summer time that the zone has', () => {
  const right = (day: number): number => (day >= summer && day < 200 ? -3 : -4);
  const { stations } = check(300, (day) => [1, 2, 3].map((line) => ({ line, filed: -4, right: right(day) })));
  expect(stations).toMatchObject([{ offsets: [-4, -3], records: 3, days: '100 days (2026-04-11 to 2026-07-19)' }]);
});

test('records that keep the variation of the other season for some days after a clock change are reported one by one', () => {
  const delayed = (delay: number) =>
    check(200, (day) =>
      [1, 2].map((line) => ({ line, filed: day < summer + delay ? 1 : 2, right: day < summer ? 1 : 2 })),
    );
  const days = '13 days (2026-04-11 to 2026-04-23)';
  const legs = [
    [1, days],
    [2, days],
  ];
  expect(delayed(13)).toEqual({ stations: [], legs });
  expect(delayed(14).stations).toMatchObject([{ records: 2, days: '14 days (2026-04-11 to 2026-04-24)' }]);
});

test('a record that differs from others on the same days is reported alone', () => {
  const { stations, legs } = check(30, () => [
    { line: 1, filed: -7, right: -7 },
    { line: 2, filed: -6, right: -7 },
    { line: 3, filed: -6, right: -7 },
  ]);
  const days = '30 days (2026-01-01 to 2026-01-30)';
  expect([stations, legs]).toEqual([
    [],
    [
      [2, days],
      [3, days],
    ],
  ]);
});

test('records that file different variations are reported one by one', () => {
  const { stations, legs } = check(30, () => [
    { line: 1, filed: -6, right: -7 },
    { line: 2, filed: -5, right: -7 },
  ]);
  expect([stations, legs.map(([line]) => line)]).toEqual([[], [1, 2]]);
});

test('records that differ on days between those of right records are reported one by one', () => {
  const { stations, legs } = check(60, (day) =>
    day % 7 === 0
      ? [{ line: 1, filed: -7, right: -7 }]
      : day % 7 < 3
        ? [{ line: day % 7, filed: -6, right: -7 }].map((flight) => ({ ...flight, line: flight.line + 1 }))
        : [],
  );
  expect([stations, legs]).toEqual([
    [],
    [
      [2, '9 days (2026-01-02 to 2026-02-27)'],
      [3, '9 days (2026-01-03 to 2026-02-28)'],
    ],
  ]);
});

test('days that are more than two weeks apart are periods of their own, of which three are named', () => {
  const { legs } = check(200, (day) => (day % 40 < 2 ? [{ line: 1, filed: -6, right: -7 }] : []));
  expect(legs).toEqual([
    [1, '10 days (2026-01-01 to 2026-01-02, 2026-02-10 to 2026-02-11, 2026-03-22 to 2026-03-23, 2 later periods)'],
  ]);
  const single = check(1, () => [{ line: 1, filed: -6, right: -7 }]);
  expect(single.legs).toEqual([[1, '1 day (2026-01-01)']]);
});

test('a flight that several records of a day repeat counts once for the days of its leg', () => {
  const flight = { line: 1, filed: -6, right: -7 };
  expect(check(3, () => [flight, flight]).legs).toEqual([[1, '3 days (2026-01-01 to 2026-01-03)']]);
});
