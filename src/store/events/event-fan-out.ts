import type { EventFacts } from '../../domain/alerts/event-facts.ts';
import { ACCOUNT_EVENTS_CHANNEL, insertAccountEvents, type NewAccountEvent } from './account-events.ts';
import type { Sql } from '../pool/database.ts';
import { decodeEventFacts } from './event-facts-json.ts';
import { acquireLeaderLease, type LeaderLease } from '../tasks/leader-lease.ts';

/** Acquires the lease to fan out events for a transaction, `sql`; false while another process has it. */
export const acquireFanOutLease = (sql: Sql, lease: LeaderLease): Promise<boolean> =>
  acquireLeaderLease(sql, { table: 'event_distribution', lock: 14 }, lease);

/** An event of the log that is not in the streams of accounts yet. */
export type PendingEvent = { readonly position: number; readonly seq: number; readonly facts: EventFacts };

export type PendingEvents =
  | { readonly kind: 'events'; readonly events: readonly PendingEvent[] }
  /** Events were deleted before the fan-out: those after one position and before another. */
  | { readonly kind: 'lost'; readonly after: number; readonly oldest: number };

type Row = {
  readonly after: bigint | null;
  readonly last: bigint | null;
  readonly position: bigint | null;
  readonly seq: bigint | null;
  readonly facts: string | null;
};

/**
 * Returns the next events to fan out, in the order of the log. Call it after `acquireFanOutLease`: as a separate statement it sees what the
 * previous holder of the lease committed.
 */
export const listPendingEvents = async (sql: Sql, limit: number): Promise<PendingEvents> => {
  const rows = await sql<Row[]>`
    select (select last_pos from event_distribution) as after, (select last_pos from event_log_end) as last, e.*
    from (select) one left join lateral (
      select l.pos as position, l.seq, f.facts
      from (
        select pos, seq from event_log where pos > (select last_pos from event_distribution) order by pos limit ${limit}
      ) l join flight_event f using (seq)
    ) e on true
    order by e.position`;
  const [first] = rows;
  if (!first || first.after === null || first.last === null)
    throw new Error('the table event_distribution or event_log_end has lost its row');
  const after = Number(first.after);
  const last = Number(first.last);
  if (after > last) throw new Error(`accounts were given events up to ${after}, and the log ends at ${last}`);
  if (after === last) return { kind: 'events', events: [] };
  const oldest = first.position === null ? last + 1 : Number(first.position);
  if (oldest > after + 1) return { kind: 'lost', after, oldest };
  const events = rows.map(({ position, seq, facts }) => ({
    position: Number(position),
    seq: Number(seq),
    facts: decodeEventFacts(facts ?? ''),
  }));
  return { kind: 'events', events };
};

/** An account event whose number in the stream is assigned by `fanOutEvents`. */
export type UnnumberedEvent = Omit<NewAccountEvent, 'number'>;

/** Advances the end of each stream and returns where it was. Locks the rows in the order of streams, to avoid deadlocks. */
const advanceStreams = async (sql: Sql, events: readonly UnnumberedEvent[]): Promise<Map<number, number>> => {
  const counts = new Map<number, number>();
  for (const { stream } of events) counts.set(stream, (counts.get(stream) ?? 0) + 1);
  const streams = [...counts.keys()].toSorted((a, b) => a - b);
  const rows = await sql<{ stream: number; last: bigint }[]>`
    insert into account_stream as s (stream, last_number)
    select * from unnest(${streams}::int[], ${streams.map((stream) => counts.get(stream) ?? 0)}::bigint[])
    on conflict (stream) do update set last_number = s.last_number + excluded.last_number
    returning stream, last_number as last`;
  return new Map(rows.map(({ stream, last }) => [stream, Number(last) - (counts.get(stream) ?? 0)]));
};

/** Numbers the events of each stream in their order, and groups them by stream. */
const numberEvents = (events: readonly UnnumberedEvent[], lasts: Map<number, number>): readonly NewAccountEvent[] =>
  events
    .map((event) => {
      const number = (lasts.get(event.stream) ?? 0) + 1;
      lasts.set(event.stream, number);
      return { ...event, number };
    })
    .toSorted((a, b) => a.stream - b.stream);

type FanOut = { readonly events: readonly UnnumberedEvent[]; readonly upTo: number; readonly worker: string };

const advanceFanOut = async (sql: Sql, { events, upTo, worker }: FanOut): Promise<void> => {
  await sql`
    with moved as (
      update event_distribution set last_pos = ${upTo}, moved_by = ${worker}, moved_at = clock_timestamp() returning 1
    )
    select case when ${events.length > 0} then pg_notify(${ACCOUNT_EVENTS_CHANNEL}, '') end from moved`;
};

/**
 * Adds the events up to a position of the log to the streams of accounts, in the order of the log. `sql` is the transaction that read them;
 * readers are notified when it commits.
 */
export const fanOutEvents = async (sql: Sql, fanOut: FanOut): Promise<void> => {
  const { events } = fanOut;
  if (events.length === 0) return advanceFanOut(sql, fanOut);
  const accountEvents = numberEvents(events, await advanceStreams(sql, events));
  await Promise.all([insertAccountEvents(sql, accountEvents), advanceFanOut(sql, fanOut)]);
};
