-- Registrations that are not shown, because who owns the aircraft has asked for it. What is told of flights is kept as it came; it is
-- left out where it is shown, and documents that are kept ready are written without it.
create table registration_block (
  -- as statuses keep it: upper case, without hyphens
  registration text primary key check (registration ~ '^[A-Z0-9]{2,12}$'),
  -- for who runs the service; shown to nobody else
  reason       text not null,
  blocked_at   timestamptz not null
);

-- A page with the history of flights can name an aircraft that none of their statuses names now.
create trigger page_changed after insert or update or delete or truncate on registration_block
  for each statement execute function page_change_all();
