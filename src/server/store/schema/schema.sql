-- The schema after all migrations, as PostgreSQL describes it: for reading, and for seeing in a diff what a migration does.
-- Written by `make schema`; what is run are the files in migrations/.

create table account_event (
  stream integer not null,
  number bigint not null,
  pos bigint not null,
  seq bigint not null,
  alert_id uuid not null,
  shows smallint not null,
  constraint account_event_pkey PRIMARY KEY (stream, number)
);
CREATE INDEX account_event_pos_stream_idx ON account_event USING btree (pos, stream);

create table account_stream (
  stream integer not null,
  last_number bigint not null,
  constraint account_stream_pkey PRIMARY KEY (stream)
) with (fillfactor=50);

create table alert (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  number bigint not null generated always as identity,
  active boolean not null,
  doc text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint alert_pkey PRIMARY KEY (id),
  constraint alert_account_id_fkey FOREIGN KEY (account_id) REFERENCES alert_account(id)
);
CREATE INDEX alert_account_id_number_idx ON alert USING btree (account_id, number);

create table alert_account (
  id uuid not null default gen_random_uuid(),
  subscription_id integer not null,
  profile text not null,
  created_at timestamp with time zone not null,
  stream integer not null generated always as identity,
  constraint alert_account_pkey PRIMARY KEY (id),
  constraint alert_account_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscription(id)
);
CREATE UNIQUE INDEX alert_account_stream_idx ON alert_account USING btree (stream);
CREATE INDEX alert_account_subscription_id_idx ON alert_account USING btree (subscription_id);

create table alert_change (
  number bigint not null,
  alert_id uuid not null,
  made_at timestamp with time zone not null default clock_timestamp(),
  constraint alert_change_pkey PRIMARY KEY (number)
);

create table alert_change_end (
  is_only boolean not null default true,
  last_number bigint not null,
  constraint alert_change_end_pkey PRIMARY KEY (is_only),
  constraint alert_change_end_is_only_check CHECK (is_only)
) with (fillfactor=50);

create table carrier (
  id integer not null generated always as identity,
  iata text not null default ''::text,
  icao text not null default ''::text,
  name text not null default ''::text,
  rank integer not null default 1,
  facts jsonb not null default '{}'::jsonb,
  changed_at timestamp with time zone not null default now(),
  constraint carrier_pkey PRIMARY KEY (id),
  constraint carrier_check CHECK (iata <> ''::text OR icao <> ''::text)
);
CREATE INDEX carrier_iata ON carrier USING btree (iata) WHERE iata <> ''::text;
CREATE INDEX carrier_icao ON carrier USING btree (icao) WHERE icao <> ''::text;
CREATE TRIGGER master_data_deleted AFTER DELETE ON carrier REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_inserted AFTER INSERT ON carrier REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_truncated AFTER TRUNCATE ON carrier FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_updated AFTER UPDATE ON carrier REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();

create table city (
  code text not null,
  name text not null default ''::text,
  country_code text not null default ''::text,
  latitude double precision,
  longitude double precision,
  zone text,
  facts jsonb not null default '{}'::jsonb,
  changed_at timestamp with time zone not null default now(),
  constraint city_pkey PRIMARY KEY (code)
);
CREATE TRIGGER master_data_deleted AFTER DELETE ON city REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_inserted AFTER INSERT ON city REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_truncated AFTER TRUNCATE ON city FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_updated AFTER UPDATE ON city REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();

create table connection_snapshot (
  id integer not null generated always as identity,
  format integer not null,
  from_date date not null,
  days integer not null,
  built_at timestamp with time zone not null,
  header text not null,
  report jsonb not null,
  constraint connection_snapshot_pkey PRIMARY KEY (id)
);

create table connection_snapshot_part (
  snapshot_id integer not null,
  number integer not null,
  content bytea storage external not null,
  constraint connection_snapshot_part_pkey PRIMARY KEY (snapshot_id, number),
  constraint connection_snapshot_part_snapshot_id_fkey FOREIGN KEY (snapshot_id) REFERENCES connection_snapshot(id) ON DELETE CASCADE
);

create table country (
  code text not null,
  name text not null,
  constraint country_pkey PRIMARY KEY (code)
);
CREATE TRIGGER master_data_deleted AFTER DELETE ON country REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_inserted AFTER INSERT ON country REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_truncated AFTER TRUNCATE ON country FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_updated AFTER UPDATE ON country REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();

create table daily_work (
  name text not null,
  done_on date not null,
  constraint daily_work_pkey PRIMARY KEY (name)
);

create table equipment (
  iata text not null default ''::text,
  icao text not null default ''::text,
  name text not null default ''::text,
  cargo_tonnes double precision,
  id integer not null generated always as identity,
  facts jsonb not null default '{}'::jsonb,
  changed_at timestamp with time zone not null default now(),
  constraint equipment_pkey PRIMARY KEY (id),
  constraint equipment_check CHECK (iata <> ''::text OR icao <> ''::text)
);
CREATE UNIQUE INDEX equipment_iata ON equipment USING btree (iata) WHERE iata <> ''::text;
CREATE UNIQUE INDEX equipment_icao ON equipment USING btree (icao) WHERE iata = ''::text;
CREATE TRIGGER master_data_deleted AFTER DELETE ON equipment REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_inserted AFTER INSERT ON equipment REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_truncated AFTER TRUNCATE ON equipment FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_updated AFTER UPDATE ON equipment REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();

create table event_distribution (
  is_only boolean not null default true,
  last_pos bigint not null,
  moved_by uuid,
  moved_at timestamp with time zone,
  last_fan_out_pos bigint not null default 0,
  history text,
  is_synchronous boolean not null default false,
  constraint event_distribution_pkey PRIMARY KEY (is_only),
  constraint event_distribution_is_only_check CHECK (is_only)
);

create table event_log (
  pos bigint not null,
  seq bigint not null,
  sequenced_at timestamp with time zone not null,
  constraint event_log_pkey PRIMARY KEY (pos)
);
CREATE INDEX event_log_seq_idx ON event_log USING btree (seq);

create table event_log_end (
  is_only boolean not null default true,
  last_pos bigint not null,
  moved_by uuid,
  moved_at timestamp with time zone,
  constraint event_log_end_pkey PRIMARY KEY (is_only),
  constraint event_log_end_is_only_check CHECK (is_only)
);

create table event_outbox (
  seq bigint not null,
  constraint event_outbox_pkey PRIMARY KEY (seq)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);

create table expanded_day (
  day date not null,
  instances integer not null default 0,
  longest_days smallint not null default 0,
  laid_out boolean not null default true,
  constraint expanded_day_pkey PRIMARY KEY (day)
);
CREATE TRIGGER page_deleted AFTER DELETE ON expanded_day REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION page_change_days();
CREATE TRIGGER page_inserted AFTER INSERT ON expanded_day REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION page_change_days();
CREATE TRIGGER page_truncated AFTER TRUNCATE ON expanded_day FOR EACH STATEMENT EXECUTE FUNCTION page_change_all();
CREATE TRIGGER page_updated AFTER UPDATE ON expanded_day REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION page_change_days();

create table fan_out_backlog (
  subscription_id integer not null,
  log_pos bigint not null,
  turn bigint not null,
  constraint fan_out_backlog_pkey PRIMARY KEY (subscription_id),
  constraint fan_out_backlog_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscription(id)
);

create table fan_out_event (
  pos bigint not null,
  log_pos bigint not null,
  constraint fan_out_event_pkey PRIMARY KEY (pos)
);
CREATE INDEX fan_out_event_log_pos_idx ON fan_out_event USING btree (log_pos);

create table filed_flight (
  designator text not null,
  flight_number smallint not null,
  suffix text not null,
  itineraries text not null,
  constraint filed_flight_pkey PRIMARY KEY (designator, flight_number, suffix)
);

create table filed_season (
  designator text not null,
  from_date date not null,
  to_date date not null,
  constraint filed_season_pkey PRIMARY KEY (designator)
);

create table flight_codeshare (
  departs_at timestamp without time zone not null,
  key_order bigint not null,
  carrier integer not null,
  operating_order bigint not null
);
CREATE INDEX flight_codeshare_carrier ON flight_codeshare USING btree (carrier, departs_at, key_order);
CREATE INDEX flight_codeshare_day ON flight_codeshare USING brin (departs_at) WITH (autosummarize='on');

create table flight_diversion (
  location integer not null,
  departs_on date not null,
  status_order bigint not null,
  constraint flight_diversion_pkey PRIMARY KEY (location, departs_on, status_order)
);
CREATE INDEX flight_diversion_flight ON flight_diversion USING btree (departs_on, status_order);
CREATE TRIGGER page_deleted AFTER DELETE ON flight_diversion REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION page_change_statuses();
CREATE TRIGGER page_inserted AFTER INSERT ON flight_diversion REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION page_change_statuses();
CREATE TRIGGER page_truncated AFTER TRUNCATE ON flight_diversion FOR EACH STATEMENT EXECUTE FUNCTION page_change_all();
CREATE TRIGGER page_updated AFTER UPDATE ON flight_diversion REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION page_change_statuses();

create table flight_event (
  seq bigint not null generated always as identity,
  id uuid not null,
  kind text not null,
  flight_key bytea not null,
  version integer not null,
  made_at timestamp with time zone not null,
  facts text not null,
  body text storage main not null,
  constraint flight_event_pkey PRIMARY KEY (seq)
);
CREATE INDEX flight_event_id_idx ON flight_event USING btree (id);

create table flight_instance (
  departs_at timestamp without time zone not null,
  key_order bigint not null,
  arrives_at timestamp without time zone not null,
  key bytea not null,
  status_order bigint not null,
  carrier integer not null,
  departure integer not null,
  arrival integer not null,
  segment_id integer,
  flight_number smallint not null,
  flight_type "char" not null,
  service_type "char" not null,
  is_marketing boolean not null,
  doc text not null,
  original text,
  codeshares jsonb,
  codeshare_terms bigint[],
  constraint flight_instance_pkey PRIMARY KEY (departs_at, key_order)
) partition by RANGE (departs_at);
CREATE INDEX flight_instance_arrival ON ONLY flight_instance USING btree (arrival, departs_at, key_order) INCLUDE (departure, carrier);
CREATE INDEX flight_instance_arrives_at ON ONLY flight_instance USING btree (arrival, arrives_at);
CREATE INDEX flight_instance_carrier ON ONLY flight_instance USING btree (carrier, departs_at, key_order) INCLUDE (flight_number);
CREATE INDEX flight_instance_codeshare ON ONLY flight_instance USING gin (codeshare_terms) WHERE codeshare_terms IS NOT NULL;
CREATE INDEX flight_instance_departure ON ONLY flight_instance USING btree (departure, departs_at, key_order) INCLUDE (arrival, carrier);
CREATE INDEX flight_instance_key ON ONLY flight_instance USING btree (key_order);
CREATE INDEX flight_instance_number ON ONLY flight_instance USING btree (flight_number, departs_at, key_order) INCLUDE (carrier);
CREATE INDEX flight_instance_status ON ONLY flight_instance USING btree (status_order);
CREATE INDEX flight_instance_unscheduled ON ONLY flight_instance USING btree (departs_at) WHERE flight_type <> 'S'::"char";
CREATE TRIGGER page_deleted AFTER DELETE ON flight_instance REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION page_change_instances();
CREATE TRIGGER page_inserted AFTER INSERT ON flight_instance REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION page_change_instances();
CREATE TRIGGER page_truncated AFTER TRUNCATE ON flight_instance FOR EACH STATEMENT EXECUTE FUNCTION page_change_all();
CREATE TRIGGER page_updated AFTER UPDATE ON flight_instance REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION page_change_instances();
CREATE TRIGGER page_updated_from AFTER UPDATE ON flight_instance REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION page_change_instances();

create table flight_status (
  departs_on date not null,
  status_order bigint not null,
  key bytea not null,
  departure integer not null,
  arrival integer not null,
  scheduled_out integer not null,
  scheduled_in integer,
  departure_offset smallint not null,
  arrival_offset smallint not null,
  is_recovery boolean not null default false,
  observed_at timestamp with time zone,
  last_id text,
  planned_at timestamp with time zone,
  plan_id text,
  known text not null default ''::text,
  doc text not null default ''::text,
  state text not null default ''::text,
  registration text,
  seats text,
  superseded jsonb,
  departure_estimated boolean not null default false,
  latest_departs_at timestamp without time zone,
  latest_arrives_at timestamp without time zone,
  latest_departs_hour timestamp without time zone,
  latest_arrives_hour timestamp without time zone,
  constraint flight_status_pkey PRIMARY KEY (departs_on, status_order)
) with (fillfactor=75, toast_tuple_target=8160);
CREATE INDEX flight_status_latest_arrival ON flight_status USING btree (arrival, latest_arrives_hour) WHERE latest_arrives_hour IS NOT NULL;
CREATE INDEX flight_status_latest_departure ON flight_status USING btree (departure, latest_departs_hour) WHERE latest_departs_hour IS NOT NULL;
CREATE INDEX flight_status_registration ON flight_status USING btree (registration, departs_on) WHERE registration IS NOT NULL;
CREATE INDEX flight_status_state ON flight_status USING btree (state, departs_on) WHERE state <> ALL (ARRAY[''::text, 'Scheduled'::text]);
CREATE INDEX flight_status_superseded ON flight_status USING btree (departs_on, status_order) WHERE superseded IS NOT NULL;
CREATE TRIGGER page_deleted AFTER DELETE ON flight_status REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION page_change_flight_statuses();
CREATE TRIGGER page_inserted AFTER INSERT ON flight_status REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION page_change_flight_statuses();
CREATE TRIGGER page_truncated AFTER TRUNCATE ON flight_status FOR EACH STATEMENT EXECUTE FUNCTION page_change_all();
CREATE TRIGGER page_updated AFTER UPDATE ON flight_status REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION page_change_flight_statuses();

create table flight_version (
  key bytea not null,
  version integer not null default 0,
  deleted boolean not null default false,
  told text,
  day date not null default '-infinity'::date,
  constraint flight_version_pkey PRIMARY KEY (key),
  constraint flight_version_told CHECK (deleted OR told IS NULL)
) with (fillfactor=80);
CREATE INDEX flight_version_day_idx ON flight_version USING btree (day);

create table hub_hold (
  stream integer not null,
  number bigint not null,
  constraint hub_hold_pkey PRIMARY KEY (stream)
);

create table hub_progress (
  is_only boolean not null default true,
  pos bigint,
  stream integer,
  hub_stream text,
  hub_sequence bigint,
  worker uuid,
  claimed_until timestamp with time zone,
  constraint hub_progress_pkey PRIMARY KEY (is_only),
  constraint hub_progress_is_only_check CHECK (is_only)
) with (fillfactor=50);

create table idempotency_key (
  subscription_id integer not null,
  key text not null,
  fingerprint bytea not null,
  answer text not null,
  asked_at timestamp with time zone not null,
  account_id uuid,
  constraint idempotency_key_pkey PRIMARY KEY (subscription_id, key),
  constraint idempotency_key_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscription(id)
);
CREATE INDEX idempotency_key_account ON idempotency_key USING btree (account_id);

create table in_use (
  noun text not null,
  id integer not null,
  constraint in_use_pkey PRIMARY KEY (noun, id),
  constraint in_use_noun_check CHECK (noun = ANY (ARRAY['carrier'::text, 'location'::text, 'codeshare carrier'::text]))
);
CREATE TRIGGER master_data_deleted AFTER DELETE ON in_use REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_inserted AFTER INSERT ON in_use REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_truncated AFTER TRUNCATE ON in_use FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_updated AFTER UPDATE ON in_use REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();

create table itinerary (
  id integer not null,
  carrier_id integer not null,
  flight_number smallint not null,
  suffix text not null,
  variation smallint not null,
  from_date date not null,
  to_date date not null,
  doc text not null,
  load_id integer not null,
  retired_by integer,
  designator text collate "C" not null,
  amendment_id bigint,
  constraint itinerary_pkey PRIMARY KEY (id),
  constraint itinerary_carrier_id_fkey FOREIGN KEY (carrier_id) REFERENCES carrier(id),
  constraint itinerary_load_id_fkey FOREIGN KEY (load_id) REFERENCES load(id),
  constraint itinerary_retired_by_fkey FOREIGN KEY (retired_by) REFERENCES load(id)
);
CREATE INDEX itinerary_designator ON itinerary USING btree (designator, carrier_id);
CREATE INDEX itinerary_flight ON itinerary USING btree (designator, flight_number);

create table live_count (
  source text not null,
  kind text not null,
  reason text not null,
  value text not null,
  count bigint not null,
  last_at timestamp with time zone not null,
  constraint live_count_pkey PRIMARY KEY (source, kind, reason, value)
);

create table live_follower (
  one boolean not null default true,
  worker uuid,
  claimed_until timestamp with time zone,
  constraint live_follower_pkey PRIMARY KEY (one),
  constraint live_follower_one_check CHECK (one)
);

create table live_request (
  source text not null,
  place text not null,
  request text not null,
  followed boolean not null default true,
  next_at timestamp with time zone not null,
  period text not null default ''::text,
  cursor text,
  etag text,
  observed_at timestamp with time zone,
  newest_actual timestamp with time zone,
  full_at timestamp with time zone,
  full_rows integer,
  succeeded_at timestamp with time zone,
  failures integer not null default 0,
  error text,
  failed_at timestamp with time zone,
  constraint live_request_pkey PRIMARY KEY (source, place, request)
);

create table live_row (
  source text not null,
  airport text not null,
  key text not null,
  scheduled timestamp with time zone not null,
  "row" text not null,
  constraint live_row_pkey PRIMARY KEY (source, airport, key)
);

create table load (
  id integer not null generated always as identity,
  kind text not null,
  source text not null,
  sha256 text not null,
  carriers text[] not null default '{}'::text[],
  report jsonb not null,
  loaded_at timestamp with time zone not null default now(),
  constraint load_pkey PRIMARY KEY (id)
);

create table location (
  id integer not null generated always as identity,
  iata text not null default ''::text,
  icao text not null default ''::text,
  faa text not null default ''::text,
  name text not null default ''::text,
  city_code text not null default ''::text,
  country_code text not null default ''::text,
  latitude double precision,
  longitude double precision,
  zone text,
  rank integer not null default 1,
  facts jsonb not null default '{}'::jsonb,
  changed_at timestamp with time zone not null default now(),
  constraint location_pkey PRIMARY KEY (id),
  constraint location_check CHECK (iata <> ''::text OR icao <> ''::text OR faa <> ''::text)
);
CREATE INDEX location_faa ON location USING btree (faa) WHERE faa <> ''::text;
CREATE INDEX location_iata ON location USING btree (iata) WHERE iata <> ''::text;
CREATE INDEX location_icao ON location USING btree (icao) WHERE icao <> ''::text;
CREATE TRIGGER master_data_deleted AFTER DELETE ON location REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_inserted AFTER INSERT ON location REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_truncated AFTER TRUNCATE ON location FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_updated AFTER UPDATE ON location REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();

create table location_terminal (
  location integer not null,
  code text collate "C" not null,
  source text not null,
  constraint location_terminal_pkey PRIMARY KEY (location, code, source),
  constraint location_terminal_source_check CHECK (source = ANY (ARRAY['schedules'::text, 'connecting-times'::text]))
);
CREATE TRIGGER master_data_deleted AFTER DELETE ON location_terminal REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_inserted AFTER INSERT ON location_terminal REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_truncated AFTER TRUNCATE ON location_terminal FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_updated AFTER UPDATE ON location_terminal REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();

create table master_data_change (
  id bigint not null generated always as identity,
  noun text not null,
  constraint master_data_change_pkey PRIMARY KEY (id)
);

create table mct_partners (
  line integer not null,
  doc text not null,
  constraint mct_partners_pkey PRIMARY KEY (line)
);

create table mct_record (
  line integer not null,
  doc text not null,
  constraint mct_record_pkey PRIMARY KEY (line)
);

create table on_time (
  carrier integer not null,
  flight_number smallint not null,
  departure integer not null,
  arrival integer not null,
  from_date date not null,
  to_date date not null,
  flights integer not null,
  arrived_on_time integer not null,
  arrived_late integer not null,
  cancelled integer not null,
  diverted integer not null,
  departures integer not null,
  departed_on_time integer not null,
  constraint on_time_pkey PRIMARY KEY (carrier, flight_number, departure, arrival),
  constraint on_time_check CHECK (flights = (arrived_on_time + arrived_late + cancelled + diverted))
);

create table page_change (
  xid xid8 not null default pg_current_xact_id(),
  day date,
  flights bigint[],
  carriers integer[],
  departures integer[],
  arrivals integer[]
);
CREATE INDEX page_change_xid ON page_change USING btree (xid);

create table page_change_end (
  xid xid8 not null default '0'::xid8
);

create table push_attempt (
  id bigint not null generated always as identity,
  endpoint_id uuid not null,
  number bigint,
  event_id uuid not null,
  attempt integer not null,
  made_at timestamp with time zone not null,
  outcome text not null,
  reason text,
  status integer,
  duration_ms integer not null,
  answer text not null,
  next_at timestamp with time zone,
  constraint push_attempt_pkey PRIMARY KEY (id)
);
CREATE INDEX push_attempt_endpoint_id_id_idx ON push_attempt USING btree (endpoint_id, id);
CREATE INDEX push_attempt_endpoint_id_id_idx1 ON push_attempt USING btree (endpoint_id, id) WHERE outcome <> 'delivered'::text;
CREATE INDEX push_attempt_event_id_idx ON push_attempt USING btree (event_id);

create table push_dead_letter (
  endpoint_id uuid not null,
  number bigint not null,
  last_number bigint not null,
  event_id uuid,
  attempts integer not null,
  reason text not null,
  given_up_at timestamp with time zone not null,
  constraint push_dead_letter_pkey PRIMARY KEY (endpoint_id, number),
  constraint push_dead_letter_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES push_endpoint(id) ON DELETE CASCADE
);

create table push_endpoint (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  number bigint not null generated always as identity,
  url text not null,
  description text not null,
  header_name text,
  header_value text,
  signing text not null,
  active boolean not null,
  disabled_for text,
  disabled_at timestamp with time zone,
  pinged_until timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  ordering text not null default 'none'::text,
  constraint push_endpoint_pkey PRIMARY KEY (id),
  constraint push_endpoint_account_id_fkey FOREIGN KEY (account_id) REFERENCES alert_account(id),
  constraint push_endpoint_disabled CHECK ((disabled_for IS NULL) = (disabled_at IS NULL)),
  constraint push_endpoint_header CHECK ((header_name IS NULL) = (header_value IS NULL)),
  constraint push_endpoint_ordering_check CHECK (ordering = ANY (ARRAY['none'::text, 'flight'::text]))
);
CREATE INDEX push_endpoint_account_id_number_idx ON push_endpoint USING btree (account_id, number);

create table push_key (
  endpoint_id uuid not null,
  number bigint not null generated always as identity,
  key text not null,
  made_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  constraint push_key_pkey PRIMARY KEY (endpoint_id, number),
  constraint push_key_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES push_endpoint(id) ON DELETE CASCADE
);

create table push_progress (
  endpoint_id uuid not null,
  number bigint not null,
  finished bigint[] not null default '{}'::bigint[],
  worker uuid,
  claimed_until timestamp with time zone,
  served_at timestamp with time zone,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  rests integer not null default 0,
  rests_until timestamp with time zone,
  constraint push_progress_pkey PRIMARY KEY (endpoint_id),
  constraint push_progress_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES push_endpoint(id) ON DELETE CASCADE
) with (fillfactor=50);

create table push_retry (
  endpoint_id uuid not null,
  number bigint not null,
  attempts integer not null,
  due_at timestamp with time zone not null,
  constraint push_retry_pkey PRIMARY KEY (endpoint_id, number),
  constraint push_retry_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES push_endpoint(id) ON DELETE CASCADE
);
CREATE INDEX push_retry_endpoint_id_due_at_idx ON push_retry USING btree (endpoint_id, due_at);

create table registration_block (
  registration text not null,
  reason text not null,
  blocked_at timestamp with time zone not null,
  constraint registration_block_pkey PRIMARY KEY (registration),
  constraint registration_block_registration_check CHECK (registration ~ '^[A-Z0-9]{2,12}$'::text)
);
CREATE TRIGGER page_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON registration_block FOR EACH STATEMENT EXECUTE FUNCTION page_change_all();

create table request_window (
  subscription_id integer not null,
  kind text not null,
  starts_at timestamp with time zone not null,
  most bigint not null,
  taken bigint not null,
  granted bigint not null,
  constraint request_window_pkey PRIMARY KEY (subscription_id, kind, starts_at),
  constraint request_window_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscription(id) ON DELETE CASCADE,
  constraint request_window_kind_check CHECK (kind = ANY (ARRAY['minute'::text, 'month'::text]))
) with (fillfactor=50);

create table schedule_amendment (
  id bigint not null generated always as identity,
  message_id bigint not null,
  created_on date not null,
  group_number text not null,
  received_at timestamp with time zone not null,
  changes text not null,
  state text not null,
  rejection text,
  originator text not null default ''::text,
  sent_at timestamp with time zone,
  constraint schedule_amendment_pkey PRIMARY KEY (id),
  constraint schedule_amendment_message_id_fkey FOREIGN KEY (message_id) REFERENCES schedule_message(id) ON DELETE CASCADE,
  constraint schedule_amendment_state_check CHECK (state = ANY (ARRAY['applied'::text, 'quarantined'::text, 'superseded'::text]))
);
CREATE INDEX schedule_amendment_message ON schedule_amendment USING btree (message_id);
CREATE INDEX schedule_amendment_quarantined ON schedule_amendment USING btree (id) WHERE state = 'quarantined'::text;

create table schedule_amendment_flight (
  designator text not null,
  flight_number smallint not null,
  suffix text not null,
  amendment_id bigint not null,
  constraint schedule_amendment_flight_pkey PRIMARY KEY (designator, flight_number, suffix, amendment_id),
  constraint schedule_amendment_flight_amendment_id_fkey FOREIGN KEY (amendment_id) REFERENCES schedule_amendment(id) ON DELETE CASCADE
);
CREATE INDEX schedule_amendment_flight_amendment ON schedule_amendment_flight USING btree (amendment_id);

create table schedule_cancellation (
  id text not null,
  designator text not null,
  flight_number smallint not null,
  suffix text not null,
  origin_date date not null,
  message text not null,
  state text not null,
  constraint schedule_cancellation_pkey PRIMARY KEY (id),
  constraint schedule_cancellation_state_check CHECK (state = ANY (ARRAY['pending'::text, 'stored'::text, 'withdrawn'::text]))
);
CREATE INDEX schedule_cancellation_flight ON schedule_cancellation USING btree (designator, flight_number, suffix);
CREATE INDEX schedule_cancellation_open ON schedule_cancellation USING btree (origin_date) WHERE state <> 'stored'::text;

create table schedule_document (
  id integer not null,
  fingerprint bytea not null,
  doc text not null,
  constraint schedule_document_pkey PRIMARY KEY (id)
) with (toast_tuple_target=8160);

create table schedule_file (
  designator text not null,
  created_on date not null,
  constraint schedule_file_pkey PRIMARY KEY (designator)
);

create table schedule_message (
  id bigint not null generated always as identity,
  digest bytea not null,
  kind text not null,
  reference text not null,
  created_on date not null,
  group_number text not null,
  part smallint not null,
  is_last boolean not null,
  received_at timestamp with time zone not null,
  text text not null,
  changes text not null,
  complete boolean not null,
  rejection text,
  originator text not null default ''::text,
  sent_at timestamp with time zone,
  repetition integer not null default 0,
  reply text,
  constraint schedule_message_pkey PRIMARY KEY (id),
  constraint schedule_message_digest_key UNIQUE (digest, repetition)
);
CREATE INDEX schedule_message_part ON schedule_message USING btree (created_on, group_number) WHERE NOT (part = 1 AND is_last);
CREATE INDEX schedule_message_rejected ON schedule_message USING btree (received_at) WHERE rejection IS NOT NULL;
CREATE INDEX schedule_message_waiting ON schedule_message USING btree (received_at) WHERE NOT complete;

create table schedule_record (
  key_order bigint not null,
  id integer not null,
  from_date date not null,
  to_date date not null,
  pattern integer not null,
  segment_id integer not null,
  carrier integer not null,
  departure integer not null,
  arrival integer not null,
  last_departure integer not null,
  flight_number smallint not null,
  leg_order smallint not null,
  service_type "char" not null,
  designator text collate "C" not null,
  constraint schedule_record_pkey PRIMARY KEY (designator, flight_number, from_date, leg_order, key_order)
);
CREATE INDEX schedule_record_arrival ON schedule_record USING btree (arrival, designator, flight_number, from_date, leg_order, key_order);
CREATE INDEX schedule_record_carrier ON schedule_record USING btree (carrier, designator, flight_number, from_date, leg_order, key_order);
CREATE INDEX schedule_record_departure ON schedule_record USING btree (departure, designator, flight_number, from_date, leg_order, key_order);
CREATE INDEX schedule_record_key ON schedule_record USING btree (key_order);

create table schedule_records_due (
  changed_at timestamp with time zone not null default now()
);

create table schema_migration (
  version integer not null,
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migration_pkey PRIMARY KEY (version)
);

create table seat_prediction (
  carrier integer not null,
  flight_number smallint not null,
  departure integer not null,
  arrival integer not null,
  seats text not null,
  since date not null,
  constraint seat_prediction_pkey PRIMARY KEY (carrier, flight_number, departure, arrival)
);
CREATE TRIGGER page_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON seat_prediction FOR EACH STATEMENT EXECUTE FUNCTION page_change_all();

create table secret (
  name text not null,
  value bytea not null,
  constraint secret_pkey PRIMARY KEY (name)
);

create table secret_key (
  key_id text not null,
  wrapped bytea not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint secret_key_pkey PRIMARY KEY (key_id)
);

create table segment (
  id integer not null,
  itinerary_id integer not null,
  details text not null,
  seats text,
  constraint segment_pkey PRIMARY KEY (id),
  constraint segment_itinerary_id_fkey FOREIGN KEY (itinerary_id) REFERENCES itinerary(id) ON DELETE CASCADE
);
CREATE INDEX segment_itinerary ON segment USING btree (itinerary_id);
CREATE TRIGGER page_changed AFTER UPDATE OR TRUNCATE ON segment FOR EACH STATEMENT EXECUTE FUNCTION page_change_all();

create table status_message (
  departs_on date not null,
  status_order bigint not null,
  id text not null,
  source text not null,
  observed_at timestamp with time zone not null,
  received_at timestamp with time zone not null default now(),
  told text not null,
  sender integer not null default 0,
  content uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  constraint status_message_pkey PRIMARY KEY (departs_on, status_order, id, source, sender)
);
CREATE INDEX status_message_asm ON status_message USING btree (id) WHERE source = 'asm'::text;

create table status_quarantine (
  id text not null,
  source text not null,
  observed_at timestamp with time zone not null,
  received_at timestamp with time zone not null default now(),
  reason text not null,
  flight_number smallint,
  message text not null,
  sender integer not null default 0,
  content uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  constraint status_quarantine_pkey PRIMARY KEY (id, source)
);
CREATE INDEX status_quarantine_flight ON status_quarantine USING btree (flight_number);
CREATE INDEX status_quarantine_pending ON status_quarantine USING btree (observed_at) WHERE reason = 'day-pending'::text;

create table status_quarantine_entry (
  id text not null,
  source text not null,
  observed_at timestamp with time zone not null,
  received_at timestamp with time zone not null default now(),
  reason text not null,
  flight_number smallint,
  message text not null,
  sender integer not null default 0,
  content uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  constraint status_quarantine_entry_pkey PRIMARY KEY (id, source, sender, content)
) inherits (status_quarantine);
CREATE INDEX status_quarantine_entry_flight ON status_quarantine_entry USING btree (flight_number);

create table status_update (
  id bigint not null generated always as identity,
  from_date date,
  to_date date,
  created_at timestamp with time zone not null default now(),
  constraint status_update_pkey PRIMARY KEY (id)
);

create table subscription (
  id integer not null generated always as identity,
  name text not null,
  created_at timestamp with time zone not null default now(),
  features text[] not null default '{}'::text[],
  per_minute integer,
  per_month bigint,
  at_once integer,
  constraint subscription_pkey PRIMARY KEY (id),
  constraint subscription_name_key UNIQUE (name),
  constraint subscription_at_once_check CHECK (at_once >= 0),
  constraint subscription_per_minute_check CHECK (per_minute >= 0),
  constraint subscription_per_month_check CHECK (per_month >= 0)
);

create table subscription_key (
  id integer not null generated always as identity,
  subscription_id integer not null,
  hash bytea not null,
  hint text not null,
  products text[] not null,
  created_at timestamp with time zone not null default now(),
  expires_on date,
  revoked_at timestamp with time zone,
  strict boolean not null default false,
  constraint subscription_key_pkey PRIMARY KEY (id),
  constraint subscription_key_hash_key UNIQUE (hash),
  constraint subscription_key_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscription(id)
);
CREATE INDEX subscription_key_subscription_idx ON subscription_key USING btree (subscription_id);

create table unconfirmed_carrier (
  id integer not null default nextval('carrier_id_seq'::regclass),
  code text not null,
  constraint unconfirmed_carrier_pkey PRIMARY KEY (id),
  constraint unconfirmed_carrier_code_key UNIQUE (code),
  constraint unconfirmed_carrier_code_check CHECK (length(code) = ANY (ARRAY[2, 3]))
);
CREATE TRIGGER master_data_deleted AFTER DELETE ON unconfirmed_carrier REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_inserted AFTER INSERT ON unconfirmed_carrier REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();
CREATE TRIGGER master_data_truncated AFTER TRUNCATE ON unconfirmed_carrier FOR EACH STATEMENT EXECUTE FUNCTION master_data_changed();

CREATE OR REPLACE FUNCTION public.master_data_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'TRUNCATE' then
    if not exists (select from changed) then
      return null;
    end if;
  end if;
  insert into master_data_change (noun) values (tg_table_name);
  delete from master_data_change
  where id in (select id from master_data_change order by id desc offset 100 for update skip locked);
  perform pg_notify('master_data', '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.page_change_all()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from page_change where xid = pg_current_xact_id() and day is null) then
    insert into page_change default values;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.page_change_days()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into page_change (day) select distinct day from changed;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.page_change_flight_statuses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into page_change (day, flights, departures, arrivals)
  select day, case when few then flights end, case when few then departures end, case when few then arrivals end
  from (
    select departs_on as day, count(*) <= 1000 as few, array_agg(status_order) as flights, array_agg(departure) as departures,
      array_agg(arrival) as arrivals
    from changed group by departs_on) as days;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.page_change_instances()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into page_change (day, flights, carriers, departures, arrivals)
  select day, case when few then flights end, case when few then carriers end,
    case when few then departures end, case when few then arrivals end
  from (
    select departs_at::date as day, count(*) <= 1000 as few, array_agg(status_order) as flights, array_agg(carrier) as carriers,
      array_agg(departure) as departures, array_agg(arrival) as arrivals
    from changed group by departs_at::date) as days;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.page_change_statuses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into page_change (day, flights)
  select departs_on, case when count(*) <= 1000 then array_agg(distinct status_order) end from changed group by departs_on;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.request_share(kind text, remaining bigint, wanted bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN GREATEST((0)::bigint, LEAST(remaining, wanted, GREATEST((1)::bigint, (remaining / CASE kind WHEN 'month'::text THEN 64 ELSE 8 END))))
;
