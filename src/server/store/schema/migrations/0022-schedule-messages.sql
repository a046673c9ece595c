-- SSM and ASM messages as they were received, and those that could not be read.
create table schedule_message (
  id           bigint generated always as identity primary key,
  -- SHA-256 of the text and its date: the same message twice has one effect
  digest       bytea not null unique,
  kind         text not null,
  reference    text not null,
  created_on   date not null,
  -- the number that the parts of a message share; '' without a reference
  group_number text not null,
  part         smallint not null,
  is_last      boolean not null,
  received_at  timestamptz not null,
  text         text not null,
  -- the sub-messages, JSON; an incomplete message waits here for its other parts
  changes      text not null,
  -- false while parts are missing
  complete     boolean not null,
  -- why it cannot be read, JSON
  rejection    text
);
create index schedule_message_group on schedule_message (created_on, group_number) where not complete;

-- The changes of a message that concern the same flight. They apply as a whole, in the order of creation date, number and receipt.
create table schedule_amendment (
  id            bigint generated always as identity primary key,
  message_id    bigint not null references schedule_message on delete cascade,
  created_on    date not null,
  group_number  text not null,
  received_at   timestamptz not null,
  changes       text not null,
  state         text not null check (state in ('applied', 'quarantined', 'superseded')),
  -- in quarantine: line, reason, field, value and message, JSON
  rejection     text,
  -- cancellations that no status has yet, JSON
  cancellations text
);
create index schedule_amendment_message on schedule_amendment (message_id);
create index schedule_amendment_quarantined on schedule_amendment (id) where state = 'quarantined';
create index schedule_amendment_unsent on schedule_amendment (id) where cancellations is not null;

create table schedule_amendment_flight (
  designator    text not null,
  flight_number smallint not null,
  suffix        text not null,
  amendment_id  bigint not null references schedule_amendment on delete cascade,
  primary key (designator, flight_number, suffix, amendment_id)
);
create index schedule_amendment_flight_amendment on schedule_amendment_flight (amendment_id);

-- The itineraries of amended flights as the last schedule file has them: messages apply to these.
create table filed_flight (
  designator    text not null,
  flight_number smallint not null,
  suffix        text not null,
  itineraries   text not null,
  primary key (designator, flight_number, suffix)
);

-- The amendment that caused an itinerary; null for one of a schedule file.
alter table itinerary add column amendment_id bigint;
create index itinerary_flight on itinerary (designator, flight_number);
