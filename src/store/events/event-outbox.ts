import type { EventFacts } from '../../domain/alerts/event-facts.ts';
import { dateOfInstant, type LocalDate } from '../../domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import { factsText } from './event-facts-text.ts';
import { newEventId } from './event-id.ts';
import { takeExclusiveTurn, type TurnTaker } from '../tasks/leader-lease.ts';
import { countVersions, type DeletedFlight, type VersionStep } from './flight-versions.ts';
import { joinTexts } from '../pool/driver/driver.ts';

/** The channel on which sequencers hear that events were committed. */
export const OUTBOX_CHANNEL = 'event_outbox';

/** The channel on which readers hear that the log has grown: the payload is its last position. */
export const EVENTS_CHANNEL = 'events';

/** An event as a change makes it. */
export type NewEvent = {
  /** The schedule instance key of the flight, 64 lower-case hexadecimal digits. */
  readonly flightKey: string;
  /** The flight's number of this event: one more than that of the event before. */
  readonly version: number;
  readonly madeAt: Date;
  readonly facts: EventFacts;
  /** The event with all its changes, as JSON. It is kept byte for byte. */
  readonly body: string;
  /** Of a schedule event that tells that the flight is gone; undefined on all others. */
  readonly deleted?: DeletedFlight | undefined;
};

/** The later of the day on which the flight departs and that on which the event was made: its version is kept for some time after it. */
export const dayOf = ({ facts, madeAt }: Pick<NewEvent, 'facts' | 'madeAt'>): LocalDate => {
  const madeOn = dateOfInstant(madeAt);
  return facts.departureDate > madeOn ? facts.departureDate : madeOn;
};

const stepsOf = (events: readonly NewEvent[]): readonly VersionStep[] => {
  const steps = new Map<string, VersionStep>();
  for (const event of events) {
    const { flightKey: key, version, facts, deleted } = event;
    const day = dayOf(event);
    const before = steps.get(key) ?? { key, from: version - 1, to: version - 1, deleted: 'as-it-is', day };
    if (version !== before.to + 1)
      throw new Error(`version ${version} of the flight ${key} does not follow version ${before.to}`);
    const standing = facts.kind === 'status' ? before.deleted : (deleted ?? 'in-schedule');
    steps.set(key, { ...before, to: version, deleted: standing, day });
  }
  return [...steps.values()];
};

/** How many events are written by one statement: some megabytes of text. */
const WRITTEN_AT_ONCE = 2000;

const addPiece = async (sql: Sql, events: readonly NewEvent[]): Promise<void> => {
  // Numbers are drawn in the order of the events, and after the rows of their flights are locked.
  await sql`
    with added as (
      insert into flight_event (id, kind, flight_key, version, made_at, facts, body)
      select id, kind, decode(flight_key, 'hex'), version, made_at, facts, body
      from unnest(
        ${events.map(({ madeAt }) => newEventId(madeAt))}::uuid[],
        ${events.map(({ facts }) => facts.kind)}::text[],
        string_to_array(${events.map(({ flightKey }) => flightKey).join()}, ','),
        ${events.map(({ version }) => version)}::int[],
        ${events.map(({ madeAt }) => madeAt.toISOString())}::timestamptz[],
        string_to_array(${joinTexts(events.map(({ facts }) => factsText(facts)))}, E'\\x1f'),
        string_to_array(${joinTexts(events.map(({ body }) => body))}, E'\\x1f')
      ) with ordinality as given(id, kind, flight_key, version, made_at, facts, body, place)
      order by place
      returning seq
    )
    insert into event_outbox (seq) select seq from added`;
};

/**
 * Writes events in the transaction of the change that they tell, `sql`, which has counted them with `countNext`. They come into the log
 * after it commits, and not at all when it does not.
 */
export const addCountedEvents = async (sql: Sql, events: readonly NewEvent[]): Promise<void> => {
  if (events.length === 0) return;
  for (let from = 0; from < events.length; from += WRITTEN_AT_ONCE)
    await addPiece(sql, events.slice(from, from + WRITTEN_AT_ONCE));
  await sql`select pg_notify(${OUTBOX_CHANNEL}, '')`;
};

/**
 * Writes events in the transaction of the change that they tell, `sql`, which has locked the versions of their flights; those of one
 * flight in the order of their versions. They come into the log after it commits, and not at all when it does not. Throws when the
 * version of an event is not the next one of its flight.
 */
export const addEvents = async (sql: Sql, events: readonly NewEvent[]): Promise<void> => {
  for (let from = 0; from < events.length; from += WRITTEN_AT_ONCE)
    await countVersions(sql, stepsOf(events.slice(from, from + WRITTEN_AT_ONCE)));
  await addCountedEvents(sql, events);
};

/** What a look into the outbox came to: how many events got a position, the last position of the log; or somebody else is at work. */
export type Sequenced =
  | { readonly kind: 'sequenced'; readonly events: number; readonly last: number }
  | { readonly kind: 'busy' };

export type Sequencing = TurnTaker & {
  /** The most events that are moved at once. */
  readonly limit: number;
  readonly now: Date;
};

/**
 * Moves committed events from the outbox to the end of the log; `sql` must be a transaction. One transaction at a time does so in a
 * database, and others are told that it is busy. A move is there as a whole or not at all.
 */
export const sequenceOutbox = async (sql: Sql, sequencing: Sequencing): Promise<Sequenced> => {
  if (!(await takeExclusiveTurn(sql, { table: 'event_log_end', lock: 13 }, sequencing))) return { kind: 'busy' };
  const { limit, now, worker } = sequencing;
  // A statement of its own: it sees all that whoever had the turn before has committed.
  const [row] = await sql<{ events: number; last: bigint | null }[]>`
    with taken as (
      delete from event_outbox where seq = any(array(select seq from event_outbox order by seq limit ${limit})) returning seq
    ), moved as (
      update event_log_end
      set last_pos = last_pos + (select count(*) from taken), moved_by = ${worker}, moved_at = clock_timestamp()
      where exists (select from taken) returning last_pos
    ), added as (
      insert into event_log (pos, seq, sequenced_at)
      select (select last_pos from moved) - count(*) over () + row_number() over (order by seq), seq, ${now}
      from taken order by seq
      returning 1
    )
    select events, last, case when events > 0 then pg_notify(${EVENTS_CHANNEL}, last::text) end
    from (select (select count(*)::int from added) as events,
      coalesce((select last_pos from moved), (select last_pos from event_log_end)) as last) as log`;
  if (!row || row.last === null) throw new Error('the table event_log_end has lost its row');
  return { kind: 'sequenced', events: row.events, last: Number(row.last) };
};
