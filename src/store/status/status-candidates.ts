import { addDays, formatDate, localDate, type LocalDate } from '../../domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import type { FlightTypeLetter } from '../flights/flight-instances.ts';
import {
  readScheduleReference,
  type ScheduleReferenceRow,
  type StatusId,
  type StatusFlight,
} from './flight-statuses.ts';

/** A flight instance that a status message may refer to. */
export type StatusCandidate = {
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
  /** Its list row as JSON text; '' when `storedStatus` is set. */
  readonly doc: string;
  /** The schedule reference of a status that is already stored: it makes reading the list row unnecessary. */
  readonly storedStatus?: Omit<StatusFlight, keyof StatusId> | undefined;
};

type Row = Omit<StatusCandidate, 'departsOn' | 'storedStatus'> & { readonly departsOn: string };

const columns = (sql: Sql) => sql`
  departs_at::date as "departsOn", key, key_order as "keyOrder", status_order as "statusOrder", carrier, departure, arrival,
  flight_type as "flightType", service_type as "serviceType", is_marketing as "isMarketing", original is not null as "isRecovery", doc`;

const read = (row: Row): StatusCandidate => ({ ...row, departsOn: localDate(row.departsOn) });

const between = (sql: Sql, from: LocalDate, days: number) => sql`
  departs_at >= ${formatDate(from)}::date and departs_at < ${formatDate(addDays(from, days))}::date`;

/** Returns the instances that depart on a local date and have one of these status orders, which marketing flights share. */
export const listCandidatesByStatus = async (
  sql: Sql,
  departsOn: LocalDate,
  orders: readonly bigint[],
): Promise<readonly StatusCandidate[]> => {
  if (orders.length === 0) return [];
  const rows = await sql<Row[]>`
    select ${columns(sql)} from flight_instance
    where ${between(sql, departsOn, 1)} and status_order = any(${orders.map(String)}::bigint[])`;
  return rows.map(read);
};

type StoredStatusRow = Row & ScheduleReferenceRow & { readonly storedKey: Buffer | null };

const readWithStoredStatus = (row: StoredStatusRow): StatusCandidate => ({
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
  storedStatus: row.storedKey
    ? { key: row.storedKey, reference: readScheduleReference({ ...row, isRecovery: row.isRecovery }) }
    : undefined,
});

/**
 * Returns the instances with one of these keys (by key order) that depart within `days` days from a local date. Instances whose flight
 * already has a status have `storedStatus` and no document.
 */
export const listCandidatesByKey = async (
  sql: Sql,
  { kind, from, days }: { readonly kind: 'schedule' | 'status'; readonly from: LocalDate; readonly days: number },
  orders: readonly bigint[],
): Promise<readonly StatusCandidate[]> => {
  if (orders.length === 0) return [];
  const column = kind === 'schedule' ? sql`i.key_order` : sql`i.status_order`;
  const rows = await sql<StoredStatusRow[]>`
    select i.departs_at::date as "departsOn", i.key, i.key_order as "keyOrder", i.status_order as "statusOrder", i.carrier, i.departure,
      i.arrival, i.flight_type as "flightType", i.service_type as "serviceType", i.is_marketing as "isMarketing",
      i.original is not null as "isRecovery", case when s.key is null then i.doc else '' end as doc,
      s.key as "storedKey", s.scheduled_out as "scheduledOut", s.scheduled_in as "scheduledIn",
      s.departure_offset as "departureOffset", s.arrival_offset as "arrivalOffset"
    from flight_instance i
    left join flight_status s on s.departs_on = i.departs_at::date and s.status_order = i.status_order
      and (s.departure, s.arrival) = (i.departure, i.arrival)
    where i.departs_at >= ${formatDate(from)}::date and i.departs_at < ${formatDate(addDays(from, days))}::date
      and ${column} = any(${orders.map(String)}::bigint[])`;
  return rows.map(readWithStoredStatus);
};

/** Returns the flights with these numbers of these carriers (ids) that depart within `days` days from a local date, earliest first. */
export const listCandidatesByNumber = async (
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
): Promise<readonly StatusCandidate[]> => {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from flight_instance
    where ${between(sql, from, days)} and carrier = any(${[...carriers]}::int[])
      and flight_number = any(${[...flightNumbers]}::smallint[])
    order by departs_at, key_order`;
  return rows.map(read);
};
