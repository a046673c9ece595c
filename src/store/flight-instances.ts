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
  /** Carrier ids. */
  readonly carriers?: readonly number[] | undefined;
  readonly flightNumber?: number | undefined;
  readonly flightTypes?: readonly FlightTypeLetter[] | undefined;
  /** One letter each; a blank stands for flights without a service type. */
  readonly serviceTypes?: readonly string[] | undefined;
  readonly isMarketing?: boolean | undefined;
  /** Registration of the aircraft, without hyphens. */
  readonly registration?: string | undefined;
};

/** The place of an instance in every listing: by local departure, then by key. */
export type Place = { readonly departsAt: LocalMinute; readonly keyOrder: bigint };

/**
 * A list row as it comes from the database, bytes that are not looked into: `doc` is JSON text, and so is `seats`, which is
 * there when it was asked for and is known. `placeOf` reads the rest.
 */
export type ListedInstance = {
  readonly doc: Buffer;
  readonly seats: Buffer | undefined;
  readonly departsAt: Buffer;
  readonly order: Buffer;
};

const lastMinute = (span: TimeSpan): boolean => span.to % MINUTES_A_DAY === MINUTES_A_DAY - 1;
const isWholeDays = (span: TimeSpan): boolean => span.from % MINUTES_A_DAY === 0 && lastMinute(span);

/**
 * A statement as it grows: text of our own, and values that go with it as parameters. Nesting the driver's fragments would
 * read the same but costs 80 microseconds a page, more than the rest of the answer.
 */
type Statement = {
  readonly conditions: string[];
  readonly values: (string | number | boolean | bigint | number[] | string[])[];
};

const bind = ({ values }: Statement, value: Statement['values'][number]): string => `$${values.push(value)}`;

const narrow = (
  statement: Statement,
  column: string,
  values: readonly number[] | readonly string[] | undefined,
): void => {
  if (values === undefined) return;
  const [only] = values;
  statement.conditions.push(
    values.length === 1 && only !== undefined
      ? `${column} = ${bind(statement, only)}`
      : `${column} = any(${bind(statement, typeof only === 'string' ? values.map(String) : values.map(Number))})`,
  );
};

const within = (statement: Statement, column: string, { from, to }: TimeSpan): void => {
  statement.conditions.push(
    `${column} between ${bind(statement, formatMinute(from))} and ${bind(statement, formatMinute(to))}`,
  );
};

const statementOf = (wanted: Wanted): Statement => {
  const statement: Statement = { conditions: [], values: [] };
  if (wanted.departs) within(statement, 'departs_at', wanted.departs);
  if (wanted.arrives) within(statement, 'arrives_at', wanted.arrives);
  narrow(statement, 'departure', wanted.departures);
  narrow(statement, 'arrival', wanted.arrivals);
  narrow(statement, 'carrier', wanted.carriers);
  if (wanted.flightNumber !== undefined) narrow(statement, 'flight_number', [wanted.flightNumber]);
  narrow(statement, 'flight_type', wanted.flightTypes);
  narrow(statement, 'service_type', wanted.serviceTypes);
  if (wanted.isMarketing !== undefined)
    statement.conditions.push(`is_marketing = ${bind(statement, wanted.isMarketing)}`);
  // Only a status tells a registration, and none has been observed of any flight yet.
  if (wanted.registration !== undefined) statement.conditions.push('false');
  return statement;
};

const whereOf = ({ conditions }: Statement): string =>
  conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;

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

/**
 * Instances in listing order, `limit` of them at most, from an item on (that item included) or from the start.
 * Documents come as the bytes the database holds.
 */
export const listInstances = async (
  sql: Sql,
  wanted: Wanted,
  {
    from,
    limit,
    withSeats,
  }: { readonly from?: Place | undefined; readonly limit: number; readonly withSeats: boolean },
): Promise<readonly ListedInstance[]> => {
  const statement = statementOf(wanted);
  if (from)
    statement.conditions.push(
      `(departs_at, key_order) >= (${bind(statement, formatMinute(from.departsAt))}, ${bind(statement, from.keyOrder)})`,
    );
  const where = whereOf(statement);
  const text = `select doc, departs_at, key_order${withSeats ? ', segment.seats' : ''}
    from flight_instance ${withSeats ? 'left join segment on segment.id = segment_id' : ''}
    ${where} order by departs_at, key_order limit ${bind(statement, limit)}`;
  const rows = await sql.unsafe(text, statement.values, { prepare: true }).raw();
  return rows.map(([doc, departsAt, order, seats]) => ({
    doc: doc ?? none,
    seats: seats ?? undefined,
    departsAt: departsAt ?? none,
    order: order ?? none,
  }));
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
        select coalesce(sum(instances), 0) as count from expanded_day
        where day between ${formatDate(dateAt(days.from))} and ${formatDate(dateAt(days.to))}`
    : await sql.unsafe<{ count: bigint }[]>(
        `select count(*) from flight_instance ${whereOf(statement)}`,
        statement.values,
        { prepare: true },
      );
  return Number(row?.count ?? 0);
};

/** One instance with what its segment adds: JSON text, `details` as members without braces. */
export type FoundInstance = {
  readonly doc: string;
  readonly details: string | undefined;
  readonly seats: string | undefined;
};

/** The instance of a key (32 bytes) that departs on a local date. */
export const findInstance = async (
  sql: Sql,
  { date, key }: { readonly date: LocalDate; readonly key: Buffer },
): Promise<FoundInstance | undefined> => {
  const [row] = await sql<{ doc: string; details: string | null; seats: string | null }[]>`
    select doc, segment.details, segment.seats
    from flight_instance left join segment on segment.id = segment_id
    where departs_at >= ${formatDate(date)}::date and departs_at < ${formatDate(addDays(date, 1))}::date
      and key_order = ${keyOrder(key)} and key = ${key}`;
  return row && { doc: row.doc, details: row.details ?? undefined, seats: row.seats ?? undefined };
};

/** Resolves when flight instances can be read; rejects with the database's error. */
export const touchInstances = async (sql: Sql): Promise<void> => {
  await sql`select from flight_instance limit 1`;
};
