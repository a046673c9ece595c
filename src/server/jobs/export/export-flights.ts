import { findCarrier, type MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import { addDays, formatDate, type LocalDate } from '#domain/time/dates.ts';
import { parseQuery } from '#products/flight-info/v2/parse-query.ts';
import { renderRowsWithStatus } from '#products/flight-info/v2/render-rows.ts';
import { listExistingDays } from '#store/flights/expanded-days.ts';
import {
  listInstances,
  readInstancePosition,
  type InstancePosition,
  type ListedInstance,
} from '#store/flights/flight-instances.ts';
import type { InstanceFilter } from '#store/flights/instance-filter.ts';
import type { Database, Sql } from '#store/pool/database.ts';
import { lockSchedulesShared } from '#store/schedules/schedules.ts';
import { readMasterDataIndex } from '../cache/read-master-data-index.ts';

export type FlightExportOptions = {
  /** The first and the last local departure date. */
  readonly from: LocalDate;
  readonly to: LocalDate;
  /** IATA or ICAO codes; undefined means all carriers. */
  readonly carriers: readonly string[] | undefined;
  /** The start of links in the flights. */
  readonly baseUrl: string;
  /** Receives the next flights in the order of the API, each as JSON text of a FlightInstance with its status. */
  readonly onFlights: (flights: readonly Buffer[]) => Promise<void>;
  readonly onDay?: ((done: number, total: number) => void) | undefined;
  /** Ends the export between two pages; it then rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
  /** Flights that are read at once, which bounds the memory; 2,000 by default. */
  readonly pageSize?: number | undefined;
};

/** `missingDays` are the days of the range that are not stored, oldest first. */
export type FlightExportReport = { readonly flights: number; readonly missingDays: readonly LocalDate[] };

const PAGE_SIZE = 2000;

/** Throws an error that names the codes that no carrier has. */
export const assertCarriersKnown = (carriers: readonly string[], masterDataIndex: MasterDataIndex): void => {
  const unknown = carriers.filter((code) => !findCarrier(masterDataIndex, code));
  if (unknown.length > 0) throw new Error(`no carrier has the code ${unknown.join(', ')}`);
};

/** Builds the filter of the same search in the API. */
const buildDayFilter = (
  day: LocalDate,
  carriers: readonly string[] | undefined,
  masterDataIndex: MasterDataIndex,
): InstanceFilter =>
  parseQuery(
    {
      version: 'v2',
      DepartureDateTime: formatDate(day),
      ...(carriers && { CarrierCode: [...carriers], CodeType: ['IATA', 'ICAO'] }),
      IncludeDiverted: false,
      // Has no effect on the filter.
      Limit: PAGE_SIZE,
    },
    masterDataIndex,
  );

/** Yields the pages of a search. Unlike a cursor of the driver, they leave the connection free for the statuses of the legs of a flight. */
async function* readPages(
  sql: Sql,
  filter: InstanceFilter,
  pageSize: number,
): AsyncGenerator<readonly ListedInstance[]> {
  let from: InstancePosition | undefined;
  for (;;) {
    const overlap = from ? 1 : 0;
    const options = { from, limit: pageSize + overlap, withCount: false, withStatus: true, withSeats: false };
    const { instances } = await listInstances(sql, filter, options);
    const page = instances.slice(overlap);
    const last = page.at(-1);
    if (last) yield page;
    if (!last || page.length < pageSize) return;
    from = readInstancePosition(last);
  }
}

const exportSnapshot = async (
  sql: Sql,
  { from, to, carriers, baseUrl, onFlights, onDay, signal, pageSize = PAGE_SIZE }: FlightExportOptions,
): Promise<FlightExportReport> => {
  const index = await readMasterDataIndex(sql);
  if (carriers) assertCarriersKnown(carriers, index);
  const days = Array.from({ length: to - from + 1 }, (_, offset) => addDays(from, offset));
  const existing = await listExistingDays(sql, days);
  const stored = days.filter((day) => existing.has(day));
  let flights = 0;
  for (const [done, day] of stored.entries()) {
    onDay?.(done, stored.length);
    for await (const page of readPages(sql, buildDayFilter(day, carriers, index), pageSize)) {
      signal?.throwIfAborted();
      await onFlights(await renderRowsWithStatus(page, { baseUrl, sql, masterDataIndex: () => index }));
      flights += page.length;
    }
  }
  return { flights, missingDays: days.filter((day) => !existing.has(day)) };
};

/**
 * Reads the flights of local departure dates with their latest status, from one snapshot of the database. Schedule loads and
 * deletions of days wait until it ends: otherwise, they would wait for its lock on the flights, and requests of clients for them.
 * Throws an error that names unknown carriers.
 */
export const exportFlights = (db: Database, options: FlightExportOptions): Promise<FlightExportReport> =>
  db.begin(async (lock) => {
    // Another connection: a statement that waits for a lock has its snapshot already, from before the load that it waits for.
    await lockSchedulesShared(lock);
    return db.begin('isolation level repeatable read read only', (sql) => exportSnapshot(sql, options));
  });
