-- Whether later events of a flight wait for its failed one.
alter table push_endpoint add column ordering text not null default 'none' check (ordering in ('none', 'flight'));
