import { formatDate, localDate, type LocalDate } from '../../domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import type { StatusPlace } from './flight-statuses.ts';

const outdatedOn = (sql: Sql, day: string) => sql<{ departsOn: string; statusOrder: bigint }[]>`
  select s.departs_on as "departsOn", s.status_order as "statusOrder"
  from flight_status s
  join flight_instance i on i.status_order = s.status_order and not i.is_marketing
    and i.departs_at >= ${day}::date and i.departs_at < ${day}::date + 1
  where s.departs_on = ${day}::date
    and (s.departure, s.arrival, timestamp '1970-01-01' + (s.scheduled_out + s.departure_offset) * interval '1 minute',
        timestamp '1970-01-01' + (s.scheduled_in + s.arrival_offset) * interval '1 minute')
      is distinct from
        (i.departure, i.arrival, i.departs_at, case when s.scheduled_in is not null or i.flight_type = 'S' then i.arrives_at end)
  order by s.status_order`;

/** The flights, of days between two local dates, whose status is compared with other times or places than are scheduled now. */
export const outdatedStatuses = async (
  sql: Sql,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
): Promise<readonly StatusPlace[]> => {
  const days = await sql<{ day: string }[]>`
    select distinct departs_on as day from flight_status
    where departs_on between ${formatDate(from)} and ${formatDate(to)} order by day`;
  const places: StatusPlace[] = [];
  for (const { day } of days)
    for (const { departsOn, statusOrder } of await outdatedOn(sql, day))
      places.push({ departsOn: localDate(departsOn), statusOrder });
  return places;
};
