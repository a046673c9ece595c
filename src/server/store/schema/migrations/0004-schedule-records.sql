-- The schedules in force as Schedules lists them: one row a segment of an itinerary and period in which its local times are the
-- same. Ordered by designator, number, first day, place within the flight and fingerprint; rows of a replaced schedule are gone.
-- What is shown stands in a table of its own, so that this one stays narrow: counting all of a year's 240,000 rows reads 20 MB.
create table schedule_record (
  -- the first eight bytes of the fingerprint in its order
  key_order     bigint not null,
  -- of its document
  id            integer not null,
  from_date     date not null,
  to_date       date not null,
  -- local dates of departure: bit n is set when the flight departs n days after from_date; two weeks, written twice
  pattern       integer not null,
  segment_id    integer not null,
  carrier       integer not null,
  departure     integer not null,
  arrival       integer not null,
  -- the airport that the last leg leaves: whose arrival there is the flight's
  last_departure integer not null,
  flight_number smallint not null,
  -- 0 for the whole of a flight with stops, the sequence number for a leg
  leg_order     smallint not null,
  -- one letter
  service_type  "char" not null,
  -- the carrier as filed
  designator    text collate "C" not null,
  primary key (designator, flight_number, from_date, leg_order, key_order)
);
create index schedule_record_key on schedule_record (key_order);
create index schedule_record_carrier on schedule_record (carrier, designator, flight_number, from_date, leg_order, key_order);
create index schedule_record_departure on schedule_record (departure, designator, flight_number, from_date, leg_order, key_order);
create index schedule_record_arrival on schedule_record (arrival, designator, flight_number, from_date, leg_order, key_order);

create table schedule_document (
  id          integer primary key,
  fingerprint bytea not null,
  -- the record of the contract, ready to send up to where the observed performance and the seats follow
  doc         text not null
  -- Compressing the two kilobytes of a document would cost more than everything else that is done to it.
) with (toast_tuple_target = 8160);
