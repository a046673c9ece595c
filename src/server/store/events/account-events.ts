import type { EventFacts } from '#domain/alerts/event-facts.ts';
import type { Sql } from '../pool/database.ts';
import { takeRows } from '../pool/driver/driver.ts';
import { acquireLeaderLease, type LeaderLease } from '../tasks/leader-lease.ts';
import { decodeEventFacts } from './event-outbox.ts';

/** The channel that notifies every process of new account events; the payload is empty. */
export const ACCOUNT_EVENTS_CHANNEL = 'account_events';

/** Notifies every process, when the transaction `sql` commits, that streams have new events or have ended. */
export const notifyAccountEvents = async (sql: Sql): Promise<void> => {
  await sql`select pg_notify(${ACCOUNT_EVENTS_CHANNEL}, '')`;
};

/** The optional parts of an event that the account's alerts request. */
export type EventParts = { readonly changes: boolean; readonly seats: boolean };

/** An event in the stream of an account: once, however many of its alerts selected it. */
export type AccountEvent = {
  /** The number in the stream of the account: 1, 2, 3 and so on. After a loss of the database they go on later (`checkHistory`). */
  readonly number: number;
  /** A UUID, the same in every stream and over every channel. */
  readonly id: string;
  /** The schedule instance key of the flight, 64 lower-case hexadecimal digits. */
  readonly flightKey: string;
  readonly madeAt: Date;
  readonly facts: EventFacts;
  /** The oldest of the alerts that selected it, a UUID. */
  readonly alertId: string;
  readonly parts: EventParts;
  /** The event with its seats and all its changes: JSON, unchanged since it was created. */
  readonly body: string;
};

/** The events that follow a number of a stream. */
type AccountEventPage =
  | { readonly kind: 'events'; readonly events: readonly AccountEvent[] }
  /** The events directly after this number are no longer retained; `oldest` is the first number that can still be read. */
  | { readonly kind: 'expired'; readonly oldest: number }
  /** The number is beyond the end of the stream, `last`. */
  | { readonly kind: 'ahead'; readonly last: number };

/** Encodes event parts as the bits of the column `shows`: 1 for changes, 2 for seats. */
const encodeEventParts = ({ changes, seats }: EventParts): number => (changes ? 1 : 0) + (seats ? 2 : 0);

/** Decodes the column `shows`. */
export const decodeEventParts = (bits: number): EventParts => ({ changes: (bits & 1) !== 0, seats: (bits & 2) !== 0 });

type AccountEventRow = Omit<AccountEvent, 'number' | 'facts' | 'parts'> & {
  readonly last: bigint;
  readonly number: bigint | null;
  readonly facts: string;
  readonly shows: number;
};

/**
 * Returns up to `limit` (1 or more) events of a stream after a number, in order; 0 is before the first. No events means the current end of
 * the stream. The same number always returns the same events, until they are no longer retained.
 */
export const listAccountEvents = async (
  sql: Sql,
  { stream, after, limit }: { readonly stream: number; readonly after: number; readonly limit: number },
): Promise<AccountEventPage> => {
  // One statement, so that the end of the stream and its events are of one snapshot.
  const result = await sql<AccountEventRow[]>`
    select coalesce((select last_number from account_stream where stream = ${stream}), 0) as last, e.*
    from (select) one left join lateral (
      select a.number, f.id, encode(f.flight_key, 'hex') as "flightKey", f.made_at as "madeAt", f.facts,
        a.alert_id as "alertId", a.shows, f.body
      from (
        select * from account_event where stream = ${stream} and number > ${after} order by number limit ${limit}
      ) a join flight_event f using (seq)
    ) e on true
    order by e.number`;
  const rows = takeRows(result);
  const [first] = rows;
  const last = Number(first?.last ?? 0);
  if (after > last) return { kind: 'ahead', last };
  if (!first || after === last) return { kind: 'events', events: [] };
  // The stream has events after this number: the first row is the next one, unless that was deleted.
  const oldest = first.number === null ? last + 1 : Number(first.number);
  if (oldest > after + 1) return { kind: 'expired', oldest };
  // The page ends where positions were skipped, so that the next one reports it.
  const skipped = rows.findIndex(({ number }, index) => Number(number) !== after + 1 + index);
  return {
    kind: 'events',
    events: (skipped === -1 ? rows : rows.slice(0, skipped)).map(({ last: _, number, facts, shows, ...event }) => ({
      ...event,
      number: Number(number),
      facts: decodeEventFacts(facts),
      parts: decodeEventParts(shows),
    })),
  };
};

/** Returns the first number of a stream that can still be read (one after the last if there is none) and the last number. */
export const readStreamBounds = async (
  sql: Sql,
  stream: number,
): Promise<{ readonly oldest: number; readonly last: number }> => {
  const [row] = await sql<{ oldest: bigint | null; last: bigint }[]>`
    select (select min(number) from account_event where stream = ${stream}) as oldest,
      coalesce((select last_number from account_stream where stream = ${stream}), 0) as last`;
  const last = Number(row?.last ?? 0);
  return { oldest: row?.oldest === null || row?.oldest === undefined ? last + 1 : Number(row.oldest), last };
};

/** Returns the last number of each of these streams, 0 for one without events; that of a deleted account is left out. */
export const listLastNumbers = async (sql: Sql, streams: readonly number[]): Promise<ReadonlyMap<number, number>> => {
  const rows = await sql<{ stream: number; last: bigint }[]>`
    select a.stream, coalesce(s.last_number, 0) as last from alert_account a left join account_stream s using (stream)
    where a.stream = any(${[...streams]}::int[])`;
  return new Map(rows.map(({ stream, last }) => [stream, Number(last)]));
};

/** An event to be added to the stream of an account. */
type NewAccountEvent = {
  readonly stream: number;
  readonly number: number;
  /** A number that the fan-out assigns to each event that it adds, in the order of its commits. */
  readonly position: number;
  readonly seq: number;
  readonly alertId: string;
  readonly parts: EventParts;
};

/** Inserts account events; `sql` must be a transaction, which also moves the ends of the streams. */
export const insertAccountEvents = async (sql: Sql, events: readonly NewAccountEvent[]): Promise<void> => {
  if (events.length === 0) return;
  await sql`
    insert into account_event (stream, number, pos, seq, alert_id, shows)
    select * from unnest(
      ${events.map(({ stream }) => stream)}::int[],
      ${events.map(({ number }) => number)}::bigint[],
      ${events.map(({ position }) => position)}::bigint[],
      ${events.map(({ seq }) => seq)}::bigint[],
      ${events.map(({ alertId }) => alertId)}::uuid[],
      ${events.map(({ parts }) => encodeEventParts(parts))}::smallint[])`;
};

/** Acquires the lease to fan out events for a transaction, `sql`; false while another process has it. */
export const acquireFanOutLease = (sql: Sql, lease: LeaderLease): Promise<boolean> =>
  acquireLeaderLease(sql, { table: 'event_distribution', lock: 14 }, lease);

/** An event of the log that is not in the streams of accounts yet. */
export type PendingEvent = { readonly position: number; readonly seq: number; readonly facts: EventFacts };

export type PendingEvents =
  | { readonly kind: 'events'; readonly events: readonly PendingEvent[] }
  /** Events were deleted before the fan-out: those after one position and before another. */
  | { readonly kind: 'lost'; readonly after: number; readonly oldest: number };

type FanOutRow = {
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
  const rows = await sql<FanOutRow[]>`
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
  if (after > last)
    throw new Error(`events up to ${after} were fanned out to accounts, but the event log ends at ${last}`);
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

/** An account event whose number in the stream is assigned by `fanOutEvents`; `position` is that of the event in the log. */
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

type FanOut = {
  readonly events: readonly UnnumberedEvent[];
  /** The position of the log up to which events were fanned out; undefined for a backlog, which has a position of its own. */
  readonly upTo: number | undefined;
  readonly worker: string;
};

const advanceFanOut = async (sql: Sql, { events, upTo, worker }: FanOut, lastFanOut?: number): Promise<void> => {
  await sql`
    with moved as (
      update event_distribution set last_pos = coalesce(${upTo ?? null}::bigint, last_pos), last_fan_out_pos = coalesce(${lastFanOut ?? null}::bigint, last_fan_out_pos),
        moved_by = ${worker}, moved_at = clock_timestamp()
      returning 1
    )
    select case when ${events.length > 0} then pg_notify(${ACCOUNT_EVENTS_CHANNEL}, '') end from moved`;
};

/**
 * Returns the last number that was assigned as the position of an account event; `sql` must hold the lease. Servers of a version before the
 * migration 0021 do not count.
 */
const getLastFanOutPosition = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ last: bigint }[]>`
    select greatest(last_fan_out_pos, (select max(pos) from account_event)) as last from event_distribution`;
  return Number(row?.last ?? 0);
};

const insertFanOutPositions = async (sql: Sql, last: number, logPositions: readonly number[]): Promise<void> => {
  await sql`
    insert into fan_out_event (pos, log_pos)
    select ${last} + place, log_pos from unnest(${[...logPositions]}::bigint[]) with ordinality as added (log_pos, place)`;
};

/**
 * Adds events, in the order of the log, to the streams of accounts. `sql` is the transaction that read them; readers are notified when it
 * commits.
 */
export const fanOutEvents = async (sql: Sql, fanOut: FanOut): Promise<void> => {
  const { events } = fanOut;
  if (events.length === 0) return advanceFanOut(sql, fanOut);
  const [lasts, last] = await Promise.all([advanceStreams(sql, events), getLastFanOutPosition(sql)]);
  const logPositions = [...new Set(events.map(({ position }) => position))];
  const places = new Map(logPositions.map((position, index) => [position, last + 1 + index]));
  const accountEvents = numberEvents(events, lasts).map((event) => ({
    ...event,
    position: places.get(event.position) ?? 0,
  }));
  await Promise.all([
    insertAccountEvents(sql, accountEvents),
    insertFanOutPositions(sql, last, logPositions),
    advanceFanOut(sql, fanOut, last + logPositions.length),
  ]);
};
