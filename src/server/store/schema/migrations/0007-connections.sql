-- The file of minimum connecting times in force, which a load replaces as a whole: one row a record or list of partners.
create table mct_record (
  -- of the source file, 1-based
  line integer primary key,
  -- the domain's MctRecord, as JSON
  doc  text not null
);
create table mct_partners (
  line integer primary key,
  -- the domain's MctPartners, as JSON
  doc  text not null
);

-- One row a set of connections that was built. Its columns of bytes follow one another in the parts, ordered by number.
create table connection_snapshot (
  id        integer generated always as identity primary key,
  -- of the header and the parts: a program opens only the format it writes
  format    integer not null,
  -- the first local date of departure
  from_date date not null,
  days      integer not null,
  built_at  timestamptz not null,
  -- JSON
  header    text not null,
  -- what the operator saw
  report    jsonb not null
);

create table connection_snapshot_part (
  snapshot_id integer not null references connection_snapshot on delete cascade,
  number      integer not null,
  content     bytea not null,
  primary key (snapshot_id, number)
);
-- The bytes are packed as they are, and read whole: compressing them again would only cost time.
alter table connection_snapshot_part alter column content set storage external;
