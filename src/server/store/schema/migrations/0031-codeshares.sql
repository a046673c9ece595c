-- The marketing flights that only the operating flight names (SSIM data element 10). They are stored with the row of the operating flight, and
-- are shown unless the partner files them.
alter table flight_instance
  -- a list: see Codeshare in src/store/flights/codeshares.ts
  add column codeshares      jsonb,
  -- what they are searched by: numbers of carriers, with and without flight number, and the orders of their keys
  add column codeshare_terms bigint[];
-- Carriers with codeshares: searches of others need not look for them.
alter table in_use drop constraint in_use_noun_check;
alter table in_use add constraint in_use_noun_check check (noun in ('carrier', 'location', 'codeshare carrier'));
create index flight_instance_codeshare on flight_instance using gin (codeshare_terms) where codeshare_terms is not null;
