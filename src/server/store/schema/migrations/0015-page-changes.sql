-- What changed of what pages of flights show, said by whoever changed it, in the same transaction, so that servers can keep
-- pages and never send a stale one. A row is one statement's changes of one day; it goes when no server can need it any more.
create table page_change (
  -- A server knows its last snapshot: the rows of transactions that it could not see then are what is new to it.
  xid        xid8 not null default pg_current_xact_id(),
  -- the local date of departure; null means anything at all
  day        date,
  -- status orders of the flights that changed; null means the whole day
  flights    bigint[],
  -- null where only the status of those flights changed; else what the list rows are found by, side by side with `flights`
  carriers   integer[],
  departures integer[],
  arrivals   integer[]
);
create index page_change_xid on page_change (xid);

-- Every row of a transaction before this one has been deleted: who saw no more than that keeps nothing.
create table page_change_end (
  xid xid8 not null default '0'
);
insert into page_change_end default values;

-- Anything may have changed. Once a transaction says it all.
create function page_change_all() returns trigger language plpgsql as $$
begin
  if not exists (select from page_change where xid = pg_current_xact_id() and day is null) then
    insert into page_change default values;
  end if;
  return null;
end $$;

-- Days with their counts and lengths. Days that are laid out, written anew or dropped tell it here, for a statement on
-- one partition of flight_instance fires no trigger of the whole.
create function page_change_days() returns trigger language plpgsql as $$
begin
  insert into page_change (day) select distinct day from changed;
  return null;
end $$;

-- The status of flights. So many at once are the whole day.
create function page_change_statuses() returns trigger language plpgsql as $$
begin
  insert into page_change (day, flights)
  select departs_on, case when count(*) <= 1000 then array_agg(distinct status_order) end from changed group by departs_on;
  return null;
end $$;

-- List rows that are written one by one: flights that no schedule holds.
create function page_change_instances() returns trigger language plpgsql as $$
begin
  insert into page_change (day, flights, carriers, departures, arrivals)
  select day, case when few then flights end, case when few then carriers end,
    case when few then departures end, case when few then arrivals end
  from (
    select departs_at::date as day, count(*) <= 1000 as few, array_agg(status_order) as flights, array_agg(carrier) as carriers,
      array_agg(departure) as departures, array_agg(arrival) as arrivals
    from changed group by departs_at::date) as days;
  return null;
end $$;

create trigger page_inserted after insert on expanded_day
  referencing new table as changed for each statement execute function page_change_days();
create trigger page_updated after update on expanded_day
  referencing new table as changed for each statement execute function page_change_days();
create trigger page_deleted after delete on expanded_day
  referencing old table as changed for each statement execute function page_change_days();
create trigger page_truncated after truncate on expanded_day for each statement execute function page_change_all();

create trigger page_inserted after insert on flight_instance
  referencing new table as changed for each statement execute function page_change_instances();
create trigger page_updated_from after update on flight_instance
  referencing old table as changed for each statement execute function page_change_instances();
create trigger page_updated after update on flight_instance
  referencing new table as changed for each statement execute function page_change_instances();
create trigger page_deleted after delete on flight_instance
  referencing old table as changed for each statement execute function page_change_instances();
create trigger page_truncated after truncate on flight_instance for each statement execute function page_change_all();

-- A status is made empty, and told when it is written.
create trigger page_inserted after insert on flight_status
  referencing new table as changed for each statement execute function page_change_statuses();
create trigger page_updated after update on flight_status
  referencing new table as changed for each statement execute function page_change_statuses();
create trigger page_deleted after delete on flight_status
  referencing old table as changed for each statement execute function page_change_statuses();
create trigger page_truncated after truncate on flight_status for each statement execute function page_change_all();

create trigger page_inserted after insert on flight_diversion
  referencing new table as changed for each statement execute function page_change_statuses();
create trigger page_updated after update on flight_diversion
  referencing new table as changed for each statement execute function page_change_statuses();
create trigger page_deleted after delete on flight_diversion
  referencing old table as changed for each statement execute function page_change_statuses();
create trigger page_truncated after truncate on flight_diversion for each statement execute function page_change_all();

-- Segments come before the instances that point at them, and go after them: only a change of one that stays is news.
create trigger page_changed after update or truncate on segment for each statement execute function page_change_all();
create trigger page_changed after insert or update or delete or truncate on seat_prediction
  for each statement execute function page_change_all();
