import type { EventFacts } from '../../domain/alerts/event-facts.ts';
import type { Sql } from '../pool/database.ts';
import { takeRows } from '../pool/driver/driver.ts';
import { decodeEventFacts } from './event-facts-json.ts';

/** The channel that notifies every process of new account events; the payload is empty. */
export const ACCOUNT_EVENTS_CHANNEL = 'account_events';

/** The optional parts of an event that the account's alerts request. */
export type EventParts = { readonly changes: boolean; readonly seats: boolean };

/** An event in the stream of an account: once, however many of its alerts selected it. */
export type AccountEvent = {
  /** The number in the stream of the account: 1, 2, 3 and so on, without gaps. */
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
export type AccountEventPage =
  | { readonly kind: 'events'; readonly events: readonly AccountEvent[] }
  /** The events directly after this number are no longer retained; `oldest` is the first number that can still be read. */
  | { readonly kind: 'expired'; readonly oldest: number }
  /** The number is beyond the end of the stream, `last`. */
  | { readonly kind: 'ahead'; readonly last: number };

/** Encodes event parts as the bits of the column `shows`: 1 for changes, 2 for seats. */
export const encodeEventParts = ({ changes, seats }: EventParts): number => (changes ? 1 : 0) + (seats ? 2 : 0);

/** Decodes the column `shows`. */
export const decodeEventParts = (bits: number): EventParts => ({ changes: (bits & 1) !== 0, seats: (bits & 2) !== 0 });

type Row = Omit<AccountEvent, 'number' | 'facts' | 'parts'> & {
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
  const result = await sql<Row[]>`
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
  return {
    kind: 'events',
    events: rows.map(({ last: _, number, facts, shows, ...event }) => ({
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

/** Returns the last number of each of these streams; a stream without events is left out. */
export const listLastNumbers = async (sql: Sql, streams: readonly number[]): Promise<ReadonlyMap<number, number>> => {
  const rows = await sql<{ stream: number; last: bigint }[]>`
    select stream, last_number as last from account_stream where stream = any(${[...streams]}::int[])`;
  return new Map(rows.map(({ stream, last }) => [stream, Number(last)]));
};

/** An event to be added to the stream of an account. */
export type NewAccountEvent = {
  readonly stream: number;
  readonly number: number;
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
