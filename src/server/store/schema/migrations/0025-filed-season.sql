-- The period of the last schedule file of each designator: a message with an open end means the end of it.
create table filed_season (
  designator text primary key,
  from_date  date not null,
  to_date    date not null
);
insert into filed_season (designator, from_date, to_date)
  select designator, min(from_date), max(to_date) from itinerary where retired_by is null and amendment_id is null group by designator;
