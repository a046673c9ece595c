import { formatDate, localDate, type LocalDate } from '#domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import type { StatusId } from './flight-statuses.ts';

/** Days by which the departure of a flight can be moved, in either direction. */
const MOVED_DAYS = 2;

type MovedFlight = { readonly departsOn: string; readonly movedTo: string; readonly statusOrder: bigint };

/** Lists the statuses of a day whose flights now depart on another day, near that one. */
const listMovedOfDay = (sql: Sql, day: string) => sql<MovedFlight[]>`
  select s.departs_on as "departsOn", min(i.departs_at)::date as "movedTo", s.status_order as "statusOrder"
  from flight_status s
  join flight_instance i on i.status_order = s.status_order
    and i.departs_at >= ${day}::date - ${MOVED_DAYS}::int and i.departs_at < ${day}::date + ${MOVED_DAYS + 1}::int
  where s.departs_on = ${day}::date and not exists (
    select from flight_instance i
    where i.status_order = s.status_order and i.departs_at >= ${day}::date and i.departs_at < ${day}::date + 1)
  group by s.departs_on, s.status_order order by s.status_order`;

/**
 * Moves the statuses and messages of flights that were retimed over midnight to their new date of departure, and returns their new IDs. A status that
 * a message has created there meanwhile remains. Recompute the statuses in the same transaction or later; it must hold the lock of all statuses.
 */
export const moveRetimedStatuses = async (
  sql: Sql,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
): Promise<readonly StatusId[]> => {
  const days = await sql<{ day: string }[]>`
    select distinct departs_on as day from flight_status
    where departs_on between ${formatDate(from)}::date - ${MOVED_DAYS}::int and ${formatDate(to)}::date + ${MOVED_DAYS}::int order by day`;
  const moved: MovedFlight[] = [];
  for (const { day } of days) moved.push(...(await listMovedOfDay(sql, day)));
  for (const { departsOn, movedTo, statusOrder } of moved) {
    const ofFlight = sql`departs_on = ${departsOn}::date and status_order = ${String(statusOrder)}::bigint`;
    const sameMessage = sql`
      select from status_message there where there.departs_on = ${movedTo}::date
        and (there.status_order, there.id, there.source, there.sender) = (m.status_order, m.id, m.source, m.sender)`;
    await sql`update status_message m set departs_on = ${movedTo}::date where ${ofFlight} and not exists (${sameMessage})`;
    // Both were reported as stored when they were messages of two days.
    await sql`
      update status_message m set departs_on = ${movedTo}::date, id = m.id || '@' || ${departsOn}
      where ${ofFlight} and exists (${sameMessage} and there.content <> m.content)`;
    await sql`delete from status_message where ${ofFlight}`;
    await sql`delete from flight_diversion where ${ofFlight}`;
    await sql`
      update flight_status set departs_on = ${movedTo}::date where ${ofFlight} and not exists (
        select from flight_status there where there.departs_on = ${movedTo}::date and there.status_order = ${String(statusOrder)}::bigint)`;
    await sql`delete from flight_status where ${ofFlight}`;
  }
  return moved.map(({ movedTo, statusOrder }) => ({ departsOn: localDate(movedTo), statusOrder }));
};
