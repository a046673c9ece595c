-- Names of places, carriers and aircraft. Ids are small integers that instances carry instead of codes.
create table location (
  id           integer generated always as identity primary key,
  iata         text not null default '',
  icao         text not null default '',
  faa          text not null default '',
  name         text not null default '',
  city_code    text not null default '',
  country_code text not null default '',
  latitude     double precision,
  longitude    double precision,
  zone         text,
  -- orders the places that share a code: 1 answers first
  rank         integer not null default 1,
  check (iata <> '' or icao <> '' or faa <> '')
);
create index location_iata on location (iata) where iata <> '';
create index location_icao on location (icao) where icao <> '';
create index location_faa on location (faa) where faa <> '';

create table carrier (
  id   integer generated always as identity primary key,
  iata text not null default '',
  icao text not null default '',
  name text not null default '',
  -- orders the owners of one IATA code: 1 answers first
  rank integer not null default 1,
  check (iata <> '' or icao <> '')
);
create index carrier_iata on carrier (iata) where iata <> '';
create index carrier_icao on carrier (icao) where icao <> '';

-- The locations and carriers that flights point at: of the many owners of a code, these are the ones worth asking for.
create table in_use (
  noun text not null check (noun in ('carrier', 'location')),
  id   integer not null,
  primary key (noun, id)
);

create table equipment (
  iata         text primary key,
  icao         text not null default '',
  name         text not null default '',
  cargo_tonnes double precision
);

-- One row a load that was published: who replaced whose schedule, and the report the operator saw.
create table load (
  id          integer generated always as identity primary key,
  kind        text not null,
  source      text not null,
  sha256      text not null,
  carriers    text[] not null default '{}',
  report      jsonb not null,
  loaded_at   timestamptz not null default now()
);

-- The schedule as filed: one row an itinerary variation of a flight. Rows of a replaced schedule stay, retired,
-- as long as instances of the past still point at their segments.
create table itinerary (
  id            integer primary key,
  carrier_id    integer not null references carrier,
  flight_number smallint not null,
  suffix        text not null,
  variation     smallint not null,
  from_date     date not null,
  to_date       date not null,
  -- the domain's Itinerary, as JSON
  doc           text not null,
  load_id       integer not null references load,
  retired_by    integer references load
);
create index itinerary_carrier on itinerary (carrier_id) where retired_by is null;

-- What the single flight shows beyond the list, rendered once a segment and shared by all its instances.
create table segment (
  id           integer primary key,
  itinerary_id integer not null references itinerary on delete cascade,
  details      text not null,
  seats        text
);
create index segment_itinerary on segment (itinerary_id);

-- Days whose flights are laid out as instances, with the number of rows, so that a whole day need not be counted.
create table expanded_day (
  day        date primary key,
  instances  integer not null default 0,
  -- the most days that a flight of this day arrives after it, local dates
  longest_days smallint not null default 0
);

-- One row a flight instance; `doc` is the list row of the contract, ready to send. Partitioned by day of departure.
create table flight_instance (
  -- local time at the departure airport
  departs_at    timestamp not null,
  -- the first eight bytes of `key` in its order: the tie-breaker of every listing
  key_order     bigint not null,
  arrives_at    timestamp not null,
  key           bytea not null,
  status_order  bigint not null,
  carrier       integer not null,
  departure     integer not null,
  arrival       integer not null,
  segment_id    integer,
  flight_number smallint not null,
  -- S scheduled, U unscheduled, G general aviation
  flight_type   "char" not null,
  -- one letter, or a blank when undefined
  service_type  "char" not null,
  is_marketing  boolean not null,
  doc           text not null,
  primary key (departs_at, key_order)
) partition by range (departs_at);
create index flight_instance_departure on flight_instance (departure, departs_at, key_order) include (arrival, carrier);
create index flight_instance_arrival on flight_instance (arrival, departs_at, key_order) include (departure, carrier);
create index flight_instance_carrier on flight_instance (carrier, departs_at, key_order) include (flight_number);
create index flight_instance_number on flight_instance (flight_number, departs_at, key_order) include (carrier);
create index flight_instance_key on flight_instance (key_order);
create index flight_instance_status on flight_instance (status_order);

-- Customers, and the keys they call with. A key is stored as its SHA-256 only: it is 128 random bits, so no salt is needed.
create table subscription (
  id         integer generated always as identity primary key,
  name       text not null unique,
  created_at timestamptz not null default now()
);

create table subscription_key (
  id              integer generated always as identity primary key,
  subscription_id integer not null references subscription,
  hash            bytea not null unique,
  -- the first digits of the hash, to tell keys apart in listings and logs
  hint            text not null,
  products        text[] not null,
  created_at      timestamptz not null default now(),
  expires_on      date,
  revoked_at      timestamptz
);

-- Secrets the service makes for itself and every process of it shares, e.g. the one that seals cursors.
create table secret (
  name  text primary key,
  value bytea not null
);
