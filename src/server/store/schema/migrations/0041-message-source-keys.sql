alter table status_message
  drop constraint status_message_pkey,
  add constraint status_message_pkey primary key using index status_message_source;
alter table status_quarantine
  drop constraint status_quarantine_pkey,
  add primary key (id, source);
