-- Accounts of Flight Info Alerts: whatever a subscription keeps there hangs on one.
create table alert_account (
  id              uuid primary key default gen_random_uuid(),
  subscription_id integer not null references subscription,
  -- the profile, as JSON; text, since a person can put a NUL into JSON and PostgreSQL's own type has none
  profile         text not null,
  created_at      timestamptz not null
);
create index on alert_account (subscription_id);

create table alert (
  id         uuid primary key default gen_random_uuid(),
  account_id uuid not null references alert_account,
  -- the order in which they were created
  number     bigint not null generated always as identity,
  active     boolean not null,
  -- the domain's Alert without what the other columns hold, as JSON
  doc        text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on alert (account_id, number);

-- Answers to requests that carried an idempotency key, so that they can be given again.
create table idempotency_key (
  subscription_id integer not null references subscription,
  key             text not null,
  -- SHA-256 of what was asked
  fingerprint     bytea not null,
  -- JSON
  answer          text not null,
  asked_at        timestamptz not null,
  primary key (subscription_id, key)
);
