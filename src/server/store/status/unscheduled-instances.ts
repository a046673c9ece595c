import { addDays, toDate, formatDate, formatMinute, localDate, type LocalDate } from '#domain/time/dates.ts';
import { toKeyOrder } from '#domain/schedule/keys.ts';
import type { Sql } from '../pool/database.ts';
import type { StatusId } from './flight-statuses.ts';
import { instanceColumns, type InstanceRow } from '../flights/instance-row.ts';

/** The prefix of `original` of a recovery flight whose original flight is not scheduled yet; the JSON of a FlightReference follows. */
export const PENDING_ORIGINAL = '~';

/** Flights by day and status, as the table `given`. */
const statuses = (sql: Sql, ids: readonly StatusId[]) => sql`
  unnest(${ids.map(({ departsOn }) => formatDate(departsOn))}::date[], ${ids.map(({ statusOrder }) => String(statusOrder))}::bigint[])
    as given(day, status_order)`;

const flights = (sql: Sql, rows: readonly InstanceRow[]) => sql`
  unnest(${rows.map(({ departsAt }) => formatDate(toDate(departsAt)))}::date[], ${rows.map(({ statusKey }) => String(toKeyOrder(statusKey)))}::bigint[],
    ${rows.map(({ departsAt }) => formatMinute(departsAt))}::timestamp[]) as given(day, status_order, departs_at)`;

/** The stored codeshares of unscheduled flights, of a table `given` with columns `day` and `status_order`. */
const codesharesOf = (sql: Sql, given: ReturnType<typeof flights>) => sql`
  select i.departs_at, (c.codeshare ->> 'order')::bigint as key_order, (c.codeshare ->> 'carrierId')::int as carrier,
    i.key_order as operating_order
  from ${given}
  join flight_instance i on i.departs_at >= given.day and i.departs_at < given.day + 1 and i.status_order = given.status_order
  cross join lateral jsonb_array_elements(i.codeshares) as c(codeshare)
  where i.flight_type <> 'S' and i.codeshares is not null`;

/** Inserts the positions of the stored codeshares of unscheduled flights. */
const insertCodesharePositions = (sql: Sql, given: ReturnType<typeof flights>) => sql`
  insert into flight_codeshare (departs_at, key_order, carrier, operating_order) ${codesharesOf(sql, given)}`;

/** Deletes the positions of the stored codeshares of unscheduled flights; call it while the flights have them. */
const deleteCodesharePositions = (sql: Sql, given: ReturnType<typeof flights>) => sql`
  delete from flight_codeshare p using (${codesharesOf(sql, given)}) as known
  where (p.carrier, p.departs_at, p.key_order, p.operating_order)
    = (known.carrier, known.departs_at, known.key_order, known.operating_order)`;

const names = instanceColumns.map(({ name }) => name).join(', ');

/** Inserts rows of which each column is an array of texts. */
const insertStatement = `
  insert into flight_instance (${names})
  select ${instanceColumns.map(({ name, type }) => `given.${name}::${type}`).join(', ')}
  from unnest(${instanceColumns.map((_, index) => `$${index + 1}::text[]`).join(', ')}) as given(${names})
  -- a schedule that was loaded since the flight was looked up may hold it
  where given.original is not null or not exists (
    select from flight_instance s
    where s.departs_at >= given.departs_at::date and s.departs_at < given.departs_at::date + 1
      and s.status_order = given.status_order::bigint and s.flight_type = 'S')
  order by given.departs_at
  on conflict (departs_at, key_order) do update set
    ${instanceColumns
      .filter(({ isKept }) => !isKept)
      .map(({ name }) => `${name} = excluded.${name}`)
      .join(', ')}`;

/**
 * Inserts instances of unscheduled flights; one whose flight already exists replaces it, also at another time of its day.
 * `sql` must be a transaction, and the days must exist.
 */
export const upsertUnscheduledInstances = async (sql: Sql, unordered: readonly InstanceRow[]): Promise<void> => {
  if (unordered.length === 0) return;
  // In the order of days, like a schedule load, so that the two never deadlock.
  const rows = unordered.toSorted((a, b) => a.departsAt - b.departsAt);
  // Codeshares are never removed from a flight, so a flight that has some comes with some.
  const sharing = rows.filter(({ codeshares = [] }) => codeshares.length > 0);
  if (sharing.length > 0) await deleteCodesharePositions(sql, flights(sql, sharing));
  await sql`
    delete from flight_instance i using ${flights(sql, rows)}
    where i.flight_type <> 'S' and i.status_order = given.status_order and i.departs_at <> given.departs_at
      and i.departs_at >= given.day and i.departs_at < given.day + 1`;
  await sql.unsafe(
    insertStatement,
    instanceColumns.map(({ toText }) => rows.map(toText)),
    { prepare: true },
  );
  if (sharing.length > 0) await insertCodesharePositions(sql, flights(sql, sharing));
  await sql`
    update expanded_day d set longest_days = given.days
    from (select day, max(arrives_on - day) as days
      from unnest(${rows.map(({ departsAt }) => formatDate(toDate(departsAt)))}::date[], ${rows.map(({ arrivesAt }) => formatDate(toDate(arrivesAt)))}::date[])
        as flown(day, arrives_on) group by day) as given
    where d.day = given.day and d.longest_days < given.days`;
};

/** Returns the statuses of unscheduled flights between two local dates that a schedule contains now. */
export const listSupersededStatuses = async (
  sql: Sql,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
): Promise<readonly StatusId[]> => {
  // Day by day: an index lookup for the unscheduled flights, instead of a scan of whole days.
  const days = await sql<{ day: string; orders: bigint[] }[]>`
    select departs_at::date as day, array_agg(status_order) as orders from flight_instance
    where flight_type <> 'S' and original is null
      and departs_at >= ${formatDate(from)}::date and departs_at < ${formatDate(addDays(to, 1))}::date
    group by departs_at::date order by day`;
  const superseded: StatusId[] = [];
  for (const { day, orders } of days) {
    const scheduled = await sql<{ statusOrder: bigint }[]>`
      select distinct s.status_order as "statusOrder" from flight_instance s
      where s.departs_at >= ${day}::date and s.departs_at < ${day}::date + 1 and s.flight_type = 'S'
        and s.status_order = any(${orders.map(String)}::bigint[])
      order by s.status_order`;
    superseded.push(...scheduled.map(({ statusOrder }) => ({ departsOn: localDate(day), statusOrder })));
  }
  return superseded;
};

/** Moves the unscheduled instances with these statuses to the statuses, unless they are recovery flights. Lock the statuses first. */
export const moveSupersededInstances = async (sql: Sql, ids: readonly StatusId[]): Promise<void> => {
  if (ids.length > 0) await deleteCodesharePositions(sql, statuses(sql, ids));
  for (const [day, idsOfDay] of Map.groupBy(ids, ({ departsOn }) => departsOn))
    await sql`
      with removed as (
        delete from flight_instance u
        where u.departs_at >= ${formatDate(day)}::date and u.departs_at < ${formatDate(addDays(day, 1))}::date
          and u.flight_type <> 'S' and u.original is null
          and u.status_order = any(${idsOfDay.map(({ statusOrder }) => String(statusOrder))}::bigint[])
        returning u.*)
      update flight_status s set superseded = to_jsonb(removed) from removed
      where s.departs_on = ${formatDate(day)} and s.status_order = removed.status_order`;
};

/**
 * Inserts the unscheduled instances again that a schedule replaced and no schedule contains now, unless a message has described the flight since.
 * A file removes flights also on days that it does not contain itself, so all dates are searched; there are few of these statuses. Returns the
 * statuses, which keep the instance until `clearSuperseded`. `sql` must be a transaction that holds the lock of all statuses.
 */
export const restoreSupersededInstances = async (sql: Sql): Promise<readonly StatusId[]> => {
  const rows = await sql<{ departsOn: string; statusOrder: bigint }[]>`
    select departs_on as "departsOn", status_order as "statusOrder" from flight_status s
    where superseded is not null and not exists (
        select from flight_instance i
        where i.departs_at >= s.departs_on and i.departs_at < s.departs_on + 1
          and i.status_order = s.status_order and i.flight_type = 'S')
    order by departs_on, status_order`;
  for (const [day, ofDay] of Map.groupBy(rows, ({ departsOn }) => departsOn))
    await sql`
      insert into flight_instance
      select i.* from flight_status s cross join lateral jsonb_populate_record(null::flight_instance, s.superseded) as i
      where s.departs_on = ${day} and s.status_order = any(${ofDay.map(({ statusOrder }) => String(statusOrder))}::bigint[])
        and not exists (
          select from flight_instance known
          where known.departs_at >= ${day}::date and known.departs_at < ${day}::date + 1 and known.status_order = s.status_order)
      on conflict do nothing`;
  const restored = rows.map(({ departsOn, statusOrder }) => ({ departsOn: localDate(departsOn), statusOrder }));
  // A flight that a message has described meanwhile has its positions already.
  if (restored.length > 0) {
    await deleteCodesharePositions(sql, statuses(sql, restored));
    await insertCodesharePositions(sql, statuses(sql, restored));
  }
  return restored;
};

/** Clears the instances of statuses that have returned. Lock the statuses first. */
export const clearSuperseded = async (sql: Sql, ids: readonly StatusId[]): Promise<void> => {
  for (const [day, idsOfDay] of Map.groupBy(ids, ({ departsOn }) => departsOn))
    await sql`
      update flight_status set superseded = null
      where departs_on = ${formatDate(day)} and status_order = any(${idsOfDay.map(({ statusOrder }) => String(statusOrder))}::bigint[])`;
};

/** A recovery flight whose original flight was not scheduled when it was created; `recovers` is the JSON of a FlightReference. */
export type PendingRecovery = {
  readonly departsAt: string;
  readonly keyOrder: bigint;
  readonly statusOrder: bigint;
  readonly recovers: string;
};

/** Returns the recovery flights without the URL of their original flight. */
export const listPendingRecoveries = async (sql: Sql): Promise<readonly PendingRecovery[]> => sql<PendingRecovery[]>`
  select departs_at as "departsAt", key_order as "keyOrder", status_order as "statusOrder", substr(original, 2) as recovers
  from flight_instance
  where flight_type <> 'S' and original like ${`${PENDING_ORIGINAL}%`}`;

/** Returns how many of these flights are recovery flights without the URL of their original flight. */
export const countPendingRecoveries = async (sql: Sql, ids: readonly StatusId[]): Promise<number> => {
  let pending = 0;
  for (const [day, idsOfDay] of Map.groupBy(ids, ({ departsOn }) => departsOn)) {
    const rows = await sql`
      select distinct status_order from flight_instance
      where departs_at >= ${formatDate(day)}::date and departs_at < ${formatDate(addDays(day, 1))}::date
        and flight_type <> 'S' and original like ${`${PENDING_ORIGINAL}%`}
        and status_order = any(${idsOfDay.map(({ statusOrder }) => String(statusOrder))}::bigint[])`;
    pending += rows.length;
  }
  return pending;
};

/** Stores the URL path of the original flight of recovery flights. */
export const updateRecoveryOriginals = async (
  sql: Sql,
  links: readonly (PendingRecovery & { readonly address: string })[],
): Promise<void> => {
  if (links.length === 0) return;
  await sql`
    update flight_instance u set original = given.address
    from unnest(
      ${links.map(({ departsAt }) => departsAt)}::timestamp[], ${links.map(({ keyOrder }) => String(keyOrder))}::bigint[],
      ${links.map(({ address }) => address)}::text[]
    ) as given(departs_at, key_order, address)
    where u.departs_at = given.departs_at and u.key_order = given.key_order`;
};
