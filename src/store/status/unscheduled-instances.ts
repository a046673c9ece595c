import { addDays, dateAt, formatDate, formatMinute, localDate, type LocalDate } from '../../domain/time/dates.ts';
import { keyOrder } from '../../domain/schedule/keys.ts';
import type { Sql } from '../pool/database.ts';
import type { StatusPlace } from './flight-statuses.ts';
import type { InstanceRow } from '../flights/instance-days.ts';

/** Begins the `original` of a recovery flight while no schedule holds what it recovers: what was said of that follows, as JSON. */
export const PENDING_ORIGINAL = '~';

const flights = (sql: Sql, rows: readonly InstanceRow[]) => sql`
  unnest(${rows.map(({ departsAt }) => formatDate(dateAt(departsAt)))}::date[], ${rows.map(({ statusKey }) => String(keyOrder(statusKey)))}::bigint[],
    ${rows.map(({ departsAt }) => formatMinute(departsAt))}::timestamp[]) as given(day, status_order, departs_at)`;

/**
 * Writes instances of flights that no schedule holds: one whose flight is there already takes its place, at another time of
 * its day too. `sql` must be a transaction, and the days must be open.
 */
export const saveUnscheduled = async (sql: Sql, unordered: readonly InstanceRow[]): Promise<void> => {
  if (unordered.length === 0) return;
  // Days are touched in the order in which a schedule load takes them, so that the two never wait for each other in a ring.
  const rows = unordered.toSorted((a, b) => a.departsAt - b.departsAt);
  await sql`
    delete from flight_instance i using ${flights(sql, rows)}
    where i.flight_type <> 'S' and i.status_order = given.status_order and i.departs_at <> given.departs_at
      and i.departs_at >= given.day and i.departs_at < given.day + 1`;
  await sql`
    insert into flight_instance (departs_at, key_order, arrives_at, key, status_order, carrier, departure, arrival,
      segment_id, flight_number, flight_type, service_type, is_marketing, doc, original)
    select departs_at, key_order, arrives_at, decode(key, 'hex'), status_order, carrier, departure, arrival, null, flight_number,
      flight_type::"char", service_type::"char", false, doc, original
    from unnest(
      ${rows.map(({ departsAt }) => formatMinute(departsAt))}::timestamp[],
      ${rows.map(({ key }) => String(keyOrder(key)))}::bigint[],
      ${rows.map(({ arrivesAt }) => formatMinute(arrivesAt))}::timestamp[],
      ${rows.map(({ key }) => key.toString('hex'))}::text[],
      ${rows.map(({ statusKey }) => String(keyOrder(statusKey)))}::bigint[],
      ${rows.map(({ carrierId }) => carrierId)}::int[],
      ${rows.map(({ departureId }) => departureId)}::int[],
      ${rows.map(({ arrivalId }) => arrivalId)}::int[],
      ${rows.map(({ flightNumber }) => flightNumber)}::smallint[],
      ${rows.map(({ flightType }) => flightType)}::text[],
      ${rows.map(({ serviceType }) => serviceType || ' ')}::text[],
      ${rows.map(({ doc }) => doc)}::text[],
      ${rows.map(({ original }) => original ?? null)}::text[]
    ) as given(departs_at, key_order, arrives_at, key, status_order, carrier, departure, arrival, flight_number,
      flight_type, service_type, doc, original)
    -- a schedule that was loaded since the flight was looked up may hold it
    where given.original is not null or not exists (
      select from flight_instance s
      where s.departs_at >= given.departs_at::date and s.departs_at < given.departs_at::date + 1
        and s.status_order = given.status_order and s.flight_type = 'S')
    order by departs_at
    on conflict (departs_at, key_order) do update set
      arrives_at = excluded.arrives_at, arrival = excluded.arrival, service_type = excluded.service_type, flight_type = excluded.flight_type,
      doc = excluded.doc, original = excluded.original`;
  await sql`
    update expanded_day d set longest_days = given.days
    from (select day, max(arrives_on - day) as days
      from unnest(${rows.map(({ departsAt }) => formatDate(dateAt(departsAt)))}::date[], ${rows.map(({ arrivesAt }) => formatDate(dateAt(arrivesAt)))}::date[])
        as flown(day, arrives_on) group by day) as given
    where d.day = given.day and d.longest_days < given.days`;
};

/** The flights of days between two local dates that no schedule held when they were made, and that one holds now. */
export const statusesGivingWay = async (
  sql: Sql,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
): Promise<readonly StatusPlace[]> => {
  // Day by day, so that only the flights in question are looked up and no day is read as a whole.
  const days = await sql<{ day: string; orders: bigint[] }[]>`
    select departs_at::date as day, array_agg(status_order) as orders from flight_instance
    where flight_type <> 'S' and original is null
      and departs_at >= ${formatDate(from)}::date and departs_at < ${formatDate(addDays(to, 1))}::date
    group by departs_at::date order by day`;
  const found: StatusPlace[] = [];
  for (const { day, orders } of days) {
    const scheduled = await sql<{ statusOrder: bigint }[]>`
      select distinct s.status_order as "statusOrder" from flight_instance s
      where s.departs_at >= ${day}::date and s.departs_at < ${day}::date + 1 and s.flight_type = 'S'
        and s.status_order = any(${orders.map(String)}::bigint[])
      order by s.status_order`;
    found.push(...scheduled.map(({ statusOrder }) => ({ departsOn: localDate(day), statusOrder })));
  }
  return found;
};

/** Removes the flights with these statuses that no schedule held when they were made. */
export const removeGivenWay = async (sql: Sql, places: readonly StatusPlace[]): Promise<void> => {
  for (const [day, ofDay] of Map.groupBy(places, ({ departsOn }) => departsOn))
    await sql`
      delete from flight_instance u
      where u.departs_at >= ${formatDate(day)}::date and u.departs_at < ${formatDate(addDays(day, 1))}::date
        and u.flight_type <> 'S' and u.original is null
        and u.status_order = any(${ofDay.map(({ statusOrder }) => String(statusOrder))}::bigint[])`;
};

/** A recovery flight whose original no schedule held when it was made: what was said of it, as JSON of a FlightReference. */
export type PendingRecovery = {
  readonly departsAt: string;
  readonly keyOrder: bigint;
  readonly statusOrder: bigint;
  readonly recovers: string;
};

/** The recovery flights that do not know the address of what they recover. */
export const pendingRecoveries = async (sql: Sql): Promise<readonly PendingRecovery[]> => sql<PendingRecovery[]>`
  select departs_at as "departsAt", key_order as "keyOrder", status_order as "statusOrder", substr(original, 2) as recovers
  from flight_instance
  where flight_type <> 'S' and original like ${`${PENDING_ORIGINAL}%`}`;

/** How many of these flights recover one that they do not know the address of. */
export const countPending = async (sql: Sql, places: readonly StatusPlace[]): Promise<number> => {
  let pending = 0;
  for (const [day, ofDay] of Map.groupBy(places, ({ departsOn }) => departsOn)) {
    const found = await sql`
      select distinct status_order from flight_instance
      where departs_at >= ${formatDate(day)}::date and departs_at < ${formatDate(addDays(day, 1))}::date
        and flight_type <> 'S' and original like ${`${PENDING_ORIGINAL}%`}
        and status_order = any(${ofDay.map(({ statusOrder }) => String(statusOrder))}::bigint[])`;
    pending += found.length;
  }
  return pending;
};

/** Gives recovery flights the address of what they recover. */
export const linkRecoveries = async (
  sql: Sql,
  links: readonly (PendingRecovery & { readonly address: string })[],
): Promise<void> => {
  if (links.length === 0) return;
  await sql`
    update flight_instance u set original = given.address
    from unnest(
      ${links.map(({ departsAt }) => departsAt)}::timestamp[], ${links.map(({ keyOrder: order }) => String(order))}::bigint[],
      ${links.map(({ address }) => address)}::text[]
    ) as given(departs_at, key_order, address)
    where u.departs_at = given.departs_at and u.key_order = given.key_order`;
};
