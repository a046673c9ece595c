import { describe, expect, test } from 'vitest';
import { addDays, toDate, formatDate, formatTime } from '#domain/time/dates.ts';
import { computeInstance, listInstances, type ZoneLookup } from '#domain/schedule/instances.ts';
import { toDaySet, listDepartureDates, operatesOn, listWeekdays } from '#domain/time/period.ts';
import { buildScheduleRecords } from '#domain/schedule/schedule-records.ts';
import type { ScheduleRecord, UtcTimes } from '#domain/schedule/schedule-records.ts';
import type { FlightSegment, Itinerary } from '#domain/schedule/schedule.ts';
import { buildSegments } from '#domain/schedule/segments.ts';
import { buildCarrierFile, buildFile, buildLeg, readFileText } from '#test/feeds/ssim/build-file.ts';
import { findStation } from '../connections/worlds/random/setting.ts';
import { listWorlds } from '../connections/worlds/random-worlds.ts';

type Times = readonly [departsAtLocal: number, arrivesAtLocal: number, departsAtUtc: number, arrivesAtUtc: number];

const byPair = ([a = 0, b = 0]: readonly number[], [c = 0, d = 0]: readonly number[]): number => a - c || b - d;
const byTime = (one: Times, other: Times): number => one[0] - other[0] || one[2] - other[2];

/** Every flight of a record, day by day, by the instructions of the contract. */
const flightsOf = (record: ScheduleRecord): readonly Times[] =>
  [...listDepartureDates(record.period)].map((date) => {
    const utc = record.clockChanges.findLast(({ from }) => from <= date) ?? record;
    const { departureLocalMinutes, arrivalLocalMinutes } = record;
    const [local, start] = [[departureLocalMinutes, arrivalLocalMinutes], date * 1440] as const;
    return [start + local[0], start + local[1], start + utc.departureUtcMinutes, start + utc.arrivalUtcMinutes];
  });

const zoneOf: ZoneLookup = (station) => findStation(station)?.zone;

/** The same flights, expanded date by date like Flight Info, with local times as filed. */
const expand = (segment: FlightSegment, { legs: [firstLeg] }: Itinerary): readonly Times[] => {
  const { period } = segment.legs[0];
  const times: Times[] = [];
  for (let date = addDays(period.from, -3); date <= addDays(period.to, 3); date = addDays(date, 1))
    for (const one of listInstances(segment, date, { firstLeg, zoneOf }))
      times.push([one.filed.departsAt, one.filed.arrivesAt, one.departsAtUtc, one.arrivesAtUtc]);
  return times;
};

const recordsOf = (segment: FlightSegment, { legs: [firstLeg] }: Itinerary): readonly ScheduleRecord[] =>
  buildScheduleRecords(segment, { firstLeg, zoneOf });

/** Itineraries of one to three legs, many near clock changes. */
function* listItineraries(): Generator<{ readonly itinerary: Itinerary; readonly message: string }> {
  for (const kind of ['slow', 'year'] as const)
    for (const { seed, world } of listWorlds(kind))
      for (const itinerary of world.itineraries) yield { itinerary, message: `world ${seed} of kind ${kind}` };
}

describe('the records of any segment', () => {
  test('have exactly its flights: the same times, local and UTC, on the same dates', () => {
    let [split, changed] = [0, 0];
    for (const { itinerary, message } of listItineraries())
      for (const segment of buildSegments(itinerary)) {
        const records = recordsOf(segment, itinerary);
        if (records.length > 1) split += 1;
        changed += records.filter(({ clockChanges }) => clockChanges.length > 0).length;
        const expected = expand(segment, itinerary).toSorted(byTime);
        expect(records.flatMap(flightsOf).toSorted(byTime), message).toEqual(expected);
      }
    expect(split).toBeGreaterThan(50);
    expect(changed).toBeGreaterThan(100);
  });

  test('contain the number of days of the last leg on each date', () => {
    for (const { itinerary, message } of listItineraries()) {
      const context = { firstLeg: itinerary.legs[0], zoneOf };
      const segments = buildSegments(itinerary);
      const [whole, lastLeg] = [segments.at(-1), segments[itinerary.legs.length - 1]];
      if (!whole || !lastLeg) throw new Error('no segment');
      const [first, last] = [whole.legs[0], lastLeg.legs[0]];
      const shift = last.departure.dateVariation - first.departure.dateVariation;
      const filed = [...listDepartureDates(first.period)].map((date) => {
        const { departsAtLocal, arrivesAtLocal } = computeInstance(lastLeg, addDays(date, shift), context);
        const days = toDate(arrivesAtLocal) - toDate(departsAtLocal);
        return [toDate(computeInstance(whole, date, context).departsAtLocal), days];
      });
      const arrivalDays = buildScheduleRecords(whole, context).flatMap(({ period, lastLegArrivalDays }) =>
        [...listDepartureDates(period)].map((date) => [date, lastLegArrivalDays]),
      );
      expect(arrivalDays.toSorted(byPair), message).toEqual(filed.toSorted(byPair));
    }
  });

  test('are minimal: a clock change is a date of operation with new times, and a split changes a local time', () => {
    for (const { itinerary, message } of listItineraries())
      for (const segment of buildSegments(itinerary)) {
        const records = recordsOf(segment, itinerary);
        for (const { period, clockChanges, departureLocalMinutes, ...first } of records) {
          expect(departureLocalMinutes >= 0 && departureLocalMinutes < 1440, message).toBe(true);
          let before = { departureUtcMinutes: first.departureUtcMinutes, arrivalUtcMinutes: first.arrivalUtcMinutes };
          for (const { from, ...times } of clockChanges) {
            expect(operatesOn(period, from), message).toBe(true);
            expect(times, message).not.toEqual(before);
            before = times;
          }
        }
        const isLocal = segment.legs[0].timeMode === 'local';
        const isUncut = records.every(({ clockChanges }) => clockChanges.length === 0);
        expect(isLocal ? records.length <= 1 : isUncut, message).toBe(true);
      }
  });
});

/** `HH:mm`, with the days from the local departure date. */
const clock = (minutes: number): string => {
  const days = Math.floor(minutes / 1440);
  return `${formatTime(minutes - days * 1440)}${days === 0 ? '' : days > 0 ? `+${days}` : days}`;
};

const utcText = (times: UtcTimes): string => `${clock(times.departureUtcMinutes)} ${clock(times.arrivalUtcMinutes)}`;

/** A readable form of a record: dates, days, local times, UTC times and their changes. */
const noted = (record: ScheduleRecord): readonly string[] => [
  `${formatDate(record.period.from)} ${formatDate(record.period.to)} ${listWeekdays(record.period.days).join('')}/${record.period.everyWeeks}`,
  `local ${clock(record.departureLocalMinutes)} ${clock(record.arrivalLocalMinutes)}, last leg ${record.lastLegArrivalDays}`,
  `utc ${utcText(record)}`,
  ...record.clockChanges.map((change) => `from ${formatDate(change.from)} utc ${utcText(change)}`),
];

const notedFile = async (text: string): Promise<readonly (readonly string[])[]> => {
  const { itineraries } = await readFileText(text);
  return itineraries.flatMap((itinerary) =>
    buildSegments(itinerary).flatMap((segment) => recordsOf(segment, itinerary).map(noted)),
  );
};

test('a schedule in local time is one record, with the dates from which its UTC times change', async () => {
  const leg = buildLeg({ 15: '01MAR26', 22: '30APR26', 29: '1  4  7', 48: '+0000', 66: '-0500' });
  expect(await notedFile(buildFile(leg))).toEqual([
    [
      '2026-03-01 2026-04-30 147/1',
      'local 11:00 14:00, last leg 0',
      'utc 11:00 19:00',
      // New York changes on Sunday 8 March, London on Sunday 29 March.
      'from 2026-03-08 utc 11:00 18:00',
      'from 2026-03-29 utc 10:00 18:00',
    ],
  ]);
});

test('a clock change on the last day of the period, or after the first flight by UTC, still counts', async () => {
  const route = { 37: 'JFK', 40: '0330', 44: '0330', 48: '-0500', 55: 'LAX', 58: '0700', 62: '0700', 66: '-0800' };
  const lastDay = buildLeg({ 15: '01MAR26', 22: '08MAR26', ...route });
  expect(await notedFile(buildFile(lastDay))).toEqual([
    [
      '2026-03-01 2026-03-08 1234567/1',
      'local 03:30 07:00, last leg 0',
      'utc 08:30 15:00',
      'from 2026-03-08 utc 07:30 14:00',
    ],
  ]);
});

test('a schedule in UTC is cut where its local times change with a clock', async () => {
  // 12:30 UTC is 00:30 in Auckland in winter and 01:30 in summer, from Sunday 27 September on; Singapore keeps its clock.
  const auckland = { 37: 'AKL', 40: '1230', 44: '1230', 48: '+1200', 55: 'SIN', 58: '2330', 62: '2330', 66: '+0800' };
  const daily = buildLeg({ 15: '24SEP26', 22: '30SEP26', ...auckland });
  expect(await notedFile(buildCarrierFile({ 2: 'U' }, daily))).toEqual([
    ['2026-09-25 2026-09-27 567/1', 'local 00:30 07:30, last leg 0', 'utc 12:30-1 23:30-1'],
    ['2026-09-28 2026-10-01 1234/1', 'local 01:30 07:30, last leg 0', 'utc 12:30-1 23:30-1'],
  ]);
  // Every other week, on Friday and Sunday by UTC: the clock changes in the middle of a week that operates.
  const fortnightly = buildLeg({ 15: '11SEP26', 22: '31OCT26', 29: '    5 7', 36: '2', ...auckland });
  expect(await notedFile(buildCarrierFile({ 2: 'U' }, fortnightly))).toEqual([
    ['2026-09-12 2026-09-26 16/2', 'local 00:30 07:30, last leg 0', 'utc 12:30-1 23:30-1'],
    ['2026-09-28 2026-09-28 1/1', 'local 01:30 07:30, last leg 0', 'utc 12:30-1 23:30-1'],
    ['2026-10-10 2026-10-26 16/2', 'local 01:30 07:30, last leg 0', 'utc 12:30-1 23:30-1'],
  ]);
});

test('a segment that never operates has no record', async () => {
  const [itinerary] = (await readFileText(buildFile(buildLeg()))).itineraries;
  const [segment] = itinerary ? buildSegments(itinerary) : [];
  if (!itinerary || !segment) throw new Error('no segment');
  const [first] = segment.legs;
  const never = { ...first, period: { ...first.period, to: first.period.from, days: toDaySet(7) } };
  expect(buildScheduleRecords({ ...segment, legs: [never] }, { firstLeg: never, zoneOf })).toEqual([]);
});
