alter table status_message
  drop constraint status_message_pkey,
  add constraint status_message_pkey primary key using index status_message_sender;
