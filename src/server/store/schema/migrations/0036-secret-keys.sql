-- The data key with which the secrets of this store are encrypted, itself encrypted with each key of the operator that opens it. Without a row
-- the secrets are not encrypted.
create table secret_key (
  -- eight hexadecimal digits of the key of the operator
  key_id text primary key,
  wrapped bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
