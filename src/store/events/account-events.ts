import type { EventFacts } from '../../domain/alerts/event-facts.ts';
import type { Sql } from '../pool/database.ts';
import { takeRows } from '../pool/driver/driver.ts';
import { readFacts } from './event-facts-text.ts';

/** The channel on which every process hears that accounts were given events; the payload is empty. */
export const ACCOUNT_EVENTS_CHANNEL = 'account_events';

/** What the alerts of an account that selected an event ask it to carry. */
export type Shows = { readonly changes: boolean; readonly seats: boolean };

/** An event as an account has it: once, however many of its alerts selected it. */
export type AccountEvent = {
  /** In the stream of the account: 1, 2, 3 and so on, without a gap. */
  readonly number: number;
  /** A UUID, the same in every stream and over every channel. */
  readonly id: string;
  /** The schedule instance key of the flight, 64 lower-case hexadecimal digits. */
  readonly flightKey: string;
  readonly madeAt: Date;
  readonly facts: EventFacts;
  /** The oldest of the alerts that selected it, a UUID. */
  readonly alertId: string;
  readonly shows: Shows;
  /** The event with its seats and all its changes, as JSON, byte for byte as it was made. */
  readonly body: string;
};

/** What follows a number of a stream. */
export type AccountEventsAfter =
  | { readonly kind: 'events'; readonly events: readonly AccountEvent[] }
  /** Events after this number are no longer retained; `oldest` is the first number that can still be read. */
  | { readonly kind: 'expired'; readonly oldest: number }
  /** The stream has not come as far; `last` is its end. */
  | { readonly kind: 'ahead'; readonly last: number };

/** `shows` as the store keeps it, and read again. */
export const showsNumber = ({ changes, seats }: Shows): number => (changes ? 1 : 0) + (seats ? 2 : 0);
export const readShows = (kept: number): Shows => ({ changes: (kept & 1) !== 0, seats: (kept & 2) !== 0 });

type Row = Omit<AccountEvent, 'number' | 'facts' | 'shows'> & {
  readonly last: bigint;
  readonly number: bigint | null;
  readonly facts: string;
  readonly shows: number;
};

/**
 * The events of a stream after a number, in order, `limit` of them at most, 1 or more; 0 is before the first. An answer without events
 * is the end of the stream as it is now. The same number gives the same events, whoever asks and whenever, until they are no longer retained.
 */
export const readAccountEvents = async (
  sql: Sql,
  { stream, after, limit }: { readonly stream: number; readonly after: number; readonly limit: number },
): Promise<AccountEventsAfter> => {
  // One statement, so that the end of the stream and its events are of one moment.
  const answer = await sql<Row[]>`
    select coalesce((select last_number from account_stream where stream = ${stream}), 0) as last, e.*
    from (select) one left join lateral (
      select a.number, f.id, encode(f.flight_key, 'hex') as "flightKey", f.made_at as "madeAt", f.facts,
        a.alert_id as "alertId", a.shows, f.body
      from (
        select * from account_event where stream = ${stream} and number > ${after} order by number limit ${limit}
      ) a join flight_event f using (seq)
    ) e on true
    order by e.number`;
  const rows = takeRows(answer);
  const [first] = rows;
  const last = Number(first?.last ?? 0);
  if (after > last) return { kind: 'ahead', last };
  if (!first || after === last) return { kind: 'events', events: [] };
  // There are events after this number, so the first of them is the next one unless that is gone.
  const oldest = first.number === null ? last + 1 : Number(first.number);
  if (oldest > after + 1) return { kind: 'expired', oldest };
  return {
    kind: 'events',
    events: rows.map(({ last: _, number, facts, shows, ...event }) => ({
      ...event,
      number: Number(number),
      facts: readFacts(facts),
      shows: readShows(shows),
    })),
  };
};

/** The ends of a stream: the first number that can still be read, one after the last while there is none, and the last that was given. */
export const endsOfStream = async (
  sql: Sql,
  stream: number,
): Promise<{ readonly oldest: number; readonly last: number }> => {
  const [row] = await sql<{ oldest: bigint | null; last: bigint }[]>`
    select (select min(number) from account_event where stream = ${stream}) as oldest,
      coalesce((select last_number from account_stream where stream = ${stream}), 0) as last`;
  const last = Number(row?.last ?? 0);
  return { oldest: row?.oldest === null || row?.oldest === undefined ? last + 1 : Number(row.oldest), last };
};

/** The last number that was given in each of these streams; a stream without events is not among them. */
export const lastNumbers = async (sql: Sql, streams: readonly number[]): Promise<ReadonlyMap<number, number>> => {
  const rows = await sql<{ stream: number; last: bigint }[]>`
    select stream, last_number as last from account_stream where stream = any(${[...streams]}::int[])`;
  return new Map(rows.map(({ stream, last }) => [stream, Number(last)]));
};

/** An event that an account is given. */
export type GivenEvent = {
  readonly stream: number;
  readonly number: number;
  readonly position: number;
  readonly seq: number;
  readonly alertId: string;
  readonly shows: Shows;
};

/** Gives events to accounts; `sql` must be a transaction, which also moves the ends of the streams. */
export const addAccountEvents = async (sql: Sql, events: readonly GivenEvent[]): Promise<void> => {
  if (events.length === 0) return;
  await sql`
    insert into account_event (stream, number, pos, seq, alert_id, shows)
    select * from unnest(
      ${events.map(({ stream }) => stream)}::int[],
      ${events.map(({ number }) => number)}::bigint[],
      ${events.map(({ position }) => position)}::bigint[],
      ${events.map(({ seq }) => seq)}::bigint[],
      ${events.map(({ alertId }) => alertId)}::uuid[],
      ${events.map(({ shows }) => showsNumber(shows))}::smallint[])`;
};
