-- The position of each codeshare in lists, by carrier: all codeshares of a carrier over many days are counted and paged by it, without their
-- rows. Written with the rows of the operating flights.
create table flight_codeshare (
  departs_at      timestamp not null,
  -- the order of its key
  key_order       bigint    not null,
  carrier         integer   not null,
  -- the order of the key of its operating flight, which departs at the same time
  operating_order bigint    not null
);
insert into flight_codeshare (departs_at, key_order, carrier, operating_order)
select i.departs_at, (c.codeshare ->> 'order')::bigint, (c.codeshare ->> 'carrierId')::integer, i.key_order
from flight_instance i cross join lateral jsonb_array_elements(i.codeshares) as c(codeshare)
-- Without such carriers no instance is read.
where exists (select from in_use where noun = 'codeshare carrier')
order by i.departs_at;
create index flight_codeshare_carrier on flight_codeshare (carrier, departs_at, key_order);
-- to delete those of a day: days are inserted one after the other
create index flight_codeshare_day on flight_codeshare using brin (departs_at) with (autosummarize = on);
