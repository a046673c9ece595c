-- How far the hub is with the events of accounts, in one row.
create table hub_progress (
  is_only       boolean primary key default true check (is_only),
  -- the last event of an account that the hub has, in the order of positions, then of streams; null while there is none
  pos           bigint,
  stream        integer,
  -- in the hub: when the stream was made that has it, and its number there
  hub_stream    text,
  hub_sequence  bigint,
  -- who publishes, and until when nobody else does, by the clock of the database
  worker        uuid,
  claimed_until timestamptz
) with (fillfactor = 50);
insert into hub_progress default values;
