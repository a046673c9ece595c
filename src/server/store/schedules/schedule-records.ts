import { formatDate, localDate, getWeekday, type LocalDate } from '#domain/time/dates.ts';
import type { DateSpan } from '#domain/time/period.ts';
import { toKeyOrder } from '#domain/schedule/keys.ts';
import type { Period } from '#domain/time/period.ts';
import { copyRows, copyText, takeRows } from '../pool/driver/driver.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import type { Sql } from '../pool/database.ts';
import { toFlightTable } from './flight-table.ts';
import type { OnTimeRoute } from './on-time-performance.ts';
import { bindValue, addFilter, createWhereClause, renderWhere, type WhereClause } from '../pool/where-clause.ts';

/** A schedule record as it is stored. */
export type ScheduleRecordRow = {
  /** 32 bytes. */
  readonly fingerprint: Buffer;
  /** The carrier as filed. */
  readonly designator: string;
  readonly flightNumber: number;
  /** The order within a flight: 0 for the whole of a flight with stops, the sequence number for a leg. */
  readonly legOrder: number;
  /** Local dates of departure. */
  readonly period: Period;
  readonly segmentId: number;
  readonly carrierId: number;
  readonly departureId: number;
  readonly arrivalId: number;
  /** The departure airport of the last leg, whose arrival is that of the flight. */
  readonly lastDepartureId: number;
  /** One letter. */
  readonly serviceType: string;
  /** The JSON of the contract's record, up to the observed performance and the seats. */
  readonly doc: string;
};

/** Selects records. An undefined member does not filter; an empty list matches nothing. */
export type RecordFilter = {
  /** Location ids. */
  readonly departures?: readonly number[] | undefined;
  readonly arrivals?: readonly number[] | undefined;
  /** Carrier ids. */
  readonly carriers?: readonly number[] | undefined;
  readonly flightNumber?: number | undefined;
  /** One letter each. */
  readonly serviceTypes?: readonly string[] | undefined;
  /** Local dates: records with a departure on one of them match. */
  readonly departs?: DateSpan | undefined;
  /** Whether records whose period starts on one of these dates match too. */
  readonly orStarts?: boolean | undefined;
};

/** The position of a record in every list: by carrier as filed, number, first day, order within the flight, and fingerprint. */
export type RecordPosition = {
  readonly designator: string;
  readonly flightNumber: number;
  readonly from: LocalDate;
  readonly legOrder: number;
  readonly keyOrder: bigint;
};

/** A record as it comes from the database. */
export type ListedRecord = {
  /** JSON text, open at its end. */
  readonly doc: Buffer;
  readonly position: RecordPosition;
  /** The route whose observed performance it contains. */
  readonly performance: OnTimeRoute;
  /** The seats of its segment, JSON, when requested and known. */
  readonly seats: Buffer | undefined;
};

const WEEK = 7;
const FORTNIGHT = 14;

/** Returns the days of operation as bits counted from the first day of the period; weekly or fortnightly, they repeat after 14 days. */
const encodeDayPattern = ({ from, days, everyWeeks }: Period): number => {
  const offset = getWeekday(from) - 1;
  const week = ((days >> offset) | (days << (WEEK - offset))) & 0b1111111;
  const fortnight = everyWeeks === 1 ? week | (week << WEEK) : week;
  return fortnight | (fortnight << FORTNIGHT);
};

/** Yields COPY lines of documents and collects those of records, which are short, for the COPY after it. */
function* documentLines(rows: Iterable<ScheduleRecordRow>, firstId: number, records: string[]): Generator<string> {
  let id = firstId;
  for (const row of rows) {
    const { fingerprint, period } = row;
    records.push(
      `${toKeyOrder(fingerprint)}\t${id}\t${formatDate(period.from)}\t${formatDate(period.to)}\t${encodeDayPattern(period)}\t${row.segmentId}\t${
        row.carrierId
      }\t${row.departureId}\t${row.arrivalId}\t${row.lastDepartureId}\t${row.flightNumber}\t${row.legOrder}\t${row.serviceType}\t${copyText(row.designator)}`,
    );
    yield `${id}\t\\\\x${fingerprint.toString('hex')}\t${copyText(row.doc)}`;
    id += 1;
  }
}

/** Inserts records and returns their number; `sql` must be a transaction that holds the schedule lock. */
export const insertScheduleRecords = async (sql: Sql, rows: Iterable<ScheduleRecordRow>): Promise<number> => {
  const [row] = await sql<{ next: number }[]>`select coalesce(max(id), 0) + 1 as next from schedule_document`;
  const records: string[] = [];
  await copyRows(
    sql,
    sql`copy schedule_document (id, fingerprint, doc) from stdin`,
    documentLines(rows, row?.next ?? 1, records),
  );
  return copyRows(
    sql,
    sql`copy schedule_record (key_order, id, from_date, to_date, pattern, segment_id, carrier, departure, arrival, last_departure,
      flight_number, leg_order, service_type, designator) from stdin`,
    records,
  );
};

/** Deletes the records of some designators, as filed; `sql` must be a transaction. Readers see them until its commit. */
export const deleteScheduleRecords = async (sql: Sql, designators: readonly string[]): Promise<void> => {
  await sql`
    with gone as (delete from schedule_record where designator = any(${[...designators]}) returning id)
    delete from schedule_document where id in (select id from gone)`;
};

/** Deletes the records of flights; `sql` must be a transaction. Call it before their itineraries are replaced or after. */
export const deleteRecordsOfFlights = async (sql: Sql, flights: readonly Designator[]): Promise<void> => {
  await sql`
    with gone as (
      delete from schedule_record r using ${toFlightTable(sql, flights)}
      where r.designator = flight.designator and r.flight_number = flight.flight_number and r.segment_id in (
        select s.id from itinerary i join segment s on s.itinerary_id = i.id
        where i.designator = flight.designator and i.flight_number = flight.flight_number and i.suffix = flight.suffix)
      returning r.id)
    delete from schedule_document where id in (select id from gone)`;
};

/** Deletes all records; `sql` must be a transaction. Readers see them until its commit. */
export const deleteAllScheduleRecords = async (sql: Sql): Promise<void> => {
  await sql`delete from schedule_record`;
  await sql`delete from schedule_document`;
};

/** Marks the records as outdated after a change of master data: they contain codes, countries and distances. */
export const insertRecordsDue = async (sql: Sql): Promise<void> => {
  await sql`insert into schedule_records_due default values`;
};

/** Returns whether the records are outdated because master data have changed. */
export const areRecordsDue = async (sql: Sql): Promise<boolean> => {
  const rows = await sql`select from schedule_records_due limit 1`;
  return rows.length > 0;
};

/** Returns the same as `areRecordsDue` and removes the mark, in the transaction that replaces the records. */
export const deleteRecordsDue = async (sql: Sql): Promise<boolean> => {
  const { count } = await sql`delete from schedule_records_due`;
  return count > 0;
};

/** Returns whether schedules are in force without any records, as in a store of an early version. */
export const areRecordsMissing = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ missing: boolean }[]>`
    select exists (select from itinerary where retired_by is null) and not exists (select from schedule_record) as missing`;
  return row?.missing ?? false;
};

/** Updates the statistics of the planner; call it after the commit. */
export const analyzeScheduleRecords = async (sql: Sql): Promise<void> => {
  await sql`analyze schedule_record`;
};

/**
 * Returns the condition that a record, whose period overlaps two dates, departs between them. Its pattern repeats after 14 days, so the first
 * 14 days of the overlap decide.
 */
const departsWithin = (first: string, last: string): string => {
  const begin = `greatest(r.from_date, ${first})`;
  const length = `least(least(r.to_date, ${last}) - ${begin} + 1, ${FORTNIGHT})`;
  return `(r.pattern >> ((${begin} - r.from_date) % ${FORTNIGHT})) & ((1 << ${length}) - 1) <> 0`;
};

/** Returns the same condition for a single date, the most frequent case, at half the cost. */
const departsOn = (date: string): string => `(r.pattern >> ((${date} - r.from_date) % ${FORTNIGHT})) & 1 = 1`;

const addDateFilter = (where: WhereClause, { from, to }: DateSpan, orStarts: boolean): void => {
  const [first, last] = [`${bindValue(where, formatDate(from))}::date`, `${bindValue(where, formatDate(to))}::date`];
  const departs = from === to ? departsOn(first) : departsWithin(first, last);
  where.conditions.push(
    `r.from_date <= ${last} and r.to_date >= ${first}`,
    orStarts ? `(r.from_date >= ${first} or ${departs})` : departs,
  );
};

const buildWhere = (filter: RecordFilter): WhereClause => {
  const where = createWhereClause();
  addFilter(where, 'r.departure', filter.departures);
  addFilter(where, 'r.arrival', filter.arrivals);
  addFilter(where, 'r.carrier', filter.carriers);
  if (filter.flightNumber !== undefined) addFilter(where, 'r.flight_number', [filter.flightNumber]);
  addFilter(where, 'r.service_type', filter.serviceTypes);
  if (filter.departs) addDateFilter(where, filter.departs, filter.orStarts ?? false);
  return where;
};

/** Documents and seats come from subqueries for each row: with a join, the planner can choose to read all of them. */
const columns = `r.designator, r.flight_number, r.from_date, r.leg_order, r.key_order, r.carrier, r.last_departure, r.arrival,
  (select d.doc from schedule_document d where d.id = r.id)`;
const seatsColumn = ', (select s.seats from segment s where s.id = r.segment_id)';

const none = Buffer.alloc(0);
const decodeText = (column: Buffer | null | undefined): string => (column ?? none).toString('latin1');

const readRecord = ([
  designator,
  number,
  from,
  legOrder,
  order,
  carrier,
  departure,
  arrival,
  doc,
  seats,
]: readonly (Buffer | null)[]): ListedRecord => {
  const flightNumber = Number(decodeText(number));
  return {
    doc: doc ?? none,
    position: {
      designator: decodeText(designator),
      flightNumber,
      from: localDate(decodeText(from)),
      legOrder: Number(decodeText(legOrder)),
      keyOrder: BigInt(decodeText(order)),
    },
    performance: {
      carrier: Number(decodeText(carrier)),
      flightNumber,
      departure: Number(decodeText(departure)),
      arrival: Number(decodeText(arrival)),
    },
    seats: seats ?? undefined,
  };
};

/** The first record of a list (or its start or end without one), the direction, and the number of records. */
export type RecordListOptions = {
  readonly from?: RecordPosition | undefined;
  readonly backwards?: boolean | undefined;
  readonly limit: number;
  readonly withSeats: boolean;
};

/** Returns up to `limit` records in list order, or in reverse order. */
export const listScheduleRecords = async (
  sql: Sql,
  filter: RecordFilter,
  { from, backwards = false, limit, withSeats }: RecordListOptions,
): Promise<readonly ListedRecord[]> => {
  const where = buildWhere(filter);
  if (from) {
    const position = [from.designator, from.flightNumber, formatDate(from.from), from.legOrder, from.keyOrder].map(
      (value) => bindValue(where, value),
    );
    where.conditions.push(
      `(r.designator, r.flight_number, r.from_date, r.leg_order, r.key_order) ${backwards ? '<=' : '>='} (${position.join(', ')})`,
    );
  }
  const direction = backwards ? 'desc' : 'asc';
  const text = `select ${columns}${withSeats ? seatsColumn : ''} from schedule_record r ${renderWhere(where)}
    order by r.designator ${direction}, r.flight_number ${direction}, r.from_date ${direction}, r.leg_order ${direction}, r.key_order ${direction}
    limit ${bindValue(where, limit)}`;
  const rows = takeRows(await sql.unsafe(text, where.values, { prepare: true }).raw());
  return rows.map(readRecord);
};

/** Counts the matching records exactly. */
export const countScheduleRecords = async (sql: Sql, filter: RecordFilter): Promise<number> => {
  const where = buildWhere(filter);
  const text = `select count(*) from schedule_record r ${renderWhere(where)}`;
  const [row] = await sql.unsafe<{ count: bigint }[]>(text, where.values, { prepare: true });
  return Number(row?.count ?? 0);
};

/** Finds the record with a fingerprint (32 bytes), with its seats. */
export const findScheduleRecord = async (sql: Sql, fingerprint: Buffer): Promise<ListedRecord | undefined> => {
  const text = `select ${columns}${seatsColumn} from schedule_record r
    where r.key_order = $1 and (select d.fingerprint from schedule_document d where d.id = r.id) = $2`;
  const [row] = await sql.unsafe(text, [toKeyOrder(fingerprint), fingerprint], { prepare: true }).raw();
  return row && readRecord(row);
};

/** Rejects with the error of the database when schedule records cannot be read. */
export const assertScheduleRecordsReadable = async (sql: Sql): Promise<void> => {
  await sql`select from schedule_record limit 1`;
};
