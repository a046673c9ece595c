-- Where each flight stands in the count of its events. A flight without a row has had none.
create table flight_version (
  -- its schedule instance key, 32 bytes
  key     bytea primary key,
  -- of its last event
  version integer not null default 0,
  -- whether its last schedule event told that it is gone, and how it was then, as JSON of the domain's ToldSchedule, where that is known
  deleted boolean not null default false,
  told    text,
  constraint flight_version_told check (deleted or told is null)
) with (fillfactor = 80);

-- Events as changes write them, each once, in the transaction of the change. The numbers have gaps, and rows turn up out of their
-- order; only those of one flight turn up in order.
create table flight_event (
  seq        bigint generated always as identity primary key,
  id         uuid not null,
  kind       text not null,
  flight_key bytea not null,
  version    integer not null,
  made_at    timestamptz not null,
  -- what alerts choose by, as JSON
  facts      text not null,
  -- the event with all its changes, as JSON; its bytes stay as they are
  body       text not null
);
-- A body is read with its row, always.
alter table flight_event alter column body set storage main;

-- The events that are not in the log yet.
create table event_outbox (
  seq bigint primary key
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The log: positions are 1, 2, 3 and so on, without a gap, from the oldest event that is retained.
create table event_log (
  pos          bigint primary key,
  seq          bigint not null,
  sequenced_at timestamptz not null
);

-- The end of the log, in one row: the last position that was given outlives the events themselves.
create table event_log_end (
  is_only  boolean primary key default true check (is_only),
  last_pos bigint not null,
  -- the sequencer that moved events last, and when, by the clock of the database
  moved_by uuid,
  moved_at timestamptz
);
insert into event_log_end (last_pos) values (0);
