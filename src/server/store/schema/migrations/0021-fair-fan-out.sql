-- account_event.pos is from now on a number that the fan-out assigns, in the order of its commits: the events of a subscription that is behind
-- are added later than those of others. This table has the position in the log for each of these numbers.
create table fan_out_event (
  pos     bigint primary key,
  log_pos bigint not null
);
create index on fan_out_event (log_pos);
-- Until now both were the same.
insert into fan_out_event (pos, log_pos)
select pos, pos from event_log where pos <= (select last_pos from event_distribution);

-- The last of these numbers; last_pos remains the position in the log.
alter table event_distribution add column last_fan_out_pos bigint not null default 0;
update event_distribution set last_fan_out_pos = last_pos;

-- The subscriptions that are behind: their events are fanned out up to this position of the log, those of all others up to last_pos.
create table fan_out_backlog (
  subscription_id integer primary key references subscription (id),
  log_pos         bigint not null,
  -- the lowest is next: the last fan-out position at its previous turn
  turn            bigint not null
);
