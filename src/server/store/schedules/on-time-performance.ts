import { addDays, formatDate, localDate, type LocalDate, type UtcMinute } from '#domain/time/dates.ts';
import {
  toOnTimePerformance,
  type GateSchedule,
  type OnTimeCounts,
  type OnTimePerformance,
} from '#domain/status/on-time.ts';
import { copyRows } from '../pool/driver/driver.ts';
import type { Sql } from '../pool/database.ts';

/** The flights whose on-time figures are counted together: a carrier's flight number between two airports. All but the number are ids. */
export type OnTimeRoute = {
  readonly carrier: number;
  readonly flightNumber: number;
  readonly departure: number;
  readonly arrival: number;
};

/** A flight of a day with a stored status, under each number as which it is scheduled. */
export type ObservedFlight = {
  /** The JSON of a FlightObservations. */
  readonly observationsJson: string;
  /** The scheduled departure airport, according to its status. */
  readonly departure: number;
  readonly scheduled: GateSchedule;
  readonly numbers: readonly (OnTimeRoute & { readonly isMarketing: boolean })[];
};

type Row = {
  readonly known: string;
  readonly departure: number;
  readonly scheduledOut: number;
  readonly scheduledIn: number | null;
  readonly numbers: readonly (readonly number[])[];
};

const read = ({ known, departure, scheduledOut, scheduledIn, numbers }: Row): ObservedFlight => ({
  observationsJson: known,
  departure,
  scheduled: {
    out: scheduledOut as UtcMinute,
    in: scheduledIn === null ? undefined : (scheduledIn as UtcMinute),
  },
  numbers: numbers.map(([carrier = 0, flightNumber = 0, from = 0, to = 0, isMarketing]) => ({
    carrier,
    flightNumber,
    departure: from,
    arrival: to,
    isMarketing: isMarketing === 1,
  })),
});

/** Rows of a batch: processing takes about 4 ms, which blocks the event loop only briefly. */
const CURSOR_ROWS = 200;

/**
 * Reads the scheduled flights of a local date of departure that have been observed, in batches and no particular order. A flight with stops as
 * a whole has no status of its own and is not included; its legs are.
 */
export async function* readObservedFlights(sql: Sql, day: LocalDate): AsyncGenerator<readonly ObservedFlight[]> {
  // Instances are grouped before the join: a status is long, and is needed once for all numbers of the flight.
  const batches = sql<Row[]>`
    select s.known, s.departure, s.scheduled_out as "scheduledOut", s.scheduled_in as "scheduledIn", i.numbers
    from (
      select status_order, array_agg(array[carrier, flight_number, departure, arrival, is_marketing::int]) as numbers
      from flight_instance
      where departs_at >= ${formatDate(day)}::date and departs_at < ${formatDate(addDays(day, 1))}::date and flight_type = 'S'
      group by status_order
    ) i
    join flight_status s on s.departs_on = ${formatDate(day)}::date and s.status_order = i.status_order
    where s.known <> ''`.cursor(CURSOR_ROWS);
  for await (const rows of batches) yield rows.map(read);
}

/** The on-time figures of a route; `from` and `to` are the first and last local date of a counted flight. */
export type OnTimeRecord = OnTimeRoute & {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly counts: OnTimeCounts;
};

const columns = [
  'carrier',
  'flight_number',
  'departure',
  'arrival',
  'from_date',
  'to_date',
  'flights',
  'arrived_on_time',
  'arrived_late',
  'cancelled',
  'diverted',
  'departures',
  'departed_on_time',
];

const formatCopyLine = ({ carrier, flightNumber, departure, arrival, from, to, counts }: OnTimeRecord): string =>
  [
    carrier,
    flightNumber,
    departure,
    arrival,
    formatDate(from),
    formatDate(to),
    counts.flights,
    counts.arrivedOnTime,
    counts.arrivedLate,
    counts.cancelled,
    counts.diverted,
    counts.departures,
    counts.departedOnTime,
  ].join('\t');

/** Rows of one COPY. A COPY that the database keeps up with never yields to the event loop, so it is split. */
const COPY_ROWS = 5000;

/** Replaces all on-time figures; `sql` must be a transaction, and readers see the old figures until its commit. */
export const replaceOnTime = async (sql: Sql, rows: readonly OnTimeRecord[]): Promise<void> => {
  await sql`delete from on_time`;
  for (let start = 0; start < rows.length; start += COPY_ROWS) {
    const lines = rows.slice(start, start + COPY_ROWS).map(formatCopyLine);
    await copyRows(sql, sql`copy on_time (${sql(columns)}) from stdin`, lines);
  }
};

type PerformanceRow = OnTimeCounts & { readonly fromDate: string | null; readonly toDate: string | null };

/** Returns the performance of these routes in their order; undefined where no flight has been counted. */
export const listOnTimePerformance = async (
  sql: Sql,
  routes: readonly OnTimeRoute[],
): Promise<readonly (OnTimePerformance | undefined)[]> => {
  if (routes.length === 0) return [];
  const rows = await sql<PerformanceRow[]>`
    select o.from_date as "fromDate", o.to_date as "toDate", o.flights, o.arrived_on_time as "arrivedOnTime",
      o.arrived_late as "arrivedLate", o.cancelled, o.diverted, o.departures, o.departed_on_time as "departedOnTime"
    from unnest(
      ${routes.map(({ carrier }) => carrier)}::int[],
      ${routes.map(({ flightNumber }) => flightNumber)}::smallint[],
      ${routes.map(({ departure }) => departure)}::int[],
      ${routes.map(({ arrival }) => arrival)}::int[]
    ) with ordinality as wanted(carrier, flight_number, departure, arrival, position)
    left join on_time o using (carrier, flight_number, departure, arrival)
    order by wanted.position`;
  return rows.map(({ fromDate, toDate, ...counts }) =>
    fromDate === null || toDate === null
      ? undefined
      : toOnTimePerformance(counts, { from: localDate(fromDate), to: localDate(toDate) }),
  );
};
