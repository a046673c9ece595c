import {
  addDays,
  atMinute,
  dateAt,
  formatDate,
  formatMinute,
  localDate,
  MINUTES_A_DAY,
  type LocalDate,
  type LocalMinute,
} from '../../domain/time/dates.ts';
import { keyOrder } from '../../domain/schedule/keys.ts';
import type { Sql } from '../pool/database.ts';
import { takeRows } from '../pool/driver/driver.ts';
import { bind, narrow, newStatement, whereOf, type Statement } from '../pool/statement.ts';

/** A span of local time, both minutes included. */
export type TimeSpan = { readonly from: LocalMinute; readonly to: LocalMinute };

/** S scheduled, U unscheduled, G general aviation. */
export type FlightTypeLetter = 'S' | 'U' | 'G';

/** Which instances are wanted. A member that is undefined does not narrow; an empty list finds nothing. */
export type Wanted = {
  /** Local departure. Give it always, by `boundDepartures` where only arrivals are asked about: it tells which days are opened. */
  readonly departs?: TimeSpan | undefined;
  /** Local arrival. */
  readonly arrives?: TimeSpan | undefined;
  /** Location ids. */
  readonly departures?: readonly number[] | undefined;
  readonly arrivals?: readonly number[] | undefined;
  /** Flights that were diverted to one of `arrivals` are wanted besides those scheduled to arrive there. */
  readonly includesDiverted?: boolean | undefined;
  /** Carrier ids. */
  readonly carriers?: readonly number[] | undefined;
  readonly flightNumber?: number | undefined;
  readonly flightTypes?: readonly FlightTypeLetter[] | undefined;
  /** One letter each; a blank stands for flights without a service type. */
  readonly serviceTypes?: readonly string[] | undefined;
  readonly isMarketing?: boolean | undefined;
  /** Registration of the aircraft that flies, without hyphens; one that is not shown finds nothing. */
  readonly registration?: string | undefined;
};

/** The place of an instance in every listing: by local departure, then by key. */
export type Place = { readonly departsAt: LocalMinute; readonly keyOrder: bigint };

/**
 * A list row as it comes from the database, bytes that are not looked into: all but `departsAt`, `order`, `statusOrder` and
 * `original` are JSON text, and are there when they were asked for and are known. `placeOf` reads the place.
 */
export type ListedInstance = {
  readonly doc: Buffer;
  readonly departsAt: Buffer;
  readonly order: Buffer;
  /** Comes with the status. */
  readonly statusOrder: Buffer | undefined;
  /** On a recovery flight: date and key of the flight it recovers, as in its address; empty when that has none. */
  readonly original: Buffer | undefined;
  /** The latest status. */
  readonly status: Buffer | undefined;
  /** Seats as scheduled (the contract's `seatingCapacity`), of the aircraft that flies, and to be expected (its members). */
  readonly seats: Buffer | undefined;
  readonly actualSeats: Buffer | undefined;
  readonly predictedSeats: Buffer | undefined;
};

const lastMinute = (span: TimeSpan): boolean => span.to % MINUTES_A_DAY === MINUTES_A_DAY - 1;
const isWholeDays = (span: TimeSpan): boolean => span.from % MINUTES_A_DAY === 0 && lastMinute(span);

const within = (statement: Statement, column: string, { from, to }: TimeSpan): void => {
  statement.conditions.push(
    `${column} between ${bind(statement, formatMinute(from))} and ${bind(statement, formatMinute(to))}`,
  );
};

/** A condition that the instance's flight is among some that the status tables know: a handful, looked up first and then in the index. */
const isOneOf = (statement: Statement, flights: string, { departs }: Wanted): string => {
  const days = departs
    ? ` and s.departs_on between ${bind(statement, formatDate(dateAt(departs.from)))}::date and ${bind(statement, formatDate(dateAt(departs.to)))}::date`
    : '';
  return `i.status_order = any(array(${flights}${days}))`;
};

const narrowDiverted = (statement: Statement, wanted: Wanted): void => {
  const locations = `any(${bind(statement, [...(wanted.arrivals ?? [])])}::int[])`;
  const diverted = `select s.status_order from flight_diversion s where s.location = ${locations}`;
  statement.conditions.push(`(i.arrival = ${locations} or ${isOneOf(statement, diverted, wanted)})`);
};

const statementOf = (wanted: Wanted): Statement => {
  const statement = newStatement();
  if (wanted.departs) within(statement, 'i.departs_at', wanted.departs);
  if (wanted.arrives) within(statement, 'i.arrives_at', wanted.arrives);
  narrow(statement, 'i.departure', wanted.departures);
  if (wanted.includesDiverted) narrowDiverted(statement, wanted);
  else narrow(statement, 'i.arrival', wanted.arrivals);
  narrow(statement, 'i.carrier', wanted.carriers);
  if (wanted.flightNumber !== undefined) narrow(statement, 'i.flight_number', [wanted.flightNumber]);
  narrow(statement, 'i.flight_type', wanted.flightTypes);
  narrow(statement, 'i.service_type', wanted.serviceTypes);
  if (wanted.isMarketing !== undefined)
    statement.conditions.push(`i.is_marketing = ${bind(statement, wanted.isMarketing)}`);
  if (wanted.registration !== undefined)
    statement.conditions.push(
      isOneOf(
        statement,
        `select s.status_order from flight_status s where s.registration = ${bind(statement, wanted.registration)}
          and not exists (select from registration_block where registration = ${bind(statement, wanted.registration)})`,
        wanted,
      ),
    );
  return statement;
};

/**
 * Gives a question about arrivals alone its bounds of departure, so that only the partitions that can answer are opened: a
 * flight is as long as the longest of its day, and across the date line it can arrive the day before it departs.
 */
export const boundDepartures = async (sql: Sql, wanted: Wanted): Promise<Wanted> => {
  const { departs, arrives } = wanted;
  if (departs || !arrives) return wanted;
  const [row] = await sql<{ since: string | null }[]>`
    select min(day) as since from expanded_day where day + longest_days >= ${formatDate(dateAt(arrives.from))}`;
  const from = row?.since ? localDate(row.since) : dateAt(arrives.from);
  return { ...wanted, departs: { from: atMinute(from, 0), to: atMinute(addDays(dateAt(arrives.to), 2), -1) } };
};

/** The place of a list row. */
export const placeOf = ({ departsAt, order }: ListedInstance): Place => {
  const text = departsAt.toString('latin1');
  const date = (Date.parse(`${text.slice(0, 10)}T00:00Z`) / 86_400_000) as LocalDate;
  return {
    departsAt: atMinute(date, Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16))),
    keyOrder: BigInt(order.toString('latin1')),
  };
};

const none = Buffer.alloc(0);

/** Which datasets a list row comes with. */
export type Datasets = { readonly withStatus: boolean; readonly withSeats: boolean };

const statusJoin = `left join flight_status s on s.departs_on = i.departs_at::date and s.status_order = i.status_order`;
const seatsJoin = `left join segment on segment.id = i.segment_id
    left join seat_prediction p on (p.carrier, p.flight_number, p.departure, p.arrival) = (i.carrier, i.flight_number, i.departure, i.arrival)
      and i.departs_at >= p.since`;

const joinsOf = ({ withStatus, withSeats }: Datasets): string =>
  [withStatus || withSeats ? statusJoin : '', withSeats ? seatsJoin : ''].join(' ');

/** Every column costs each row of a page: only those are asked for that the datasets need. */
const columnsOf = ({ withStatus, withSeats }: Datasets): string =>
  [
    'i.doc, i.departs_at, i.key_order, i.original',
    ...(withStatus ? [`i.status_order, nullif(s.doc, '') as status`] : []),
    ...(withSeats ? ['segment.seats as seats, s.seats as actual_seats, p.seats as predicted_seats'] : []),
  ].join(', ');

const BASE_COLUMNS = 4;
const STATUS_COLUMNS = 2;

type Columns = readonly (Buffer | null | undefined)[];

const listedReader =
  ({ withStatus, withSeats }: Datasets) =>
  (columns: Columns): ListedInstance => {
    const [doc, departsAt, order, original] = columns;
    const [statusOrder, status] = withStatus ? columns.slice(BASE_COLUMNS) : [];
    const seatsAt = BASE_COLUMNS + (withStatus ? STATUS_COLUMNS : 0);
    const [seats, actualSeats, predictedSeats] = withSeats ? columns.slice(seatsAt) : [];
    return {
      doc: doc ?? none,
      departsAt: departsAt ?? none,
      order: order ?? none,
      original: original ?? undefined,
      statusOrder: statusOrder ?? undefined,
      status: status ?? undefined,
      seats: seats ?? undefined,
      actualSeats: actualSeats ?? undefined,
      predictedSeats: predictedSeats ?? undefined,
    };
  };

/** The days of departure, when nothing else narrows: then the counters of the days know the number. */
const daysOnly = ({ departs, ...rest }: Wanted): TimeSpan | undefined =>
  departs && isWholeDays(departs) && Object.values(rest).every((value) => value === undefined) ? departs : undefined;

/** The exact number of instances that the conditions of a statement leave, as an expression within it. */
const countOf = (statement: Statement, wanted: Wanted): string => {
  const days = daysOnly(wanted);
  if (!days) return `(select count(*) from flight_instance i ${whereOf(statement)})`;
  const [first, last] = [dateAt(days.from), dateAt(days.to)].map((day) => bind(statement, formatDate(day)));
  return `(select coalesce(sum(instances), 0) from expanded_day where day between ${first}::date and ${last}::date)
    + (select count(*) from flight_instance i ${whereOf(statement)} and i.flight_type <> 'S')`;
};

export type Listing = Datasets & {
  /** The item to list from, that item included; from the start when not given. */
  readonly from?: Place | undefined;
  readonly limit: number;
  /** Whether all that are wanted are counted besides. */
  readonly withCount: boolean;
};

export type ListedInstances = {
  readonly instances: readonly ListedInstance[];
  /** The exact number of all that are wanted, on this page or not; undefined when it was not asked for. */
  readonly count: number | undefined;
};

/** A page with a last column that is null but in its first row: what each row has costs as often. */
const withCountOnFirst = (page: string, count: string): string =>
  `select p.*, case when row_number() over (order by departs_at, key_order) = 1 then ${count} end
   from (${page}) as p order by departs_at, key_order`;

/**
 * Instances in listing order, `limit` of them at most. Documents come as the bytes the database holds. The count is asked for in the same
 * statement: that is of one moment with the page, and a question less, which costs as much as a short page.
 */
export const listInstances = async (
  sql: Sql,
  wanted: Wanted,
  { from, limit, withCount, ...datasets }: Listing,
): Promise<ListedInstances> => {
  const statement = statementOf(wanted);
  const count = withCount ? countOf(statement, wanted) : undefined;
  if (from)
    statement.conditions.push(
      `(i.departs_at, i.key_order) >= (${bind(statement, formatMinute(from.departsAt))}, ${bind(statement, from.keyOrder)})`,
    );
  const where = whereOf(statement);
  const page = `select ${columnsOf(datasets)} from flight_instance i ${joinsOf(datasets)}
    ${where} order by i.departs_at, i.key_order limit ${bind(statement, limit)}`;
  const text = count === undefined ? page : withCountOnFirst(page, count);
  const rows = takeRows(await sql.unsafe(text, statement.values, { prepare: true }).raw());
  // Where there is no row there is none to count.
  const counted = rows[0]?.at(-1)?.toString('latin1') ?? '0';
  return { instances: rows.map(listedReader(datasets)), count: withCount ? Number(counted) : undefined };
};

/** One instance with what its segment adds: `details` is JSON text, members without braces. */
export type FoundInstance = ListedInstance & { readonly details: Buffer | undefined };

/** The instance of a key (32 bytes) that departs on a local date. */
export const findInstance = async (
  sql: Sql,
  { date, key }: { readonly date: LocalDate; readonly key: Buffer },
): Promise<FoundInstance | undefined> => {
  const datasets = { withStatus: true, withSeats: true };
  const text = `select ${columnsOf(datasets)}, segment.details from flight_instance i ${joinsOf(datasets)}
    where i.departs_at >= $1::date and i.departs_at < $2::date and i.key_order = $3 and i.key = $4`;
  const values = [formatDate(date), formatDate(addDays(date, 1)), keyOrder(key), key];
  const [row] = await sql.unsafe(text, values, { prepare: true }).raw();
  return row && { ...listedReader(datasets)(row), details: row.at(-1) ?? undefined };
};

/** Resolves when flight instances can be read; rejects with the database's error. */
export const touchInstances = async (sql: Sql): Promise<void> => {
  await sql`select from flight_instance limit 1`;
};
