import type { EventFacts } from '../domain/alerts/event-facts.ts';
import type { Database, Sql } from './database.ts';
import { readFacts } from './event-facts-text.ts';

/** An event of the log. */
export type FlightEvent = {
  /** 1 for the first event ever, and one more for each. */
  readonly position: number;
  /** A UUID, the same for whoever reads the event. */
  readonly id: string;
  /** The schedule instance key of the flight, 64 lower-case hexadecimal digits. */
  readonly flightKey: string;
  /** The flight's number of this event. */
  readonly version: number;
  readonly madeAt: Date;
  readonly sequencedAt: Date;
  /** What alerts choose by. */
  readonly facts: EventFacts;
  /** The event with all its changes, as JSON, byte for byte as it was made. */
  readonly body: string;
};

/** What follows a position. Positions between it and the end of the log that are no longer retained make it `expired`. */
export type EventsAfter =
  | { readonly kind: 'events'; readonly events: readonly FlightEvent[] }
  /** `oldest` is the first position that can still be read. */
  | { readonly kind: 'expired'; readonly oldest: number }
  /** The log has not come as far; `last` is its end. */
  | { readonly kind: 'ahead'; readonly last: number };

type Row = Omit<FlightEvent, 'position' | 'facts'> & {
  readonly position: bigint | null;
  readonly last: bigint | null;
  readonly facts: string;
};

/**
 * The events after a position, in order, `limit` of them at most, 1 or more; 0 is before the first. An answer without events is the
 * end of the log as it is now. The same position gives the same events, whoever asks and whenever, until they are no longer retained.
 */
export const readEvents = async (
  sql: Sql,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<EventsAfter> => {
  // One statement: what it says of the end of the log and of the events is of one moment. The planner knows that `one` is one row,
  // which it does not know of event_log_end: joined to that, each page cost 40 ms of compiling.
  const rows = await sql<Row[]>`
    select (select last_pos from event_log_end) as last, e.*
    from (select) one left join lateral (
      select l.pos as position, e.id, encode(e.flight_key, 'hex') as "flightKey", e.version, e.made_at as "madeAt",
        l.sequenced_at as "sequencedAt", e.facts, e.body
      from (select * from event_log where pos > ${after} order by pos limit ${limit}) l join flight_event e using (seq)
    ) e on true
    order by e.position`;
  const [first] = rows;
  if (!first || first.last === null) throw new Error('the table event_log_end has lost its row');
  const last = Number(first.last);
  if (after > last) return { kind: 'ahead', last };
  if (after === last) return { kind: 'events', events: [] };
  // There are events after this position, so the first of them is the next one unless that is gone.
  const oldest = first.position === null ? last + 1 : Number(first.position);
  if (oldest > after + 1) return { kind: 'expired', oldest };
  return {
    kind: 'events',
    events: rows.map(({ position, last: _, facts, ...event }) => ({
      ...event,
      position: Number(position),
      facts: readFacts(facts),
    })),
  };
};

/** The first position that can still be read; one after the last while there is none. Readers that know nothing begin before it. */
export const oldestPosition = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ oldest: bigint }[]>`
    select coalesce((select min(pos) from event_log), last_pos + 1) as oldest from event_log_end`;
  if (!row) throw new Error('the table event_log_end has lost its row');
  return Number(row.oldest);
};

/** How many events one transaction deletes: some 50 ms. */
const DELETED_AT_ONCE = 10_000;

const pruneOnce = async (db: Database, before: Date, slice: number): Promise<number> => {
  const [row] = await db<{ deleted: number }[]>`
    with oldest as (
      select pos, sequenced_at from event_log order by pos limit ${slice}
    ), gone as (
      delete from event_log using (
        select min(pos) as first, max(pos) as last, min(pos) filter (where sequenced_at >= ${before}) as kept from oldest
      ) as cut
      where pos between cut.first and cut.last and (cut.kept is null or pos < cut.kept)
      returning seq
    ), deleted as (
      delete from flight_event where seq = any(array(select seq from gone)) returning 1
    )
    select count(*)::int as deleted from deleted`;
  return row?.deleted ?? 0;
};

/**
 * Deletes the oldest events, up to the first that came into the log at a moment or later, and answers how many. It works in slices,
 * each in a transaction of its own, so that it holds up nobody; where it is ended it can be called again.
 */
export const pruneEvents = async (db: Database, before: Date, slice = DELETED_AT_ONCE): Promise<number> => {
  let deleted = 0;
  for (;;) {
    const more = await pruneOnce(db, before, slice);
    deleted += more;
    if (more < slice) return deleted;
  }
};
