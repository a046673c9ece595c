-- Whether the departure time of a flight outside schedules is estimated: its source knows only the arrival.
alter table flight_status add column departure_estimated boolean not null default false;

-- Carriers that only status messages name, with flights: they have IDs of carriers, and are no reference data.
create table unconfirmed_carrier (
  id integer primary key default nextval('carrier_id_seq'),
  -- two characters are IATA, three ICAO
  code text not null unique check (length(code) in (2, 3))
);
create trigger master_data_inserted after insert on unconfirmed_carrier
  referencing new table as changed for each statement execute function master_data_changed();
create trigger master_data_deleted after delete on unconfirmed_carrier
  referencing old table as changed for each statement execute function master_data_changed();
create trigger master_data_truncated after truncate on unconfirmed_carrier
  for each statement execute function master_data_changed();
