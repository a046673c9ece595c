-- A schedule is replaced by the designator it is filed under: a carrier may file under its IATA and under its ICAO code, and the
-- owner of a code may change from one load to the next.
alter table itinerary add column designator text collate "C";
update itinerary set designator = doc::json #>> '{legs,0,carrier}';
-- A load by an older program, which would leave the schedule records as they were, is refused as a whole from here on.
alter table itinerary alter column designator set not null;
drop index itinerary_carrier;
create index itinerary_designator on itinerary (designator, carrier_id);

-- Has rows while master data have changed since the schedule records were written: one a change, so that nobody waits for another.
create table schedule_records_due (
  changed_at timestamptz not null default now()
);
