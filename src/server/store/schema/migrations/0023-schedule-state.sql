-- The creation date of the schedule file in force: older messages are part of it. A designator that is only in messages has none.
create table schedule_file (
  designator text primary key,
  created_on date not null
);

-- The sender (the address of the origin line, '' when unknown) counts message numbers by itself. `sent_at` is the time of the origin line.
alter table schedule_message add column originator text not null default '';
alter table schedule_message add column sent_at timestamptz;
-- the same text again after something else of its flights came between is another message
alter table schedule_message add column repetition integer not null default 0;
-- the ACK or NAC, given again when the message is repeated
alter table schedule_message add column reply text;
alter table schedule_message drop constraint schedule_message_digest_key;
alter table schedule_message add constraint schedule_message_digest_key unique (digest, repetition);
drop index schedule_message_group;
create index schedule_message_part on schedule_message (created_on, group_number) where not (part = 1 and is_last);
create index schedule_message_waiting on schedule_message (received_at) where not complete;
create index schedule_message_rejected on schedule_message (received_at) where rejection is not null;

alter table schedule_amendment add column originator text not null default '';
alter table schedule_amendment add column sent_at timestamptz;
alter table schedule_amendment drop column cancellations;

-- The cancellations and reinstatements by ASM that are in force, derived from the amendments of a flight as its schedule is. Each is a message
-- of the status of one leg.
create table schedule_cancellation (
  -- the id of the status message: equal only for the same flight, leg, value and time
  id            text primary key,
  designator    text not null,
  flight_number smallint not null,
  suffix        text not null,
  origin_date   date not null,
  -- the status message, JSON
  message       text not null,
  -- pending until the status has it; withdrawn until the status no longer has it
  state         text not null check (state in ('pending', 'stored', 'withdrawn'))
);
create index schedule_cancellation_flight on schedule_cancellation (designator, flight_number, suffix);
create index schedule_cancellation_open on schedule_cancellation (origin_date) where state <> 'stored';
create index status_message_asm on status_message (id) where source = 'asm';

-- Local departure dates on which flights changed and whose statuses are not updated yet. Written with the change, deleted after the update.
create table status_update (
  id         bigint generated always as identity primary key,
  -- null when only cancellations changed
  from_date  date,
  to_date    date,
  created_at timestamptz not null default now()
);
