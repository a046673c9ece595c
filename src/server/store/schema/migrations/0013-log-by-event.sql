-- From an event to its place in the log, for whoever asks about a single one. A summary of ranges (BRIN) would cost less to write, but it never
-- narrows: once the room of pruned rows is used again, it leads to most of the log.
create index on event_log (seq);
