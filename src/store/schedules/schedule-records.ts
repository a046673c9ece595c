import { formatDate, localDate, getWeekday, type LocalDate } from '../../domain/time/dates.ts';
import type { DateSpan } from '../../domain/time/period.ts';
import { toKeyOrder } from '../../domain/schedule/keys.ts';
import type { Period } from '../../domain/time/period.ts';
import { copyRows, copyText, takeRows } from '../pool/driver/driver.ts';
import type { Sql } from '../pool/database.ts';
import type { OnTimeRoute } from './on-time-performance.ts';
import { bindValue, addFilter, createWhereClause, renderWhere, type WhereClause } from '../pool/where-clause.ts';

/** One schedule record as it is stored. */
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
  /** The airport that the last leg leaves: whose arrival is the flight's. */
  readonly lastDepartureId: number;
  /** One letter. */
  readonly serviceType: string;
  /** The JSON text of the contract's record up to where the observed performance and the seats follow. */
  readonly doc: string;
};

/** Which records are wanted. A member that is undefined does not narrow; an empty list finds nothing. */
export type RecordFilter = {
  /** Location ids. */
  readonly departures?: readonly number[] | undefined;
  readonly arrivals?: readonly number[] | undefined;
  /** Carrier ids. */
  readonly carriers?: readonly number[] | undefined;
  readonly flightNumber?: number | undefined;
  /** One letter each. */
  readonly serviceTypes?: readonly string[] | undefined;
  /** Local dates: records with a flight that departs on one of them are wanted. */
  readonly departs?: DateSpan | undefined;
  /** Those whose period starts on one of these dates are wanted besides. */
  readonly orStarts?: boolean | undefined;
};

/** The place of a record in every listing: by carrier as filed, number, first day, order within the flight, and fingerprint. */
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
  /** Whose observed performance it shows. */
  readonly performance: OnTimeRoute;
  /** The seats of its segment as JSON text, when they were asked for and are known. */
  readonly seats: Buffer | undefined;
};

const WEEK = 7;
const FORTNIGHT = 14;

/** Dates of departure as bits, counted from the first day of the period: whether every week or every other one, they repeat after two. */
const patternOf = ({ from, days, everyWeeks }: Period): number => {
  const late = getWeekday(from) - 1;
  const week = ((days >> late) | (days << (WEEK - late))) & 0b1111111;
  const fortnight = everyWeeks === 1 ? week | (week << WEEK) : week;
  return fortnight | (fortnight << FORTNIGHT);
};

/** Lines for the documents; those for the records, which are short, are put aside until the documents are written. */
function* documentLines(rows: Iterable<ScheduleRecordRow>, firstId: number, records: string[]): Generator<string> {
  let id = firstId;
  for (const row of rows) {
    const { fingerprint, period } = row;
    records.push(
      `${toKeyOrder(fingerprint)}\t${id}\t${formatDate(period.from)}\t${formatDate(period.to)}\t${patternOf(period)}\t${row.segmentId}\t${
        row.carrierId
      }\t${row.departureId}\t${row.arrivalId}\t${row.lastDepartureId}\t${row.flightNumber}\t${row.legOrder}\t${row.serviceType}\t${copyText(row.designator)}`,
    );
    yield `${id}\t\\\\x${fingerprint.toString('hex')}\t${copyText(row.doc)}`;
    id += 1;
  }
}

/** Writes records and returns how many; `sql` must be a transaction that holds the schedule lock. */
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

/** Deletes all records; `sql` must be a transaction. Readers see them until its commit. */
export const deleteAllScheduleRecords = async (sql: Sql): Promise<void> => {
  await sql`delete from schedule_record`;
  await sql`delete from schedule_document`;
};

/** Notes that master data have changed, of which records show codes, countries and distances. */
export const insertRecordsDue = async (sql: Sql): Promise<void> => {
  await sql`insert into schedule_records_due default values`;
};

/** Whether master data have changed since the records were written. */
export const areRecordsDue = async (sql: Sql): Promise<boolean> => {
  const rows = await sql`select from schedule_records_due limit 1`;
  return rows.length > 0;
};

/** Answers as `areRecordsDue`, and forgets it when the transaction commits that writes the records anew. */
export const deleteRecordsDue = async (sql: Sql): Promise<boolean> => {
  const { count } = await sql`delete from schedule_records_due`;
  return count > 0;
};

/** Whether schedules are in force of which there are no records at all: a store from before there were any. */
export const areRecordsMissing = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ missing: boolean }[]>`
    select exists (select from itinerary where retired_by is null) and not exists (select from schedule_record) as missing`;
  return row?.missing ?? false;
};

/** Brings the planner's statistics up to date, after the commit. */
export const analyzeScheduleRecords = async (sql: Sql): Promise<void> => {
  await sql`analyze schedule_record`;
};

/**
 * Whether a record departs between two dates, of which its period has some. Two weeks tell all: the first fortnight that the two
 * share has a departure, or none has.
 */
const departsWithin = (first: string, last: string): string => {
  const begin = `greatest(r.from_date, ${first})`;
  const length = `least(least(r.to_date, ${last}) - ${begin} + 1, ${FORTNIGHT})`;
  return `(r.pattern >> ((${begin} - r.from_date) % ${FORTNIGHT})) & ((1 << ${length}) - 1) <> 0`;
};

/** The same for a single date, which is asked most, at half the cost. */
const departsOn = (date: string): string => `(r.pattern >> ((${date} - r.from_date) % ${FORTNIGHT})) & 1 = 1`;

const narrowDates = (statement: WhereClause, { from, to }: DateSpan, orStarts: boolean): void => {
  const [first, last] = [
    `${bindValue(statement, formatDate(from))}::date`,
    `${bindValue(statement, formatDate(to))}::date`,
  ];
  const departs = from === to ? departsOn(first) : departsWithin(first, last);
  statement.conditions.push(
    `r.from_date <= ${last} and r.to_date >= ${first}`,
    orStarts ? `(r.from_date >= ${first} or ${departs})` : departs,
  );
};

const statementOf = (wanted: RecordFilter): WhereClause => {
  const statement = createWhereClause();
  addFilter(statement, 'r.departure', wanted.departures);
  addFilter(statement, 'r.arrival', wanted.arrivals);
  addFilter(statement, 'r.carrier', wanted.carriers);
  if (wanted.flightNumber !== undefined) addFilter(statement, 'r.flight_number', [wanted.flightNumber]);
  addFilter(statement, 'r.service_type', wanted.serviceTypes);
  if (wanted.departs) narrowDates(statement, wanted.departs, wanted.orStarts ?? false);
  return statement;
};

/** Documents and seats are looked up row by row: joined, a plan for many rows would read all of them. */
const columns = `r.designator, r.flight_number, r.from_date, r.leg_order, r.key_order, r.carrier, r.last_departure, r.arrival,
  (select d.doc from schedule_document d where d.id = r.id)`;
const seatsColumn = ', (select s.seats from segment s where s.id = r.segment_id)';

const none = Buffer.alloc(0);
const textOf = (column: Buffer | null | undefined): string => (column ?? none).toString('latin1');

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
  const flightNumber = Number(textOf(number));
  return {
    doc: doc ?? none,
    position: {
      designator: textOf(designator),
      flightNumber,
      from: localDate(textOf(from)),
      legOrder: Number(textOf(legOrder)),
      keyOrder: BigInt(textOf(order)),
    },
    performance: {
      carrier: Number(textOf(carrier)),
      flightNumber,
      departure: Number(textOf(departure)),
      arrival: Number(textOf(arrival)),
    },
    seats: seats ?? undefined,
  };
};

/** Where a list is read: from a record on (that record included) or from its end, and which way. */
export type RecordListOptions = {
  readonly from?: RecordPosition | undefined;
  readonly backwards?: boolean | undefined;
  readonly limit: number;
  readonly withSeats: boolean;
};

/** Records in listing order, or in the reverse of it, `limit` of them at most. */
export const listScheduleRecords = async (
  sql: Sql,
  wanted: RecordFilter,
  { from, backwards = false, limit, withSeats }: RecordListOptions,
): Promise<readonly ListedRecord[]> => {
  const statement = statementOf(wanted);
  if (from) {
    const place = [from.designator, from.flightNumber, formatDate(from.from), from.legOrder, from.keyOrder].map(
      (value) => bindValue(statement, value),
    );
    statement.conditions.push(
      `(r.designator, r.flight_number, r.from_date, r.leg_order, r.key_order) ${backwards ? '<=' : '>='} (${place.join(', ')})`,
    );
  }
  const way = backwards ? 'desc' : 'asc';
  const text = `select ${columns}${withSeats ? seatsColumn : ''} from schedule_record r ${renderWhere(statement)}
    order by r.designator ${way}, r.flight_number ${way}, r.from_date ${way}, r.leg_order ${way}, r.key_order ${way}
    limit ${bindValue(statement, limit)}`;
  const rows = takeRows(await sql.unsafe(text, statement.values, { prepare: true }).raw());
  return rows.map(readRecord);
};

/** The exact number of records wanted. */
export const countScheduleRecords = async (sql: Sql, wanted: RecordFilter): Promise<number> => {
  const statement = statementOf(wanted);
  const text = `select count(*) from schedule_record r ${renderWhere(statement)}`;
  const [row] = await sql.unsafe<{ count: bigint }[]>(text, statement.values, { prepare: true });
  return Number(row?.count ?? 0);
};

/** The record of a fingerprint (32 bytes), with its seats. */
export const findScheduleRecord = async (sql: Sql, fingerprint: Buffer): Promise<ListedRecord | undefined> => {
  const text = `select ${columns}${seatsColumn} from schedule_record r
    where r.key_order = $1 and (select d.fingerprint from schedule_document d where d.id = r.id) = $2`;
  const [row] = await sql.unsafe(text, [toKeyOrder(fingerprint), fingerprint], { prepare: true }).raw();
  return row && readRecord(row);
};

/** Resolves when schedule records can be read; rejects with the database's error. */
export const assertScheduleRecordsReadable = async (sql: Sql): Promise<void> => {
  await sql`select from schedule_record limit 1`;
};
