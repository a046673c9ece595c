-- What has been observed of flights. A flight is known here by its day and the first eight bytes of its status key, which its
-- marketing flights share; nothing points back at instances, so that a schedule can be loaded again under it.
create table flight_status (
  -- local date of scheduled departure
  departs_on       date not null,
  status_order     bigint not null,
  key              bytea not null,
  -- the schedule that the times are compared with: locations, minutes since 1970 UTC, minutes of local time ahead of UTC
  departure        integer not null,
  arrival          integer not null,
  scheduled_out    integer not null,
  scheduled_in     integer,
  departure_offset smallint not null,
  arrival_offset   smallint not null,
  is_recovery      boolean not null default false,
  -- the newest message, by source time and id; null until the first one is counted
  observed_at      timestamptz,
  last_id          text,
  -- the newest message that described the flight itself, where no schedule holds it
  planned_at       timestamptz,
  plan_id          text,
  -- the domain's KnownFlight, as JSON
  known            text not null default '',
  -- the latest StatusDetails of the contract, ready to send
  doc              text not null default '',
  state            text not null default '',
  registration     text,
  -- the seats of the aircraft that flies, as the contract shows them, where a message told
  seats            text,
  primary key (departs_on, status_order)
) with (fillfactor = 75, toast_tuple_target = 8160);
create index flight_status_registration on flight_status (registration, departs_on) where registration is not null;

-- Where flights landed or are bound for besides their scheduled arrival.
create table flight_diversion (
  location     integer not null,
  departs_on   date not null,
  status_order bigint not null,
  primary key (location, departs_on, status_order)
);
create index flight_diversion_flight on flight_diversion (departs_on, status_order);

-- Every message of every flight, once.
create table status_message (
  departs_on   date not null,
  status_order bigint not null,
  id           text not null,
  source       text not null,
  observed_at  timestamptz not null,
  received_at  timestamptz not null default now(),
  -- the domain's facts and landings, as JSON
  told         text not null,
  primary key (departs_on, status_order, id)
);

-- Messages that fit no flight yet. They are tried again when schedules are loaded.
create table status_quarantine (
  id          text primary key,
  source      text not null,
  observed_at timestamptz not null,
  received_at timestamptz not null default now(),
  reason      text not null,
  -- of the flight it speaks of, where it names one
  flight_number smallint,
  -- the domain's StatusMessage, as JSON
  message     text not null
);
create index status_quarantine_flight on status_quarantine (flight_number);

-- On a recovery flight: date and key of the flight it recovers, as they stand in its address; ~ and what was said of that
-- flight, as JSON of the domain's FlightReference, while no schedule holds it.
alter table flight_instance add column original text;
-- The flights of a day that no schedule holds are few among many.
create index flight_instance_unscheduled on flight_instance (departs_at) where flight_type <> 'S';

-- A flight that no schedule holds opens its day before schedules have been laid out on it; `instances` counts scheduled ones only.
alter table expanded_day add column laid_out boolean not null default true;

-- What a subscription has beyond its products, e.g. `map`.
alter table subscription add column features text[] not null default '{}';

-- The seats to expect of a flight, from those of the same number, route and carrier in the past.
create table seat_prediction (
  carrier       integer not null,
  flight_number smallint not null,
  departure     integer not null,
  arrival       integer not null,
  seats         text not null,
  -- the prediction is for flights from this local date on
  since         date not null,
  primary key (carrier, flight_number, departure, arrival)
);

-- Work that servers do once a day, and the UTC date on which it was done last.
create table daily_work (
  name    text primary key,
  done_on date not null
);
