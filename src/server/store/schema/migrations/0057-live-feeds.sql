-- One process at a time follows the live feeds.
create table live_follower (
  one boolean primary key default true check (one),
  worker uuid,
  claimed_until timestamptz
);
insert into live_follower default values;

-- The requests of the followed sources. `next_at` is claimed before a request is sent, so that neither restarts nor several servers send more than the
-- registry allows. The row with an empty place and request is the pause of the whole source after an error of its host.
create table live_request (
  source text not null,
  place text not null,
  request text not null,
  followed boolean not null default true,
  next_at timestamptz not null,
  -- The local date that the last answer is about; empty where requests have none.
  period text not null default '',
  cursor text,
  etag text,
  -- The time of the last answer at the source, and the newest actual time in it.
  observed_at timestamptz,
  newest_actual timestamptz,
  -- The last answer with all rows, and the rows in it.
  full_at timestamptz,
  full_rows integer,
  succeeded_at timestamptz,
  failures integer not null default 0,
  error text,
  failed_at timestamptz,
  primary key (source, place, request)
);

-- What is known of each row of a feed, as JSON: only differences become messages.
create table live_row (
  source text not null,
  airport text not null,
  key text not null,
  scheduled timestamptz not null,
  row text not null,
  primary key (source, airport, key)
);

-- What became of rows: `kind` is taken, unchanged, rejected, quarantined or remark.
create table live_count (
  source text not null,
  kind text not null,
  reason text not null,
  value text not null,
  count bigint not null,
  last_at timestamptz not null,
  primary key (source, kind, reason, value)
);
