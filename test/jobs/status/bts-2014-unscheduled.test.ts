import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstance } from '../../../generated/flight-info/v2/types.gen.ts';
import type { LoadReport } from '../../../src/feeds/load-report.ts';
import { findSharedData } from '../../support/shared-data.ts';
import { expectedStatus, readAirports, toComparableStatus, type Airports } from './diversion-status.ts';
import { readFlownRows, type FlownRow } from './flown-rows.ts';
import { dumpStatuses } from './messages.ts';
import { formatTypedFlight, formatFlight, openRealWorld, getStatus, type RealWorld } from './real-world.ts';
import { allDays, publishSchedulesOfRows } from './row-schedules.ts';

const airportsFile = findSharedData('master/airportsdata_airports.csv.gz');
const sample = findSharedData('bts/bts_2014-01-01_15_sample_with_diversions.csv.gz');
const absent = !airportsFile || !sample;
if (absent) console.warn('The shared data is absent: unscheduled flights are tested on small inputs only.');

const isRecovery = (flight: FlightInstance): boolean => getStatus(flight).irregularOperationType === 'Recovery';

describe.skipIf(absent)('real flights that landed elsewhere, without a schedule that contains them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'flightdata-bts-'));
  const file = join(folder, 'diverted.csv.gz');
  let world: RealWorld;
  let rows: readonly FlownRow[] = [];
  let airports: Airports = new Map();
  let report: LoadReport;
  let flights: readonly FlightInstance[] = [];

  beforeAll(async () => {
    const [header = '', ...lines] = gunzipSync(readFileSync(sample ?? ''))
      .toString()
      .split('\n');
    const all = readFlownRows(sample ?? '');
    const diverted = lines.filter((_, index) => all[index] && all[index].stops.length > 0);
    writeFileSync(file, gzipSync([header, ...diverted].join('\n')));
    rows = readFlownRows(file);
    airports = readAirports(airportsFile ?? '');
    world = await openRealWorld();
    report = await world.importOnTime(file);
    flights = await world.search({ DepartureDateTime: allDays, Content: 'Status' });
  }, 300_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await world?.drop();
  });

  test('every row makes an unscheduled flight, and 65 make a recovery flight besides, without a link', () => {
    expect(report.accepted).toEqual({ messages: 1067, 'of flights that no schedule holds': 1067 });
    const others = flights.filter((flight) => !isRecovery(flight));
    expect(others.map(formatTypedFlight).toSorted()).toEqual(rows.map(({ name }) => `Unscheduled ${name}`).toSorted());
    expect([others.length, flights.length]).toEqual([1002, 1067]);
    expect(new Set(flights.map(({ flightType }) => flightType))).toEqual(new Set(['Unscheduled']));
    expect(flights.filter(({ originalFlight }) => originalFlight !== undefined)).toEqual([]);
  });

  test('diversions show as they do on scheduled flights', () => {
    const others = flights.filter((flight) => !isRecovery(flight));
    const byName = new Map(others.map((flight) => [formatFlight(flight), toComparableStatus(flight, airports)]));
    expect(rows.map(({ name }) => byName.get(name))).toEqual(rows.map((row) => expectedStatus(row, airports)));
  });

  test('the same file again changes nothing', async () => {
    const before = await dumpStatuses(world.db);
    const accepted = { 'messages known before': 1067 };
    expect(await world.importOnTime(file)).toEqual({ ...report, accepted });
    expect(await dumpStatuses(world.db)).toBe(before);
  });

  test('a later schedule takes them over with their statuses, and leaves the recovery flights', async () => {
    await publishSchedulesOfRows(world, file);
    const after = await world.search({ DepartureDateTime: allDays, Content: 'Status' });
    const recoveries = flights.filter(isRecovery).map(formatTypedFlight);
    const expected = [...rows.map(({ name }) => `Scheduled ${name}`), ...recoveries];
    expect(after.map(formatTypedFlight).toSorted()).toEqual(expected.toSorted());
    const statuses = (all: readonly FlightInstance[]) =>
      all.map(({ statusKey, statusDetails }) => JSON.stringify([statusKey, statusDetails])).toSorted();
    expect(statuses(after)).toEqual(statuses(flights));
  });
});
