-- The history of the database that the fan-out last worked on, as `<system identifier>/<timeline>`: a promoted replica and a restored backup begin
-- a new timeline. Null before the first fan-out since this migration.
alter table event_distribution add column history text;
-- Whether commits waited for a replica then: if so, the next primary lacks none that was visible.
alter table event_distribution add column is_synchronous boolean not null default false;
