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
} from '../domain/dates.ts';
import { keyOrder } from '../domain/keys.ts';
import type { Sql } from './database.ts';
import { bind, narrow, newStatement, whereOf, type Statement } from './statement.ts';

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
  /** Registration of the aircraft that flies, without hyphens. */
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
        `select s.status_order from flight_status s where s.registration = ${bind(statement, wanted.registration)}`,
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
    ...(withStatus ? [`i.status_order, nullif(s.doc, '')`] : []),
    ...(withSeats ? ['segment.seats, s.seats, p.seats'] : []),
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

/**
 * Instances in listing order, `limit` of them at most, from an item on (that item included) or from the start.
 * Documents come as the bytes the database holds.
 */
export const listInstances = async (
  sql: Sql,
  wanted: Wanted,
  { from, limit, ...datasets }: { readonly from?: Place | undefined; readonly limit: number } & Datasets,
): Promise<readonly ListedInstance[]> => {
  const statement = statementOf(wanted);
  if (from)
    statement.conditions.push(
      `(i.departs_at, i.key_order) >= (${bind(statement, formatMinute(from.departsAt))}, ${bind(statement, from.keyOrder)})`,
    );
  const where = whereOf(statement);
  const text = `select ${columnsOf(datasets)} from flight_instance i ${joinsOf(datasets)}
    ${where} order by i.departs_at, i.key_order limit ${bind(statement, limit)}`;
  const rows = await sql.unsafe(text, statement.values, { prepare: true }).raw();
  return rows.map(listedReader(datasets));
};

/** The days of departure, when nothing else narrows: then the counters of the days know the number. */
const daysOnly = ({ departs, ...rest }: Wanted): TimeSpan | undefined =>
  departs && isWholeDays(departs) && Object.values(rest).every((value) => value === undefined) ? departs : undefined;

/** The exact number of instances wanted. */
export const countInstances = async (sql: Sql, wanted: Wanted): Promise<number> => {
  const days = daysOnly(wanted);
  const statement = statementOf(wanted);
  const [row] = days
    ? await sql<{ count: bigint }[]>`
        select (select coalesce(sum(instances), 0) from expanded_day
            where day between ${formatDate(dateAt(days.from))} and ${formatDate(dateAt(days.to))})
          + (select count(*) from flight_instance
            where flight_type <> 'S' and departs_at between ${formatMinute(days.from)} and ${formatMinute(days.to)}) as count`
    : await sql.unsafe<{ count: bigint }[]>(
        `select count(*) from flight_instance i ${whereOf(statement)}`,
        statement.values,
        { prepare: true },
      );
  return Number(row?.count ?? 0);
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
