import { addDays, formatDate, type LocalDate } from '#domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';

/**
 * Replaces the seat predictions, which apply to flights from `since` on: the most frequent seats of the flights with the same carrier, number
 * and route in the `days` before that were not cancelled; of equally frequent ones the latest. The seats of a flight are those of the actual
 * aircraft if a status has them, else those of its schedule. Returns the number of predictions. `sql` must be a transaction.
 */
export const replaceSeatPredictions = async (
  sql: Sql,
  { since, days }: { readonly since: LocalDate; readonly days: number },
): Promise<number> => {
  await sql`delete from seat_prediction`;
  const built = await sql`
    insert into seat_prediction (carrier, flight_number, departure, arrival, seats, since)
    select distinct on (carrier, flight_number, departure, arrival)
      carrier, flight_number, departure, arrival, seats, ${formatDate(since)}::date
    from (
      select i.carrier, i.flight_number, i.departure, i.arrival, i.departs_at,
        -- a segment keeps its seats as {"actual":{...}}
        coalesce(s.seats, substr(segment.seats, 11, length(segment.seats) - 11)) as seats
      from flight_instance i
      left join segment on segment.id = i.segment_id
      left join flight_status s on s.departs_on = i.departs_at::date and s.status_order = i.status_order
      where i.departs_at >= ${formatDate(addDays(since, -days))}::date and i.departs_at < ${formatDate(since)}::date
        and s.state is distinct from 'Canceled'
    ) as flown
    where seats is not null
    group by carrier, flight_number, departure, arrival, seats
    order by carrier, flight_number, departure, arrival, count(*) desc, max(departs_at) desc, seats`;
  return built.count;
};
