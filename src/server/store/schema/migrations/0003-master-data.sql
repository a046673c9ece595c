-- What Master Data tells of a record beyond what flights need: the domain's LocationFacts, CarrierFacts and EquipmentFacts, as
-- JSON. A record that only a schedule named has none.
alter table location add column facts jsonb not null default '{}', add column changed_at timestamptz not null default now();
alter table carrier add column facts jsonb not null default '{}', add column changed_at timestamptz not null default now();

-- Types that have no IATA code, which general aviation flies, are equipment as well.
alter table equipment add column id integer generated always as identity;
alter table equipment drop constraint equipment_pkey;
alter table equipment add primary key (id);
alter table equipment alter column iata set default '';
create unique index equipment_iata on equipment (iata) where iata <> '';
-- A designator has a row of its own only while no type with an IATA code has it.
create unique index equipment_icao on equipment (icao) where iata = '';
alter table equipment add check (iata <> '' or icao <> '');
alter table equipment add column facts jsonb not null default '{}', add column changed_at timestamptz not null default now();

-- Cities and metropolitan areas: their codes name stations together, and no flight points at them.
create table city (
  code         text primary key,
  name         text not null default '',
  country_code text not null default '',
  latitude     double precision,
  longitude    double precision,
  zone         text,
  facts        jsonb not null default '{}',
  changed_at   timestamptz not null default now()
);

-- Names of countries, by ISO 3166-1 alpha-2 code.
create table country (
  code text primary key,
  name text not null
);
