import type { EventFacts } from '../../../src/domain/alerts/event-facts.ts';
import type { Sql } from '../../../src/store/pool/database.ts';
import { decodeEventFacts } from '../../../src/store/events/event-outbox.ts';

/** An event of the log. */
export type FlightEvent = {
  /** 1 for the first event ever, and one more for each. */
  readonly position: number;
  /** A UUID. */
  readonly id: string;
  /** The schedule instance key of the flight, 64 lower-case hexadecimal digits. */
  readonly flightKey: string;
  /** The number of this event of the flight. */
  readonly version: number;
  readonly madeAt: Date;
  readonly sequencedAt: Date;
  /** The facts by which alerts select events. */
  readonly facts: EventFacts;
  /** The event with all its changes: JSON, unchanged since it was created. */
  readonly body: string;
};

/** The events that follow a position; `expired` when the next position is no longer retained. */
export type EventLogPage =
  | { readonly kind: 'events'; readonly events: readonly FlightEvent[] }
  /** `oldest` is the first position that can still be read. */
  | { readonly kind: 'expired'; readonly oldest: number }
  /** The position is beyond the end of the log, `last`. */
  | { readonly kind: 'ahead'; readonly last: number };

type Row = Omit<FlightEvent, 'position' | 'facts'> & {
  readonly position: bigint | null;
  readonly last: bigint | null;
  readonly facts: string;
};

/**
 * Returns up to `limit` (1 or more) events after a position, in order; 0 is before the first. No events means the current end of the log. The
 * same position always returns the same events, until they are no longer retained.
 */
export const listEvents = async (
  sql: Sql,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<EventLogPage> => {
  // One statement: the end of the log and the events are of one snapshot. The planner knows that `one` is a single row; joined to
  // event_log_end, each page cost 40 ms of JIT compilation.
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
  // The log has events after this position: the first row is the next one, unless that was deleted.
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
