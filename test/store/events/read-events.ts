import type { EventFacts } from '../../../src/domain/alerts/event-facts.ts';
import type { Sql } from '../../../src/store/pool/database.ts';
import { decodeEventFacts } from '../../../src/store/events/event-facts-json.ts';

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
      facts: decodeEventFacts(facts),
    })),
  };
};
