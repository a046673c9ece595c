import type { EventFacts } from '../../domain/alerts/event-facts.ts';
import { ACCOUNT_EVENTS_CHANNEL, addAccountEvents, type GivenEvent } from './account-events.ts';
import type { Sql } from '../pool/database.ts';
import { readFacts } from './event-facts-text.ts';
import { takeExclusiveTurn, type TurnTaker } from '../tasks/leader-lease.ts';

/** Whether `sql`, a transaction, may give events to accounts; nobody else may until it ends. */
export const takeDistribution = (sql: Sql, taker: TurnTaker): Promise<boolean> =>
  takeExclusiveTurn(sql, { table: 'event_distribution', lock: 14 }, taker);

/** An event of the log that accounts were not given yet. */
export type WaitingEvent = { readonly position: number; readonly seq: number; readonly facts: EventFacts };

export type WaitingEvents =
  | { readonly kind: 'events'; readonly events: readonly WaitingEvent[] }
  /** Events were deleted before they were given: those after one position and before another. */
  | { readonly kind: 'lost'; readonly after: number; readonly oldest: number };

type Row = {
  readonly after: bigint | null;
  readonly last: bigint | null;
  readonly position: bigint | null;
  readonly seq: bigint | null;
  readonly facts: string | null;
};

/**
 * The next events that accounts are to be given, in the order of the log. It is asked after `takeDistribution`, by a statement of its
 * own: so it sees what whoever had the turn before has committed.
 */
export const readWaiting = async (sql: Sql, limit: number): Promise<WaitingEvents> => {
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
    facts: readFacts(facts ?? ''),
  }));
  return { kind: 'events', events };
};

/** An event that an account is to be given: its number in the stream is found by whoever gives it. */
export type Gift = Omit<GivenEvent, 'number'>;

/** Moves the end of each stream, and answers where it was. Rows are locked in the order of streams. */
const moveStreams = async (sql: Sql, gifts: readonly Gift[]): Promise<Map<number, number>> => {
  const counts = new Map<number, number>();
  for (const { stream } of gifts) counts.set(stream, (counts.get(stream) ?? 0) + 1);
  const streams = [...counts.keys()].toSorted((a, b) => a - b);
  const moved = await sql<{ stream: number; last: bigint }[]>`
    insert into account_stream as s (stream, last_number)
    select * from unnest(${streams}::int[], ${streams.map((stream) => counts.get(stream) ?? 0)}::bigint[])
    on conflict (stream) do update set last_number = s.last_number + excluded.last_number
    returning stream, last_number as last`;
  return new Map(moved.map(({ stream, last }) => [stream, Number(last) - (counts.get(stream) ?? 0)]));
};

/** Numbers what each stream is given in the order in which it is named; what is given to one stream stands together. */
const numbered = (gifts: readonly Gift[], lasts: Map<number, number>): readonly GivenEvent[] =>
  gifts
    .map((gift) => {
      const number = (lasts.get(gift.stream) ?? 0) + 1;
      lasts.set(gift.stream, number);
      return { ...gift, number };
    })
    .toSorted((a, b) => a.stream - b.stream);

type Giving = { readonly gifts: readonly Gift[]; readonly upTo: number; readonly worker: string };

const moveDistribution = async (sql: Sql, { gifts, upTo, worker }: Giving): Promise<void> => {
  await sql`
    with moved as (
      update event_distribution set last_pos = ${upTo}, moved_by = ${worker}, moved_at = clock_timestamp() returning 1
    )
    select case when ${gifts.length > 0} then pg_notify(${ACCOUNT_EVENTS_CHANNEL}, '') end from moved`;
};

/**
 * Gives accounts the events up to a position: those of each account in the order in which they are named, which is that of the log.
 * `sql` is the transaction that read them. Readers hear of it once it commits.
 */
export const giveEvents = async (sql: Sql, giving: Giving): Promise<void> => {
  const { gifts } = giving;
  if (gifts.length === 0) return moveDistribution(sql, giving);
  const given = numbered(gifts, await moveStreams(sql, gifts));
  await Promise.all([addAccountEvents(sql, given), moveDistribution(sql, giving)]);
};
