-- The terminals of locations that loaded schedules have named, and those that the loaded minimum connecting times name.
create table location_terminal (
  location integer not null,
  code     text collate "C" not null,
  -- an id of dataSources in src/domain/master-data/data-sources.ts
  source   text not null check (source in ('schedules', 'connecting-times')),
  primary key (location, code, source)
);

do $$
declare
  change text;
begin
  foreach change in array array['insert', 'update', 'delete'] loop
    execute format('create trigger master_data_%s after %s on location_terminal referencing %s table as changed
      for each statement execute function master_data_changed()',
      case change when 'insert' then 'inserted' when 'update' then 'updated' else 'deleted' end, change,
      case change when 'delete' then 'old' else 'new' end);
  end loop;
end $$;
create trigger master_data_truncated after truncate on location_terminal
  for each statement execute function master_data_changed();

-- The terminals of what was loaded before; those that schedules file for a pair of points follow with the next load.
with leg as (
  select jsonb_array_elements(doc::jsonb -> 'legs') as leg from itinerary
), named as (
  select leg #>> '{departure,station}' as station, leg #>> '{departure,terminal}' as code, 'schedules' as source from leg
  union select leg #>> '{arrival,station}', leg #>> '{arrival,terminal}', 'schedules' from leg
  union select doc::jsonb ->> 'arrivalStation', doc::jsonb #>> '{arrival,terminal}', 'connecting-times' from mct_record
  union select doc::jsonb ->> 'departureStation', doc::jsonb #>> '{departure,terminal}', 'connecting-times' from mct_record
)
insert into location_terminal (location, code, source)
select owner.id, named.code, named.source from named
join (select distinct on (iata) iata, id from location order by iata, rank, id) owner on owner.iata = named.station
where named.code <> '' and named.station <> '';
