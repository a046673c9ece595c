-- A message ID belongs to a source of a subscription: `sender` is the ID of the subscription that sent the message over HTTP, and 0 for the
-- operator's files and streams, and for rows of the previous version. `content` is a digest of the content; zeros mean that it was not computed.
alter table status_message
  add column sender integer not null default 0,
  add column content uuid not null default '00000000-0000-0000-0000-000000000000';
alter table status_quarantine
  add column sender integer not null default 0,
  add column content uuid not null default '00000000-0000-0000-0000-000000000000';
-- Messages of one ID and source can be in quarantine for several senders, and with several contents. Servers of the previous version insert with
-- `on conflict (id, source)` and need the primary key of status_quarantine. Its own rows are theirs; reads and deletes include both tables.
create table status_quarantine_entry (
  primary key (id, source, sender, content)
) inherits (status_quarantine);
create index status_quarantine_entry_flight on status_quarantine_entry (flight_number);
