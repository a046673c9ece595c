-- Transactions that changed master data: servers compare the rows they can see with those of their copy in memory. An identity, not a
-- counter: writers do not wait for each other, and a row of an earlier transaction may become visible later.
create table master_data_change (
  id   bigint generated always as identity primary key,
  -- the changed table
  noun text not null
);

create function master_data_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'TRUNCATE' then
    if not exists (select from changed) then
      return null;
    end if;
  end if;
  insert into master_data_change (noun) values (tg_table_name);
  delete from master_data_change
  where id in (select id from master_data_change order by id desc offset 100 for update skip locked);
  perform pg_notify('master_data', '');
  return null;
end $$;

do $$
declare
  noun text;
begin
  foreach noun in array array['location', 'carrier', 'city', 'country', 'equipment', 'in_use'] loop
    execute format('create trigger master_data_inserted after insert on %I referencing new table as changed
      for each statement execute function master_data_changed()', noun);
    execute format('create trigger master_data_updated after update on %I referencing new table as changed
      for each statement execute function master_data_changed()', noun);
    execute format('create trigger master_data_deleted after delete on %I referencing old table as changed
      for each statement execute function master_data_changed()', noun);
    execute format('create trigger master_data_truncated after truncate on %I
      for each statement execute function master_data_changed()', noun);
  end loop;
end $$;
