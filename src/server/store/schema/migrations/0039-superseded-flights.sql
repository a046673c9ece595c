-- The unscheduled instance that a schedule replaced, as JSON of its row: it returns when the schedule no longer contains the flight.
alter table flight_status add column superseded jsonb;
create index flight_status_superseded on flight_status (departs_on, status_order) where superseded is not null;
