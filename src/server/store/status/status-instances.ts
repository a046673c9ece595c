import { addDays, formatDate, localDate, type LocalDate } from '#domain/time/dates.ts';
import {
  type Codeshare,
  joinCodeshares,
  listSearchTerms,
  notFiledByPartner,
  parseCodeshare,
} from '../flights/codeshares.ts';
import type { FlightTypeLetter } from '../flights/instance-filter.ts';
import { NO_STOPS } from '../flights/instance-sources.ts';
import type { Sql } from '../pool/database.ts';
import {
  readScheduleReference,
  type ScheduleReferenceRow,
  type StatusFlight,
  type StatusId,
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
  /** Whether it is a whole flight with stops, not a leg. */
  readonly hasStops: boolean;
  /** Its list row as JSON text; '' for a scheduled flight when `storedStatus` is set. */
  readonly doc: string;
  /** The schedule reference of a status that is already stored: it makes reading the list row unnecessary. */
  readonly storedStatus?: Omit<StatusFlight, keyof StatusId> | undefined;
  /** Set on a codeshare that only its operating flight names: the codeshare as stored, JSON text; `doc` is the row of the operating flight. */
  readonly codeshare?: string | undefined;
};

type CandidateRow = Omit<StatusCandidate, 'departsOn' | 'storedStatus'> & { readonly departsOn: string };

const columns = (sql: Sql) => sql`
  departs_at::date as "departsOn", key, key_order as "keyOrder", status_order as "statusOrder", carrier, departure, arrival,
  flight_type as "flightType", service_type as "serviceType", is_marketing as "isMarketing", original is not null as "isRecovery",
  strpos(doc, ${NO_STOPS}) = 0 as "hasStops", doc`;

const read = (row: CandidateRow): StatusCandidate => ({ ...row, departsOn: localDate(row.departsOn) });

/** Selects codeshares that depart within `days` days from a local date, by search terms and a condition on the codeshare. */
const listCodeshareCandidates = async (
  sql: Sql,
  { from, days, terms }: { readonly from: LocalDate; readonly days: number; readonly terms: readonly bigint[] },
  isSelected: (codeshare: Codeshare) => boolean,
): Promise<readonly StatusCandidate[]> => {
  const text = `
    select i.departs_at::date as "departsOn", decode(c.codeshare ->> 'key', 'hex') as key, (c.codeshare ->> 'order')::bigint as "keyOrder",
      i.status_order as "statusOrder", (c.codeshare ->> 'carrierId')::int as carrier, i.departure, i.arrival,
      i.flight_type as "flightType", i.service_type as "serviceType", true as "isMarketing", false as "isRecovery",
      strpos(i.doc, '${NO_STOPS}') = 0 as "hasStops", i.doc,
      c.codeshare::text as codeshare
    from flight_instance i ${joinCodeshares}
    where i.departs_at >= $1::date and i.departs_at < $2::date and i.codeshare_terms && $3::bigint[] and ${notFiledByPartner}
    order by i.departs_at, "keyOrder"`;
  const values = [formatDate(from), formatDate(addDays(from, days)), terms.map(String)];
  const rows = await sql.unsafe<(CandidateRow & { readonly codeshare: string })[]>(text, values, { prepare: true });
  return rows.filter(({ codeshare }) => isSelected(parseCodeshare(codeshare))).map(read);
};

const between = (sql: Sql, from: LocalDate, days: number) => sql`
  departs_at >= ${formatDate(from)}::date and departs_at < ${formatDate(addDays(from, days))}::date`;

/** Runs a query for each day of these statuses, all at once: each reads the partition of its day. */
const queryEachDay = async <Found>(
  ids: readonly StatusId[],
  query: (day: LocalDate, orders: readonly bigint[]) => Promise<readonly Found[]>,
): Promise<readonly Found[]> => {
  const days = Map.groupBy(ids, ({ departsOn }) => departsOn);
  const found = await Promise.all(
    [...days].map(([day, idsOfDay]) =>
      query(
        day,
        idsOfDay.map(({ statusOrder }) => statusOrder),
      ),
    ),
  );
  return found.flat();
};

/** Returns the instances with these statuses, which marketing flights share; one query for each day. */
export const listCandidatesByStatus = (sql: Sql, ids: readonly StatusId[]): Promise<readonly StatusCandidate[]> =>
  queryEachDay(ids, async (day, orders) => {
    const rows = await sql<CandidateRow[]>`
      select ${columns(sql)} from flight_instance
      where ${between(sql, day, 1)} and status_order = any(${orders.map(String)}::bigint[])`;
    return rows.map(read);
  });

type StoredStatusRow = CandidateRow & ScheduleReferenceRow & { readonly storedKey: Buffer | null };

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
  hasStops: row.hasStops,
  doc: row.doc,
  storedStatus: row.storedKey
    ? { key: row.storedKey, reference: readScheduleReference({ ...row, isRecovery: row.isRecovery }) }
    : undefined,
});

/**
 * Returns the instances and codeshares with one of these keys (by key order) that depart within `days` days from a local date. Instances whose flight
 * already has a status have `storedStatus`, and scheduled ones then no document.
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
      i.original is not null as "isRecovery", strpos(i.doc, ${NO_STOPS}) = 0 as "hasStops",
      case when s.key is null or i.flight_type <> 'S' then i.doc else '' end as doc,
      s.key as "storedKey", s.scheduled_out as "scheduledOut", s.scheduled_in as "scheduledIn",
      s.departure_estimated as "isDepartureEstimated", s.departure_offset as "departureOffset", s.arrival_offset as "arrivalOffset"
    from flight_instance i
    left join flight_status s on s.departs_on = i.departs_at::date and s.status_order = i.status_order
      and (s.departure, s.arrival) = (i.departure, i.arrival)
    where i.departs_at >= ${formatDate(from)}::date and i.departs_at < ${formatDate(addDays(from, days))}::date
      and ${column} = any(${orders.map(String)}::bigint[])`;
  const stored = rows.map(readWithStoredStatus);
  if (kind === 'status') return stored;
  const found = new Set(stored.map(({ keyOrder }) => keyOrder));
  const missing = orders.filter((order) => !found.has(order));
  if (missing.length === 0) return stored;
  const terms = new Set(missing.map(String));
  const isMissing = ({ order }: Codeshare): boolean => terms.has(order);
  return [...stored, ...(await listCodeshareCandidates(sql, { from, days, terms: missing }, isMissing))];
};

/**
 * Returns the flights with these numbers of these carriers (ids) that depart within `days` days from a local date, earliest first, then the
 * codeshares that only their operating flights name.
 */
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
  const rows = await sql<CandidateRow[]>`
    select ${columns(sql)} from flight_instance
    where ${between(sql, from, days)} and carrier = any(${[...carriers]}::int[])
      and flight_number = any(${[...flightNumbers]}::smallint[])
    order by departs_at, key_order`;
  const terms = listSearchTerms(carriers, flightNumbers);
  const isOneOf = ({ carrierId, flightNumber }: Codeshare): boolean =>
    carriers.includes(carrierId) && flightNumbers.includes(flightNumber);
  return [...rows.map(read), ...(await listCodeshareCandidates(sql, { from, days, terms }, isOneOf))];
};

/** An instance with everything that its events and responses contain beside the status. */
export type StatusInstanceRow = StatusId & {
  /** The key of its event versions, 32 bytes: its schedule key or, for an unscheduled flight, its status key. */
  readonly key: Buffer;
  /** Ids of locations. */
  readonly departure: number;
  readonly arrival: number;
  readonly flightType: FlightTypeLetter;
  readonly isMarketing: boolean;
  /** Its list row, JSON text. */
  readonly doc: string;
  /** Seats as filed, JSON text. */
  readonly seats: string | undefined;
  /** On a recovery flight: date and key of the flight it recovers, as in its URL, or a pending reference (`PENDING_ORIGINAL`). */
  readonly original: string | undefined;
  /** Set on a codeshare that only its operating flight names: the codeshare as stored, JSON text; `doc` is the row of the operating flight. */
  readonly codeshare?: string | undefined;
};

type Row = Omit<StatusInstanceRow, 'departsOn' | 'seats' | 'original' | 'codeshare'> & {
  readonly departsOn: string;
  readonly codeshares: readonly string[] | null;
  readonly seats: string | null;
  readonly original: string | null;
};

const listInstancesOfDay = async (
  sql: Sql,
  day: LocalDate,
  orders: readonly bigint[],
): Promise<readonly StatusInstanceRow[]> => {
  const text = `
    select i.departs_at::date as "departsOn", i.status_order as "statusOrder", i.key, i.departure, i.arrival,
      i.flight_type as "flightType", i.is_marketing as "isMarketing", i.doc, s.seats, i.original,
      (select array_agg(c.codeshare::text) from jsonb_array_elements(i.codeshares) as c(codeshare) where ${notFiledByPartner}) as codeshares
    from flight_instance i left join segment s on s.id = i.segment_id
    where i.departs_at >= $1::date and i.departs_at < $2::date and i.status_order = any($3::bigint[])
    order by i.status_order, i.is_marketing, i.departs_at, i.key_order`;
  const values = [formatDate(day), formatDate(addDays(day, 1)), orders.map(String)];
  const rows = await sql.unsafe<Row[]>(text, values, { prepare: true });
  const instances = rows.map(
    ({ codeshares, ...row }): StatusInstanceRow & { readonly codeshares: Row['codeshares'] } => ({
      ...row,
      departsOn: localDate(row.departsOn),
      seats: row.seats ?? undefined,
      original: row.original ?? undefined,
      codeshares,
    }),
  );
  return instances.flatMap(({ codeshares, ...instance }): readonly StatusInstanceRow[] => [
    instance,
    ...(codeshares ?? []).map((codeshare) => ({
      ...instance,
      key: Buffer.from(parseCodeshare(codeshare).key, 'hex'),
      isMarketing: true,
      codeshare,
    })),
  ]);
};

/** Returns all instances with these statuses, grouped by status with the operating one first; one query for each day. */
export const listInstancesOfStatuses = (sql: Sql, ids: readonly StatusId[]): Promise<readonly StatusInstanceRow[]> =>
  queryEachDay(ids, (day, orders) => listInstancesOfDay(sql, day, orders));
