import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import type { FlightInstance, FlightInstancePage, StatusDetails } from '#generated/flight-info/v2/types.gen.ts';
import { findStation } from '#domain/master-data/master-data-index.ts';
import { localDate } from '#domain/time/dates.ts';
import { createLoadReport, type LoadReport } from '#feeds/load-report.ts';
import { readSourceFile } from '#feeds/read-source-file.ts';
import { insertKeyIfMissing } from '#store/access/subscription-keys.ts';
import { readMasterData, type LoadedMasterData } from '#jobs/cache/master-data-cache.ts';
import { publishSchedules } from '#jobs/expand/publish-schedules.ts';
import { createBtsReader } from '#jobs/status/ingest/feed-readers.ts';
import { importStatusFile } from '#jobs/status/ingest/import-file.ts';
import { Contract } from '#test/contract/contract.ts';
import { createTestApp, JUNE_NOON } from '#test/support/test-app.ts';
import { readRealMasterData } from '#test/support/real-master-data.ts';
import { buildSchedulesFromRows } from '#test/support/schedules-from-rows.ts';
import { TEST_KEY } from '#test/support/tiny-world.ts';

export type RealWorld = Awaited<ReturnType<typeof openRealWorld>>;

const contract = new Contract('flight-info/v2');

/** A service of June 2026, when the whole contract is released, over a store with the real master data. */
export const openRealWorld = async () => {
  const { sql: db, drop } = await readRealMasterData();
  await insertKeyIfMissing(db, { name: 'tests', products: ['flight-info', 'master-data', 'schedules'], key: TEST_KEY });
  const readNow = (): Promise<LoadedMasterData> => readMasterData(db, JUNE_NOON);
  let masterData = await readNow();
  const refresh = async (): Promise<void> => {
    masterData = await readNow();
  };
  const app = await createTestApp(db, { masterData: () => masterData });
  const get = (address: string): Promise<Response> =>
    app.request(new URL(address, 'http://service.test'), { headers: { 'subscription-key': TEST_KEY } });
  const search = async (query: Readonly<Record<string, string>>): Promise<readonly FlightInstance[]> => {
    const flights: FlightInstance[] = [];
    let next: string | undefined = `/flight-instances?${new URLSearchParams({ Limit: '1000', ...query })}`;
    while (next !== undefined) {
      const response = await get(next);
      expect([next, response.status]).toEqual([next, 200]);
      const page: FlightInstancePage = await response.json();
      expect(contract.check('#/components/schemas/FlightInstancePage', page)).toEqual([]);
      flights.push(...page.data);
      next = page.paging.next;
      if (next === undefined) expect(flights).toHaveLength(page.paging.totalCount);
    }
    return flights;
  };
  const importOnTime = async (file: string): Promise<LoadReport> => {
    const report = await importStatusFile({ db, kind: 'bts', file, feed: createBtsReader });
    await refresh();
    return report;
  };
  return { db, masterDataIndex: () => masterData.masterDataIndex, importOnTime, get, search, refresh, drop };
};

/** A row of a comma-separated file by column name; an absent column is an empty text. */
export type Row = (column: string) => string;

/** Reads the rows of a gzip file as a plain table, without the tested code. */
export const readTable = (path: string): readonly Row[] => {
  const rows: readonly Readonly<Record<string, string>>[] = parse(gunzipSync(readFileSync(path)), { columns: true });
  return rows.map((cells) => (column) => cells[column] ?? '');
};

/** `AA2336 LAX-PBI 2015-01-01`: no two rows of an on-time file share it. */
export const formatFlight = ({ carrier, flightNumber, departure, arrival }: FlightInstance): string =>
  `${carrier.iata}${flightNumber} ${departure.airport.iata}-${arrival.airport.iata} ${departure.date.local}`;

/** `Scheduled AA2336 LAX-PBI 2015-01-01`: a recovery flight may depart on the day of its original, from the same airport. */
export const formatTypedFlight = (flight: FlightInstance): string => `${flight.flightType} ${formatFlight(flight)}`;

/** Returns the only status of a flight in a search with `Content=Status`. */
export const getStatus = (flight: FlightInstance): StatusDetails => {
  const [status, ...others] = flight.statusDetails ?? [];
  if (!status || others.length > 0) throw new Error(`${formatFlight(flight)} has not one status`);
  return status;
};

/** Formats minutes of an on-time file as a variation of the contract: `-00:11:00`. */
export const formatVariation = (minutes: string): string => {
  const size = Math.abs(Number(minutes));
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${Number(minutes) < 0 ? '-' : ''}${two(Math.trunc(size / 60))}:${two(size % 60)}:00`;
};

export const formatTimeliness = (minutes: string): string =>
  Number(minutes) > 0 ? 'Delayed' : Number(minutes) < 0 ? 'Early' : 'OnTime';

/** The days of the file with diversions, and one on which flights of the last day continue. */
export const days = Array.from({ length: 16 }, (_, index) => `2014-01-${String(index + 1).padStart(2, '0')}`);

export const allDays = '2014-01-01/2014-01-16';

export const publishSchedulesOfRows = async (world: RealWorld, path: string): Promise<void> => {
  const messages = [];
  for await (const { message } of createBtsReader(world.masterDataIndex())(readSourceFile(path, () => {})))
    if (message) messages.push(message);
  await publishSchedules(world.db, {
    kind: 'ssim',
    source: 'schedules of the rows',
    sha256: '',
    schedules: buildSchedulesFromRows(messages, (iata) => findStation(world.masterDataIndex(), iata)?.zone),
    report: createLoadReport('schedules of the rows'),
    today: localDate('2014-01-01'),
    horizonDays: 30,
  });
  await world.refresh();
};
