-- Deliveries check whether a subscription still has a valid key.
create index subscription_key_subscription_idx on subscription_key (subscription_id);

-- Accounts whose events are not published to the hub because their subscription has no valid key, and the number of the last event in their
-- stream that was. The events after it are published when it has a key again.
create table hub_hold (
  stream integer primary key,
  number bigint not null
);
