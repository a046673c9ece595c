-- Receivers to which the events of an account are posted. Whoever changes one, its keys or what is to be sent again notifies the channel
-- push_endpoints; workers look once a second anyhow.
create table push_endpoint (
  id           uuid primary key default gen_random_uuid(),
  account_id   uuid not null references alert_account,
  -- the order in which they were created
  number       bigint not null generated always as identity,
  url          text not null,
  description  text not null,
  -- a header of the receiver's own
  header_name  text,
  header_value text,
  -- v1 (a shared secret) or v1a (ed25519)
  signing      text not null,
  -- false while it is paused
  active       boolean not null,
  -- why the service stopped sending: gone (410) or failing (nothing arrived for days); null while it has not
  disabled_for text,
  disabled_at  timestamptz,
  -- no other test is sent before, by the clock of the database
  pinged_until timestamptz,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  constraint push_endpoint_header check ((header_name is null) = (header_value is null)),
  constraint push_endpoint_disabled check ((disabled_for is null) = (disabled_at is null))
);
create index on push_endpoint (account_id, number);

-- What events are signed with. They have to be used, so they are kept as they are.
create table push_key (
  endpoint_id uuid not null references push_endpoint on delete cascade,
  number      bigint not null generated always as identity,
  -- whsec_... or whsk_...
  key         text not null,
  made_at     timestamptz not null,
  -- from when on it signs no more; null for the one that signs until it is replaced
  ends_at     timestamptz,
  primary key (endpoint_id, number)
);

-- How far each receiver is, and who serves it.
create table push_progress (
  endpoint_id   uuid primary key references push_endpoint on delete cascade,
  -- of the stream: up to here every event was tried once at least, or is no longer retained
  number        bigint not null,
  -- numbers beyond it that were tried too, since flights are sent side by side
  finished      bigint[] not null default '{}',
  worker        uuid,
  claimed_until timestamptz,
  served_at     timestamptz,
  -- attempts that failed since the last that did not
  failures      integer not null default 0,
  failing_since timestamptz,
  -- how often it has rested since then: each time longer
  rests         integer not null default 0,
  -- nothing is sent before
  rests_until   timestamptz
) with (fillfactor = 50);

-- Events that are to be sent again.
create table push_retry (
  endpoint_id uuid not null references push_endpoint on delete cascade,
  number      bigint not null,
  -- attempts so far, 0 when somebody asked for the event again
  attempts    integer not null,
  due_at      timestamptz not null,
  primary key (endpoint_id, number)
);
create index on push_retry (endpoint_id, due_at);

-- Every attempt. Those of a deleted endpoint go when they are as old as all others that go: there may be millions, and whoever deletes it
-- holds up those who write for it.
create table push_attempt (
  id          bigint generated always as identity primary key,
  endpoint_id uuid not null,
  -- of the stream; null for a test
  number      bigint,
  event_id    uuid not null,
  attempt     integer not null,
  made_at     timestamptz not null,
  -- delivered, retry, gone or failed
  outcome     text not null,
  reason      text,
  status      integer,
  duration_ms integer not null,
  -- the beginning of the answer
  answer      text not null,
  -- when it is sent again
  next_at     timestamptz
);
create index on push_attempt (endpoint_id, id);
-- What was not delivered can be found among what was, and one event among all: ids begin with their time, so that this index grows at its end.
create index on push_attempt (endpoint_id, id) where outcome <> 'delivered';
create index on push_attempt (event_id);

-- Events that were given up; those that were no longer retained as one range, however many they are.
create table push_dead_letter (
  endpoint_id uuid not null references push_endpoint on delete cascade,
  number      bigint not null,
  -- the last of the range; the number itself for a single event
  last_number bigint not null,
  -- null for what is expired: the events are gone, and their ids with them
  event_id    uuid,
  attempts    integer not null,
  -- exhausted (every attempt failed), gone (410) or expired (no longer retained before it could be sent)
  reason      text not null,
  given_up_at timestamptz not null,
  primary key (endpoint_id, number)
);
