import { createReadStream, readFileSync } from 'node:fs';
import { createGunzip, gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { formatDate, formatTime } from '#domain/time/dates.ts';
import { listDepartureDates } from '#domain/time/period.ts';
import type { CarrierSchedule, ScheduleLeg } from '#domain/schedule/schedule.ts';
import { buildSegments } from '#domain/schedule/segments.ts';
import { countReasons, createLoadReport, type LoadReport } from '#feeds/load-report.ts';
import { readSchedules } from '#feeds/ssim/read-schedules.ts';
import { findSharedData } from '#test/support/shared-data.ts';
import { splitIntoChunks } from './build-file.ts';

const derived = findSharedData('ssim/bts_derived_2015-01-01_02.ssim.gz');
const source = findSharedData('bts/bts_ontime_2015-01-01_02_all_carriers.csv.gz');
const synthetic = findSharedData('ssim/SYNTHETIC_global_2026-11-02_2027-02-28.ssim.gz');
if (!derived || !source || !synthetic)
  console.warn('The shared data is absent: tests on real schedule files are skipped.');

type Loaded = { readonly schedules: readonly CarrierSchedule[]; readonly report: LoadReport };

const readStream = async (bytes: AsyncIterable<Uint8Array>): Promise<Loaded> => {
  const report = createLoadReport('test');
  return { schedules: await readSchedules(bytes, report), report };
};
const readFile = async (path: string): Promise<Loaded> => {
  const file = createReadStream(path);
  return readStream(path.endsWith('.gz') ? file.pipe(createGunzip()) : file);
};

const countRemarks = (report: LoadReport) => ({
  quarantined: countReasons(report, 'quarantined'),
  corrected: countReasons(report, 'corrected'),
  notice: countReasons(report, 'notice'),
});

/** Formats the operating days of a leg as `XX 12 2015-01-01 JFK ORD 08:00 09:30 150`, with the elapsed minutes. */
const formatFlights = ({ carrier, flightNumber, departure, arrival, period }: ScheduleLeg): readonly string[] => {
  const elapsed =
    arrival.aircraftMinutes -
    arrival.utcVariationMinutes -
    (departure.aircraftMinutes - departure.utcVariationMinutes) +
    1440 * (arrival.dateVariation - departure.dateVariation);
  const times = [formatTime(departure.aircraftMinutes), formatTime(arrival.aircraftMinutes % 1440), elapsed];
  return [...listDepartureDates(period)].map((date) =>
    [carrier, flightNumber, formatDate(date), departure.station, arrival.station, ...times].join(' '),
  );
};

const formatRows = (path: string): readonly string[] => {
  const clock = (text = ''): string => formatTime((Number(text.slice(0, -2)) * 60 + Number(text.slice(-2))) % 1440);
  const rows: readonly Readonly<Record<string, string>>[] = parse(gunzipSync(readFileSync(path)), { columns: true });
  return rows.map((row) => {
    const date = [row['YEAR'], row['MONTH']?.padStart(2, '0'), row['DAY']?.padStart(2, '0')].join('-');
    const airports = [row['ORIGIN_AIRPORT'], row['DESTINATION_AIRPORT']];
    const flight = [row['AIRLINE'], Number(row['FLIGHT_NUMBER']), date, ...airports];
    const times = [clock(row['SCHEDULED_DEPARTURE']), clock(row['SCHEDULED_ARRIVAL']), Number(row['SCHEDULED_TIME'])];
    return [...flight, ...times].join(' ');
  });
};

test.skipIf(!derived || !source)('a schedule made from flown flights returns exactly those flights', async () => {
  const { schedules, report } = await readFile(derived ?? '');
  expect(report.accepted).toMatchObject({ carrier: 14, leg: 23_488, trailer: 14 });
  // One flight crosses the date line eastwards, which its sender did not file.
  const [corrected, notice] = [{ 'arrival-date-inferred': 1 }, { 'serial-restart': 13 }];
  expect(countRemarks(report)).toEqual({ quarantined: {}, corrected, notice });
  const itineraries = schedules.flatMap((schedule) => schedule.itineraries);
  expect(itineraries.filter(({ legs, complete }) => complete && legs.length > 1)).toHaveLength(3515);
  const expanded = itineraries.flatMap(({ legs }) => legs.flatMap(formatFlights));
  expect(expanded).toHaveLength(30_691);
  expect(expanded.toSorted()).toEqual(formatRows(source ?? '').toSorted());
});

/** All carriers with LONG_TESTS=1. */
const carriers = process.env['LONG_TESTS'] === '1' ? 663 : 60;

/** Returns a schedule file up to the trailer of its last wanted carrier, which becomes its end. */
const cutAfterCarriers = (path: string): Buffer => {
  const lines = gunzipSync(readFileSync(path)).toString('latin1').split('\n');
  const trailers = lines.flatMap((line, index) => (line.startsWith('5') ? [index] : []));
  const last = trailers[carriers - 1] ?? 0;
  const end = (lines[last] ?? '').replace(/.(?=\d{6}\r?$)/, 'E');
  return Buffer.from([...lines.slice(0, last), end, ''].join('\n'), 'latin1');
};

test.skipIf(!synthetic)(`${carriers} carriers of a worldwide schedule load completely`, async () => {
  const { schedules, report } = await readStream(splitIntoChunks(cutAfterCarriers(synthetic ?? ''), 1 << 16));
  const [legs, filler, atMidnight] = carriers === 663 ? [122_384, 5304, 174] : [4902, 480, 5];
  const records = { header: 1, carrier: carriers, leg: legs, trailer: carriers, filler };
  expect(report.accepted).toEqual({ ...records, itinerary: legs });
  expect(countRemarks(report)).toEqual({
    quarantined: {},
    corrected: carriers === 663 ? { 'arrival-date-inferred': 34 } : {},
    notice: { 'serial-restart': carriers - 1, 'arrival-at-0000': atMidnight },
  });
  const segments = schedules.flatMap(({ itineraries }) => itineraries.flatMap((each) => buildSegments(each)));
  expect([segments.length, segments.filter(({ isMarketing }) => isMarketing).length]).toEqual([legs, 0]);
  const dates = schedules.map(({ from, to }) => `${formatDate(from)} ${formatDate(to)}`);
  expect([schedules[0]?.carrier, ...new Set(dates)]).toEqual(['0B', '2026-11-02 2027-02-28']);
});
