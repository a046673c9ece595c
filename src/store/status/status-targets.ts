import { addDays, formatDate, localDate, type LocalDate } from '../../domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import type { FlightTypeLetter } from '../flights/flight-instances.ts';
import { readFrame, type FrameRow, type StatusPlace, type StatusSubject } from './flight-statuses.ts';

/** A flight instance that a status message may speak of. */
export type StatusTarget = {
  /** Local date of scheduled departure. */
  readonly departsOn: LocalDate;
  readonly key: Buffer;
  readonly keyOrder: bigint;
  readonly statusOrder: bigint;
  /** Id of the carrier. */
  readonly carrier: number;
  /** Ids of locations. */
  readonly departure: number;
  readonly arrival: number;
  readonly flightType: FlightTypeLetter;
  readonly serviceType: string;
  readonly isMarketing: boolean;
  readonly isRecovery: boolean;
  /** Its list row as JSON text; '' where `standing` was asked for instead, and is there. */
  readonly doc: string;
  /** What a status that is kept already says of the flight: it spares reading the list row. */
  readonly standing?: Omit<StatusSubject, keyof StatusPlace> | undefined;
};

type Row = Omit<StatusTarget, 'departsOn' | 'standing'> & { readonly departsOn: string };

const columns = (sql: Sql) => sql`
  departs_at::date as "departsOn", key, key_order as "keyOrder", status_order as "statusOrder", carrier, departure, arrival,
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

type SparingRow = Row & FrameRow & { readonly standingKey: Buffer | null };

const readSparing = (row: SparingRow): StatusTarget => ({
  departsOn: localDate(row.departsOn),
  key: row.key,
  keyOrder: row.keyOrder,
  statusOrder: row.statusOrder,
  carrier: row.carrier,
  departure: row.departure,
  arrival: row.arrival,
  flightType: row.flightType,
  serviceType: row.serviceType,
  isMarketing: row.isMarketing,
  isRecovery: row.isRecovery,
  doc: row.doc,
  standing: row.standingKey
    ? { key: row.standingKey, frame: readFrame({ ...row, isRecovery: row.isRecovery }) }
    : undefined,
});

/**
 * The instances with one of these keys, by their order, that depart within so many days from a local date on. Instances whose
 * flight has a status already come with what that knows of them, and without their documents.
 */
export const targetsByKey = async (
  sql: Sql,
  { kind, from, days }: { readonly kind: 'schedule' | 'status'; readonly from: LocalDate; readonly days: number },
  orders: readonly bigint[],
): Promise<readonly StatusTarget[]> => {
  if (orders.length === 0) return [];
  const column = kind === 'schedule' ? sql`i.key_order` : sql`i.status_order`;
  const rows = await sql<SparingRow[]>`
    select i.departs_at::date as "departsOn", i.key, i.key_order as "keyOrder", i.status_order as "statusOrder", i.carrier, i.departure,
      i.arrival, i.flight_type as "flightType", i.service_type as "serviceType", i.is_marketing as "isMarketing",
      i.original is not null as "isRecovery", case when s.key is null then i.doc else '' end as doc,
      s.key as "standingKey", s.scheduled_out as "scheduledOut", s.scheduled_in as "scheduledIn",
      s.departure_offset as "departureOffset", s.arrival_offset as "arrivalOffset"
    from flight_instance i
    left join flight_status s on s.departs_on = i.departs_at::date and s.status_order = i.status_order
      and (s.departure, s.arrival) = (i.departure, i.arrival)
    where i.departs_at >= ${formatDate(from)}::date and i.departs_at < ${formatDate(addDays(from, days))}::date
      and ${column} = any(${orders.map(String)}::bigint[])`;
  return rows.map(readSparing);
};

/** The flights with some numbers of some carriers (ids) that depart within so many days from a local date on, earliest first. */
export const targetsByNumber = async (
  sql: Sql,
  {
    from,
    days,
    carriers,
    flightNumbers,
  }: {
    readonly from: LocalDate;
    readonly days: number;
    readonly carriers: readonly number[];
    readonly flightNumbers: readonly number[];
  },
): Promise<readonly StatusTarget[]> => {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from flight_instance
    where ${between(sql, from, days)} and carrier = any(${[...carriers]}::int[])
      and flight_number = any(${[...flightNumbers]}::smallint[])
    order by departs_at, key_order`;
  return rows.map(read);
};
