-- The erasure of an account deletes the stored responses to its requests, and the attempts of endpoints that were deleted before it.
alter table idempotency_key
  -- the account that the request created or changed; null only for a moment, and in rows of servers of an earlier version
  add column account_id uuid;
update idempotency_key set account_id = coalesce(
  (answer::json ->> 'accountId')::uuid,
  (select account_id from alert where id = (answer::json ->> 'data')::uuid),
  (select account_id from push_endpoint where id = (answer::json ->> 'endpointId')::uuid));
-- Their alert, endpoint or account was deleted.
delete from idempotency_key k where not exists (select from alert_account a where a.id = k.account_id);
create index idempotency_key_account on idempotency_key (account_id);
-- From now on they are deleted with their endpoint.
delete from push_attempt a where not exists (select from push_endpoint e where e.id = a.endpoint_id);
