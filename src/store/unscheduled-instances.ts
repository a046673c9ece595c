import { dateAt, formatDate, formatMinute } from '../domain/dates.ts';
import { keyOrder } from '../domain/keys.ts';
import type { Sql } from './database.ts';
import type { InstanceRow } from './instance-days.ts';

/** Begins the `original` of a recovery flight while no schedule holds what it recovers: date and status key follow. */
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
    order by departs_at
    on conflict (departs_at, key_order) do update set
      arrives_at = excluded.arrives_at, service_type = excluded.service_type, flight_type = excluded.flight_type,
      doc = excluded.doc, original = excluded.original`;
  await sql`
    update expanded_day d set longest_days = given.days
    from (select day, max(arrives_on - day) as days
      from unnest(${rows.map(({ departsAt }) => formatDate(dateAt(departsAt)))}::date[], ${rows.map(({ arrivesAt }) => formatDate(dateAt(arrivesAt)))}::date[])
        as flown(day, arrives_on) group by day) as given
    where d.day = given.day and d.longest_days < given.days`;
};

/** Removes the flights that no schedule held when they were made, and that one holds now. Returns their number. */
export const giveWayToScheduled = async (sql: Sql): Promise<number> => {
  const removed = await sql`
    delete from flight_instance u using flight_instance s
    where u.flight_type <> 'S' and u.original is null and s.status_order = u.status_order and s.flight_type = 'S'
      and s.departs_at >= date_trunc('day', u.departs_at) and s.departs_at < date_trunc('day', u.departs_at) + interval '1 day'`;
  return removed.count;
};

/** Gives recovery flights the address of what they recover, where a schedule holds that by now. Returns their number. */
export const linkOriginals = async (sql: Sql): Promise<number> => {
  const rows = await sql<{ departsAt: string; keyOrder: bigint; original: string }[]>`
    select departs_at as "departsAt", key_order as "keyOrder", original from flight_instance
    where flight_type <> 'S' and original like ${`${PENDING_ORIGINAL}%`}`;
  if (rows.length === 0) return 0;
  const wanted = rows.map(({ departsAt, keyOrder: order, original }) => {
    const [date = '', key = ''] = original.slice(PENDING_ORIGINAL.length).split('/');
    return { departsAt, order: String(order), date, statusOrder: String(keyOrder(Buffer.from(key, 'hex'))) };
  });
  const linked = await sql`
    update flight_instance u set original = given.date || '/' || encode(s.key, 'hex')
    from unnest(
      ${wanted.map(({ departsAt }) => departsAt)}::timestamp[], ${wanted.map(({ order }) => order)}::bigint[],
      ${wanted.map(({ date }) => date)}::date[], ${wanted.map(({ statusOrder }) => statusOrder)}::bigint[]
    ) as given(departs_at, key_order, date, status_order)
    join flight_instance s on s.departs_at >= given.date and s.departs_at < given.date + 1
      and s.status_order = given.status_order and s.flight_type = 'S' and not s.is_marketing
    where u.departs_at = given.departs_at and u.key_order = given.key_order`;
  return linked.count;
};
