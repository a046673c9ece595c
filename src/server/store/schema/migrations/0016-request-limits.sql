-- How much a subscription may ask. Null means the default of the server, 0 that there is no limit.
alter table subscription
  add column per_minute integer check (per_minute >= 0),
  add column per_month  bigint check (per_month >= 0),
  add column at_once    integer check (at_once >= 0);

-- What servers have taken of the minutes and months (UTC) of a subscription: each takes some requests at a time and hands them out itself.
-- Every window has a row of its own, so that a clock that is set back finds what was taken. Minutes go after two hours; months stay, and
-- tell what was asked for.
create table request_window (
  subscription_id integer not null references subscription on delete cascade,
  kind            text not null check (kind in ('minute', 'month')),
  starts_at       timestamptz not null,
  -- the limit by which was granted last, how many requests have been taken, and how many of them by whoever took some last
  most            bigint not null,
  taken           bigint not null,
  granted         bigint not null,
  primary key (subscription_id, kind, starts_at)
) with (fillfactor = 50);

-- How many of the requests left whoever wants some gets: a part of them, down to one, so that several servers share a window to its end. What a
-- server took and did not hand out is lost to the window, which of a month is worse than of a minute.
create function request_share(kind text, remaining bigint, wanted bigint) returns bigint
language sql immutable parallel safe
return greatest(0, least(remaining, wanted, greatest(1, remaining / case kind when 'month' then 64 else 8 end)));
