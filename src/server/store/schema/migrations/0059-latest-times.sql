-- The latest known times of a flight, local at its scheduled airports: actual, else estimated; null while only the schedule is known.
-- The indexes are by the hour: a status that changes the time within its hour writes no index entry.
alter table flight_status
  add column latest_departs_at timestamp,
  add column latest_arrives_at timestamp,
  add column latest_departs_hour timestamp,
  add column latest_arrives_hour timestamp;

-- Flights that departed earlier are found by their scheduled time until their status changes: rewriting all statuses would take hours.
update flight_status s set
  latest_departs_at = date_trunc('minute', departs_at), latest_departs_hour = date_trunc('hour', departs_at),
  latest_arrives_at = date_trunc('minute', arrives_at), latest_arrives_hour = date_trunc('hour', arrives_at)
from (
  select departs_on, status_order,
    coalesce(doc::json #>> '{departure,actualTime,outGate,local}', doc::json #>> '{departure,actualTime,offGround,local}',
      doc::json #>> '{departure,estimatedTime,outGate,local}', doc::json #>> '{departure,estimatedTime,offGround,local}')::timestamp as departs_at,
    case when doc::json ->> 'diversionType' is null then
      coalesce(doc::json #>> '{arrival,actualTime,inGate,local}', doc::json #>> '{arrival,actualTime,onGround,local}',
        doc::json #>> '{arrival,estimatedTime,inGate,local}', doc::json #>> '{arrival,estimatedTime,onGround,local}')::timestamp
    end as arrives_at
  from flight_status where doc <> '' and departs_on >= current_date - 10) as known
where (s.departs_on, s.status_order) = (known.departs_on, known.status_order);

create index flight_status_latest_departure on flight_status (departure, latest_departs_hour) where latest_departs_hour is not null;
create index flight_status_latest_arrival on flight_status (arrival, latest_arrives_hour) where latest_arrives_hour is not null;
create index flight_status_state on flight_status (state, departs_on) where state not in ('', 'Scheduled');

-- Changes of statuses name the scheduled airports: a page whose list depends on statuses is affected by those of its airports only.
create function page_change_flight_statuses() returns trigger language plpgsql as $$
begin
  insert into page_change (day, flights, departures, arrivals)
  select day, case when few then flights end, case when few then departures end, case when few then arrivals end
  from (
    select departs_on as day, count(*) <= 1000 as few, array_agg(status_order) as flights, array_agg(departure) as departures,
      array_agg(arrival) as arrivals
    from changed group by departs_on) as days;
  return null;
end $$;
drop trigger page_inserted on flight_status;
drop trigger page_updated on flight_status;
drop trigger page_deleted on flight_status;
create trigger page_inserted after insert on flight_status
  referencing new table as changed for each statement execute function page_change_flight_statuses();
create trigger page_updated after update on flight_status
  referencing new table as changed for each statement execute function page_change_flight_statuses();
create trigger page_deleted after delete on flight_status
  referencing old table as changed for each statement execute function page_change_flight_statuses();
