-- How punctual the flights of a number were between two airports, counted from their statuses.
create table on_time (
  carrier          integer not null,
  flight_number    smallint not null,
  departure        integer not null,
  arrival          integer not null,
  -- the first and last local day of departure of the flights counted
  from_date        date not null,
  to_date          date not null,
  -- all that are counted: those below, and nothing else
  flights          integer not null,
  arrived_on_time  integer not null,
  arrived_late     integer not null,
  cancelled        integer not null,
  diverted         integer not null,
  -- those of all that are counted of which it is known whether they departed on time, and those that did
  departures       integer not null,
  departed_on_time integer not null,
  primary key (carrier, flight_number, departure, arrival),
  check (flights = arrived_on_time + arrived_late + cancelled + diverted)
);
