import {
  addDays,
  atMinute,
  dateAt,
  formatDate,
  formatMinute,
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
  /** Local departure; at least one of the two spans is given. */
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

const oneOf = (sql: Sql, column: string, values: readonly (number | string)[] | undefined) => {
  if (values === undefined) return sql``;
  const [only] = values;
  return values.length === 1 && only !== undefined
    ? sql`and ${sql(column)} = ${only}`
    : sql`and ${sql(column)} = any(${[...values]})`;
};

/**
 * Bounds the departure of flights that arrive within a span, so that only some partitions are read: a flight is as long as
 * the longest of its day, and across the date line it can arrive the day before it departs.
 */
const departsFor = (sql: Sql, arrives: TimeSpan) => sql`
  departs_at >= coalesce((select min(day) from expanded_day
    where day + longest_days >= ${formatDate(dateAt(arrives.from))}::date), 'infinity'::date)
  and departs_at < ${formatDate(addDays(dateAt(arrives.to), 2))}::date`;

const condition = (sql: Sql, wanted: Wanted) => sql`
  ${
    wanted.departs
      ? sql`departs_at between ${formatMinute(wanted.departs.from)} and ${formatMinute(wanted.departs.to)}`
      : wanted.arrives
        ? departsFor(sql, wanted.arrives)
        : sql`true`
  }
  ${wanted.arrives ? sql`and arrives_at between ${formatMinute(wanted.arrives.from)} and ${formatMinute(wanted.arrives.to)}` : sql``}
  ${oneOf(sql, 'departure', wanted.departures)}
  ${oneOf(sql, 'arrival', wanted.arrivals)}
  ${oneOf(sql, 'carrier', wanted.carriers)}
  ${wanted.flightNumber === undefined ? sql`` : sql`and flight_number = ${wanted.flightNumber}`}
  ${oneOf(sql, 'flight_type', wanted.flightTypes)}
  ${oneOf(sql, 'service_type', wanted.serviceTypes)}
  ${wanted.isMarketing === undefined ? sql`` : sql`and is_marketing = ${wanted.isMarketing}`}
  ${
    // Only a status tells a registration, and none has been observed of any flight yet.
    wanted.registration === undefined ? sql`` : sql`and false`
  }`;

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
  const rows = await sql`
    select doc, departs_at, key_order ${withSeats ? sql`, segment.seats` : sql``}
    from flight_instance ${withSeats ? sql`left join segment on segment.id = segment_id` : sql``}
    where ${condition(sql, wanted)}
      ${from ? sql`and (departs_at, key_order) >= (${formatMinute(from.departsAt)}, ${from.keyOrder})` : sql``}
    order by departs_at, key_order
    limit ${limit}`.raw();
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
  const [row] = days
    ? await sql<{ count: bigint }[]>`
        select coalesce(sum(instances), 0) as count from expanded_day
        where day between ${formatDate(dateAt(days.from))} and ${formatDate(dateAt(days.to))}`
    : await sql<{ count: bigint }[]>`select count(*) from flight_instance where ${condition(sql, wanted)}`;
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
