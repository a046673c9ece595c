import { createReadStream, readFileSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstance } from '../../../generated/flight-info/v2/types.gen.ts';
import { localDate } from '../../../src/domain/time/dates.ts';
import { countReasons, type LoadReport } from '../../../src/feeds/load-report.ts';
import { importMasterData } from '../../../src/jobs/import/import-master-data.ts';
import { importSsim } from '../../../src/jobs/import/import-ssim.ts';
import { freshDatabase, type FreshDatabase } from '../../support/database.ts';
import { findSharedData } from '../../support/shared-data.ts';

const master = findSharedData('master');
const bts = findSharedData('ssim/bts_derived_2015-01-01_02.ssim.gz');
const rows = findSharedData('bts/bts_ontime_2015-01-01_02_all_carriers.csv.gz');
const gna = findSharedData('ssim/gna_sample.ssim');
const absent = !master || !bts || !rows || !gna;
if (absent) console.warn('the shared data set is absent: real schedules are not loaded in this run');

const today = localDate('2026-11-21');

type Leg = { readonly departs: string; readonly arrives: string; readonly minutes: number };

/**
 * Counts departures of June and July 2005 straight from the bytes of the leg records: every date of a period, one by
 * one.
 */
const departuresByBytes = (text: string): number => {
  const date = (bytes: string): number =>
    Date.parse(`${bytes.slice(0, 2)} ${bytes.slice(2, 5)} 20${bytes.slice(5)} UTC`);
  let count = 0;
  for (const line of text.split('\n').filter((each) => each.startsWith('3')))
    for (let at = date(line.slice(14, 21)); at <= date(line.slice(21, 28)); at += 86_400_000) {
      const weekday = new Date(at).getUTCDay() || 7;
      const isInWindow = at >= Date.UTC(2005, 5, 1) && at < Date.UTC(2005, 6, 31);
      if (isInWindow && line.slice(28, 35).includes(String(weekday))) count += 1;
    }
  return count;
};

describe.skipIf(absent)('real schedules', () => {
  let fresh: FreshDatabase;
  let report: LoadReport;
  beforeAll(async () => {
    fresh = await freshDatabase();
    await importMasterData({ sql: fresh.sql, dir: master ?? '', log: () => {} });
    report = await importSsim({ db: fresh.sql, file: bts ?? '', today, horizonDays: 60 });
  }, 300_000);
  afterAll(() => fresh.drop());

  test('the US domestic schedule of two days loads without a record in quarantine', () => {
    expect(countReasons(report, 'quarantined')).toEqual({});
    expect(report.accepted).toMatchObject({ leg: 23_488, carrier: 14 });
  });

  test('its legs are exactly the flights that were operated, with their scheduled times to the minute', async () => {
    const legs = await fresh.sql<
      { doc: string }[]
    >`select doc from flight_instance where departs_at >= '2015-01-01' and departs_at < '2015-01-03'`;
    const legsByFlight = new Map<string, Leg[]>();
    for (const { doc } of legs) {
      const flight: FlightInstance = JSON.parse(doc);
      if (flight.segmentInfo.numberOfStops > 0) continue;
      const { departure, arrival } = flight;
      const name = `${flight.carrier.iata}${flight.flightNumber} ${departure.airport.iata}-${arrival.airport.iata} ${departure.date.local}`;
      const leg = { departs: departure.time.local, arrives: arrival.time.local, minutes: flight.elapsedTime };
      legsByFlight.set(name, [...(legsByFlight.get(name) ?? []), leg]);
    }
    expect([...legsByFlight.values()].flat()).toHaveLength(30_691);

    const time = (text: string): string => {
      const digits = text === '2400' ? '0000' : text.padStart(4, '0');
      return `${digits.slice(0, 2)}:${digits.slice(2)}`;
    };
    const missing: string[] = [];
    let read = 0;
    const file: AsyncIterable<readonly string[]> = createReadStream(rows ?? '')
      .pipe(createGunzip())
      .pipe(parse({ from: 2 }));
    for await (const row of file) {
      read += 1;
      const at = (column: number): string => row[column] ?? '';
      const date = `${at(0)}-${at(1).padStart(2, '0')}-${at(2).padStart(2, '0')}`;
      const name = `${at(4)}${at(5)} ${at(7)}-${at(8)} ${date}`;
      const expected = JSON.stringify({ departs: time(at(9)), arrives: time(at(20)), minutes: Number(at(14)) });
      const candidates = legsByFlight.get(name) ?? [];
      const index = candidates.findIndex((leg) => JSON.stringify(leg) === expected);
      if (index === -1) missing.push(`${name} ${expected}`);
      else candidates.splice(index, 1);
    }
    expect(read).toBe(30_691);
    expect(missing).toEqual([]);
  });

  test('a real schedule of one carrier loads, and every correction is reported', async () => {
    const real = await importSsim({
      db: fresh.sql,
      file: gna ?? '',
      today,
      horizonDays: 60,
      window: { from: localDate('2005-06-01'), days: 60 },
    });
    const legs = await fresh.sql<{ doc: string }[]>`select doc from flight_instance where departs_at < '2006-01-01'`;
    const flown = legs.filter(({ doc }) => doc.includes('"numberOfStops":0')).length;
    expect(flown).toBe(departuresByBytes(readFileSync(gna ?? '', 'latin1')));
    const [row] = await fresh.sql<
      { count: bigint }[]
    >`select count(*) from flight_instance where departs_at < '2006-01-01'`;
    expect({
      accepted: real.accepted['leg'],
      quarantined: countReasons(real, 'quarantined'),
      corrected: countReasons(real, 'corrected'),
      notices: countReasons(real, 'notice'),
      instances: Number(row?.count),
    }).toMatchInlineSnapshot(`
      {
        "accepted": 514,
        "corrected": {
          "arrival-date-inferred": 74,
        },
        "instances": 1248,
        "notices": {
          "carrier-unknown": 1,
          "early-end": 1,
          "legs-not-aligned": 22,
          "outside-validity": 1,
          "serial-gap": 1,
        },
        "quarantined": {},
      }
    `);
  });
});
