-- Migration 0052 makes this index the primary key: its exclusive lock is then short.
create unique index status_message_sender on status_message (departs_on, status_order, id, source, sender);
