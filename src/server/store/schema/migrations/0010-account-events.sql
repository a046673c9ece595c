-- Each account has a stream of its events: a number that is shorter than its UUID, since every event of every account carries it.
alter table alert_account add column stream integer not null generated always as identity;
create unique index on alert_account (stream);

-- The end of each stream, in a row of its own: the last number that was given outlives the events themselves. None before its first event.
create table account_stream (
  stream      integer primary key,
  last_number bigint not null
) with (fillfactor = 50);

-- What each account was given of the log: numbers are 1, 2, 3 and so on within a stream, without a gap, in the order of the log.
create table account_event (
  stream   integer not null,
  number   bigint not null,
  -- of the event in the log, and of its row
  pos      bigint not null,
  seq      bigint not null,
  -- the oldest of the alerts that selected it
  alert_id uuid not null,
  -- what these alerts together ask it to carry: 1 for changes, 2 for seats, 3 for both
  shows    smallint not null,
  primary key (stream, number)
);
-- The hub goes by position, then by stream.
create index on account_event (pos, stream);

-- How far the log has been given to accounts, in one row.
create table event_distribution (
  is_only  boolean primary key default true check (is_only),
  last_pos bigint not null,
  -- who gave events last, and when, by the clock of the database
  moved_by uuid,
  moved_at timestamptz
);
insert into event_distribution (last_pos) values (0);

-- Every change of an alert, in the order of commits: the row of the end is locked until the change commits.
create table alert_change (
  number   bigint primary key,
  alert_id uuid not null,
  made_at  timestamptz not null default clock_timestamp()
);
create table alert_change_end (
  is_only     boolean primary key default true check (is_only),
  last_number bigint not null
) with (fillfactor = 50);
insert into alert_change_end (last_number) values (0);

-- Ids begin with their time, so that this index grows at its end.
create index on flight_event (id);

-- The later of the day on which the flight departs and the day of its last event; a flight is forgotten some time after it.
alter table flight_version add column day date not null default '-infinity';
create index on flight_version (day);
