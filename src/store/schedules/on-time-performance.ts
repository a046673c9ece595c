import { addDays, formatDate, localDate, type LocalDate, type UtcMinute } from '../../domain/time/dates.ts';
import {
  toOnTimePerformance,
  type GateSchedule,
  type OnTimeCounts,
  type OnTimePerformance,
} from '../../domain/status/on-time.ts';
import { copyRows } from '../pool/driver/driver.ts';
import type { Sql } from '../pool/database.ts';

/** Flights that figures are kept of together: a carrier's number between two airports. All but the number are ids. */
export type OnTimeRoute = {
  readonly carrier: number;
  readonly flightNumber: number;
  readonly departure: number;
  readonly arrival: number;
};

/** A flight of a day whose status is kept, under each number that it is scheduled as. */
export type ObservedFlight = {
  /** The domain's KnownFlight, as JSON. */
  readonly known: string;
  /** Where it is scheduled to depart, as its status has it. */
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
  known,
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

/** Few enough that going through a batch holds up nobody: some 4 ms. */
const READ_AT_ONCE = 200;

/**
 * The scheduled flights of a local date of departure of which anything has been observed, in batches and no particular order.
 * Flights with stops as a whole have no status of their own, so they are not among them; their legs are.
 */
export async function* readObservedFlights(sql: Sql, day: LocalDate): AsyncGenerator<readonly ObservedFlight[]> {
  // Rows of instances are narrowed before they are joined: a status is long, and sold under several numbers it comes once.
  const batches = sql<Row[]>`
    select s.known, s.departure, s.scheduled_out as "scheduledOut", s.scheduled_in as "scheduledIn", i.numbers
    from (
      select status_order, array_agg(array[carrier, flight_number, departure, arrival, is_marketing::int]) as numbers
      from flight_instance
      where departs_at >= ${formatDate(day)}::date and departs_at < ${formatDate(addDays(day, 1))}::date and flight_type = 'S'
      group by status_order
    ) i
    join flight_status s on s.departs_on = ${formatDate(day)}::date and s.status_order = i.status_order
    where s.known <> ''`.cursor(READ_AT_ONCE);
  for await (const rows of batches) yield rows.map(read);
}

/** The figures of a number between two airports; `from` and `to` are the first and last local date of a flight counted. */
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

const lineOf = ({ carrier, flightNumber, departure, arrival, from, to, counts }: OnTimeRecord): string =>
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

/** A COPY that the database keeps up with never waits: after so many rows others have their turn. */
const WRITE_AT_ONCE = 5000;

/** Puts figures in the place of all that are kept; `sql` must be a transaction, until whose commit readers see the old ones. */
export const replaceOnTime = async (sql: Sql, rows: readonly OnTimeRecord[]): Promise<void> => {
  await sql`delete from on_time`;
  for (let start = 0; start < rows.length; start += WRITE_AT_ONCE) {
    const lines = rows.slice(start, start + WRITE_AT_ONCE).map(lineOf);
    await copyRows(sql, sql`copy on_time (${sql(columns)}) from stdin`, lines);
  }
};

type FoundRow = OnTimeCounts & { readonly fromDate: string | null; readonly toDate: string | null };

/** The performance that is known at these places, in their order; undefined where no flight has been counted. */
export const listOnTimePerformance = async (
  sql: Sql,
  places: readonly OnTimeRoute[],
): Promise<readonly (OnTimePerformance | undefined)[]> => {
  if (places.length === 0) return [];
  const rows = await sql<FoundRow[]>`
    select o.from_date as "fromDate", o.to_date as "toDate", o.flights, o.arrived_on_time as "arrivedOnTime",
      o.arrived_late as "arrivedLate", o.cancelled, o.diverted, o.departures, o.departed_on_time as "departedOnTime"
    from unnest(
      ${places.map(({ carrier }) => carrier)}::int[],
      ${places.map(({ flightNumber }) => flightNumber)}::smallint[],
      ${places.map(({ departure }) => departure)}::int[],
      ${places.map(({ arrival }) => arrival)}::int[]
    ) with ordinality as wanted(carrier, flight_number, departure, arrival, position)
    left join on_time o using (carrier, flight_number, departure, arrival)
    order by wanted.position`;
  return rows.map(({ fromDate, toDate, ...counts }) =>
    fromDate === null || toDate === null
      ? undefined
      : toOnTimePerformance(counts, { from: localDate(fromDate), to: localDate(toDate) }),
  );
};
