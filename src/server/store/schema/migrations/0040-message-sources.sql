-- A message ID is unique only at its source. Migration 0041 makes this index the primary key: its exclusive lock is then short.
create unique index status_message_source on status_message (departs_on, status_order, id, source);
