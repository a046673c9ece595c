import { createReadStream, readFileSync } from 'node:fs';
import { createGunzip, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

import { formatDate, formatTime } from '../../../src/domain/time/dates.ts';
import { listDepartureDates } from '../../../src/domain/time/period.ts';
import type { CarrierSchedule, ScheduleLeg } from '../../../src/domain/schedule/schedule.ts';
import { buildSegments } from '../../../src/domain/schedule/segments.ts';
import { countReasons, createLoadReport, type LoadReport } from '../../../src/feeds/load-report.ts';
import { readSchedules } from '../../../src/feeds/ssim/read-schedules.ts';
import { findSharedData } from '../../support/shared-data.ts';

const real = findSharedData('ssim/gna_sample.ssim');
const derived = findSharedData('ssim/bts_derived_2015-01-01_02.ssim.gz');
const source = findSharedData('bts/bts_ontime_2015-01-01_02_all_carriers.csv.gz');
const synthetic = findSharedData('ssim/SYNTHETIC_global_2026-11-02_2027-02-28.ssim.gz');
if (!real || !derived || !source || !synthetic)
  console.warn('The shared data is absent: tests on real schedule files are skipped.');

const read = async (
  path = '',
): Promise<{ readonly schedules: readonly CarrierSchedule[]; readonly report: LoadReport }> => {
  const report = createLoadReport(path);
  const file = createReadStream(path);
  return { schedules: await readSchedules(path.endsWith('.gz') ? file.pipe(createGunzip()) : file, report), report };
};

const legsOf = (schedules: readonly CarrierSchedule[]): readonly ScheduleLeg[] =>
  schedules.flatMap(({ itineraries }) => itineraries.flatMap(({ legs }) => legs));

test.skipIf(!real)(
  'a real schedule of one season loads completely, and each correction and anomaly is reported',
  async () => {
    const { schedules, report } = await read(real);
    expect(report.accepted).toEqual({ header: 1, carrier: 2, leg: 514, trailer: 2, filler: 28, itinerary: 464 });
    expect(countReasons(report, 'quarantined')).toEqual({});
    // All date variations of this file are blank; 74 legs land after midnight.
    expect(countReasons(report, 'corrected')).toEqual({ 'arrival-date-inferred': 74 });
    // Flight 974 misses a middle leg in 22 variations, and the second carrier record repeats the serial number of the first trailer.
    expect(countReasons(report, 'notice')).toEqual({
      'legs-not-aligned': 22,
      'serial-gap': 1,
      'early-end': 1,
      'outside-validity': 1,
    });
    expect(schedules.map(({ carrier, from, to }) => [carrier, formatDate(from), formatDate(to)])).toEqual([
      ['XX', '2005-06-09', '2005-10-30'],
    ]);
    const lengths = Object.fromEntries(
      [...Map.groupBy(schedules[0]?.itineraries ?? [], ({ legs }) => legs.length)].map(([legs, itineraries]) => [
        legs,
        itineraries.length,
      ]),
    );
    expect(lengths).toEqual({ 1: 422, 2: 34, 3: 8 });
  },
);

test.skipIf(!derived || !source)('a schedule made from flown flights returns exactly those flights', async () => {
  const { schedules, report } = await read(derived);
  expect(report.accepted).toMatchObject({ carrier: 14, leg: 23_488, trailer: 14 });
  expect(countReasons(report, 'quarantined')).toEqual({});
  // One flight crosses the date line eastwards, which its sender did not file.
  expect(countReasons(report, 'corrected')).toEqual({ 'arrival-date-inferred': 1 });
  expect(countReasons(report, 'notice')).toEqual({ 'serial-restart': 13 });
  expect(
    schedules.flatMap(({ itineraries }) => itineraries).filter(({ legs, complete }) => complete && legs.length > 1),
  ).toHaveLength(3515);

  const key = (parts: readonly (string | number)[]): string => parts.join(' ');
  const expanded = legsOf(schedules).flatMap((leg) =>
    [...listDepartureDates(leg.period)].map((date) => {
      const elapsed =
        leg.arrival.aircraftMinutes -
        leg.arrival.utcVariationMinutes -
        leg.departure.aircraftMinutes +
        leg.departure.utcVariationMinutes +
        1440 * (leg.arrival.dateVariation - leg.departure.dateVariation);
      const times = [formatTime(leg.departure.aircraftMinutes), formatTime(leg.arrival.aircraftMinutes % 1440)];
      return key([
        leg.carrier,
        leg.flightNumber,
        formatDate(date),
        leg.departure.station,
        leg.arrival.station,
        ...times,
        elapsed,
      ]);
    }),
  );
  const [head = '', ...rows] = gunzipSync(readFileSync(source ?? ''))
    .toString('latin1')
    .trimEnd()
    .split('\n');
  const columns = head.trim().split(',');
  const at = (row: readonly string[], name: string): string => row[columns.indexOf(name)] ?? '';
  const clock = (text: string): string => formatTime((Number(text.slice(0, -2)) * 60 + Number(text.slice(-2))) % 1440);
  const flown = rows.map((line) => {
    const row = line.trim().split(',');
    const date = [at(row, 'YEAR'), at(row, 'MONTH').padStart(2, '0'), at(row, 'DAY').padStart(2, '0')].join('-');
    const flight = [
      at(row, 'AIRLINE'),
      Number(at(row, 'FLIGHT_NUMBER')),
      date,
      at(row, 'ORIGIN_AIRPORT'),
      at(row, 'DESTINATION_AIRPORT'),
    ];
    return key([
      ...flight,
      clock(at(row, 'SCHEDULED_DEPARTURE').padStart(4, '0')),
      clock(at(row, 'SCHEDULED_ARRIVAL').padStart(4, '0')),
      Math.trunc(Number(at(row, 'SCHEDULED_TIME'))),
    ]);
  });
  expect(expanded).toHaveLength(30_691);
  expect(expanded.toSorted()).toEqual(flown.toSorted());
});

describe.skipIf(!synthetic)('a worldwide schedule', () => {
  test('loads completely', { timeout: 240_000 }, async () => {
    const { schedules, report } = await read(synthetic);
    expect(report.accepted).toEqual({
      header: 1,
      carrier: 663,
      leg: 122_384,
      trailer: 663,
      filler: 5308,
      itinerary: 122_384,
    });
    expect(countReasons(report, 'quarantined')).toEqual({});
    expect(countReasons(report, 'corrected')).toEqual({ 'arrival-date-inferred': 34 });
    expect(countReasons(report, 'notice')).toEqual({ 'serial-restart': 662, 'arrival-at-0000': 174 });
    const segments = schedules.flatMap(({ itineraries }) => itineraries.flatMap(buildSegments));
    expect([segments.length, segments.filter(({ isMarketing }) => isMarketing).length]).toEqual([122_384, 0]);
    const [first] = schedules;
    expect(first && [first.carrier, formatDate(first.from), formatDate(first.to)]).toEqual([
      '0B',
      '2026-11-02',
      '2027-02-28',
    ]);
  });
});
