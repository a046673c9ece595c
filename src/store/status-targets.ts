import { addDays, formatDate, localDate, type LocalDate } from '../domain/dates.ts';
import type { Sql } from './database.ts';
import type { FlightTypeLetter } from './flight-instances.ts';

/** A flight instance that a status message may speak of; `doc` is its list row as JSON text. */
export type StatusTarget = {
  /** Local date of scheduled departure. */
  readonly departsOn: LocalDate;
  readonly key: Buffer;
  readonly keyOrder: bigint;
  readonly statusOrder: bigint;
  /** Ids of locations. */
  readonly departure: number;
  readonly arrival: number;
  readonly flightType: FlightTypeLetter;
  readonly serviceType: string;
  readonly isMarketing: boolean;
  readonly isRecovery: boolean;
  readonly doc: string;
};

type Row = Omit<StatusTarget, 'departsOn'> & { readonly departsOn: string };

const columns = (sql: Sql) => sql`
  departs_at::date as "departsOn", key, key_order as "keyOrder", status_order as "statusOrder", departure, arrival,
  flight_type as "flightType", service_type as "serviceType", is_marketing as "isMarketing", original is not null as "isRecovery", doc`;

const read = (row: Row): StatusTarget => ({ ...row, departsOn: localDate(row.departsOn) });

const between = (sql: Sql, from: LocalDate, days: number) => sql`
  departs_at >= ${formatDate(from)}::date and departs_at < ${formatDate(addDays(from, days))}::date`;

/** The instances that depart on a local date and have one of these status orders; marketing flights share one. */
export const targetsByStatus = async (
  sql: Sql,
  departsOn: LocalDate,
  orders: readonly bigint[],
): Promise<readonly StatusTarget[]> => {
  if (orders.length === 0) return [];
  const rows = await sql<Row[]>`
    select ${columns(sql)} from flight_instance
    where ${between(sql, departsOn, 1)} and status_order = any(${orders.map(String)}::bigint[])`;
  return rows.map(read);
};

/** The instances with one of these schedule keys, by their order, that depart within so many days from a local date on. */
export const targetsBySchedule = async (
  sql: Sql,
  { from, days }: { readonly from: LocalDate; readonly days: number },
  orders: readonly bigint[],
): Promise<readonly StatusTarget[]> => {
  if (orders.length === 0) return [];
  const rows = await sql<Row[]>`
    select ${columns(sql)} from flight_instance
    where ${between(sql, from, days)} and key_order = any(${orders.map(String)}::bigint[])`;
  return rows.map(read);
};

/** The flights of one number of some carriers (ids) that depart within so many days from a local date on, earliest first. */
export const targetsByNumber = async (
  sql: Sql,
  {
    from,
    days,
    carriers,
    flightNumber,
  }: {
    readonly from: LocalDate;
    readonly days: number;
    readonly carriers: readonly number[];
    readonly flightNumber: number;
  },
): Promise<readonly StatusTarget[]> => {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from flight_instance
    where ${between(sql, from, days)} and carrier = any(${[...carriers]}::int[]) and flight_number = ${flightNumber}
    order by departs_at, key_order`;
  return rows.map(read);
};
