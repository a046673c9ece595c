-- With a strict key, every unknown name in a query is an error.
alter table subscription_key add column strict boolean not null default false;
