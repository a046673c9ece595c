-- Compressing bodies was half of what it takes to write an event. This way takes a fraction of it and no more room, where the server was
-- built with it; whichever way a body was compressed, it is read.
do $$
begin
  if exists (select from pg_settings where name = 'default_toast_compression' and 'lz4' = any(enumvals)) then
    alter table flight_event alter column body set compression lz4;
  end if;
end
$$;
