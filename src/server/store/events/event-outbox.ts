import { randomBytes } from 'node:crypto';
import type { StatusChangeKind } from '#domain/alerts/alert.ts';
import type { EventFacts, ScheduleEventFacts, StatusEventFacts } from '#domain/alerts/event-facts.ts';
import { type LocalDate, toUtcDate } from '#domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import { joinTexts } from '../pool/driver/driver.ts';
import { acquireLeaderLease, type LeaderLease } from '../tasks/leader-lease.ts';
import { type DeletedFlight, updateVersions, type VersionUpdate } from './flight-versions.ts';

/** Event facts as JSON, in which a list takes the place of a set. */
type EventFactsJson =
  | ScheduleEventFacts
  | (Omit<StatusEventFacts, 'changed'> & { readonly changed: readonly StatusChangeKind[] });

/** Encodes the facts by which alerts select an event, as JSON. */
export const encodeEventFacts = (facts: EventFacts): string =>
  JSON.stringify(facts.kind === 'schedule' ? facts : { ...facts, changed: [...facts.changed] });

/** Decodes what `encodeEventFacts` wrote. */
export const decodeEventFacts = (text: string): EventFacts => {
  const stored: EventFactsJson = JSON.parse(text);
  if (stored.kind === 'schedule') return stored;
  return {
    ...stored,
    changed: new Set(stored.changed),
    // JSON omits undefined members.
    outGateVariationMinutes: stored.outGateVariationMinutes,
    inGateVariationMinutes: stored.inGateVariationMinutes,
  };
};

/** Creates a UUID of version 7 (RFC 9562): it starts with the time in milliseconds, so that later ones sort later. */
export const createEventId = (madeAt: Date): string => {
  const time = madeAt.getTime().toString(16).padStart(12, '0');
  const random = randomBytes(10);
  // The variant: bits 10 at the start of the second half.
  random.writeUInt8((random.readUInt8(2) & 0x3f) | 0x80, 2);
  const hex = random.toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-${hex.slice(4, 8)}-${hex.slice(8)}`;
};

/** The channel that notifies sequencers of committed events. */
export const OUTBOX_CHANNEL = 'event_outbox';

/** The channel that notifies readers of new events in the log; the payload is its last position. */
export const EVENTS_CHANNEL = 'events';

/** An event that is written in the transaction of its change. */
export type NewEvent = {
  /** The schedule instance key of the flight, 64 lower-case hexadecimal digits. */
  readonly flightKey: string;
  /** The number of this event of the flight: one more than that of the event before. */
  readonly version: number;
  readonly madeAt: Date;
  readonly facts: EventFacts;
  /** The event with all its changes, as JSON; it is stored unchanged. */
  readonly body: string;
  /** Set on a schedule event that reports the deletion of the flight. */
  readonly deleted?: DeletedFlight | undefined;
};

/** Returns the day from which the retention of the flight's version counts: the day of departure or that of the event, whichever is later. */
export const computeRetentionDay = ({ facts, madeAt }: Pick<NewEvent, 'facts' | 'madeAt'>): LocalDate => {
  const createdOn = toUtcDate(madeAt);
  return facts.departureDate > createdOn ? facts.departureDate : createdOn;
};

const toVersionUpdates = (events: readonly NewEvent[]): readonly VersionUpdate[] => {
  const updates = new Map<string, VersionUpdate>();
  for (const event of events) {
    const { flightKey, version, facts, deleted } = event;
    const day = computeRetentionDay(event);
    const before = updates.get(flightKey) ?? {
      key: flightKey,
      from: version - 1,
      to: version - 1,
      deleted: 'as-it-is',
      day,
    };
    if (version !== before.to + 1)
      throw new Error(`version ${version} of the flight ${flightKey} does not follow version ${before.to}`);
    const deletedAfter = facts.kind === 'status' ? before.deleted : (deleted ?? 'in-schedule');
    updates.set(flightKey, { ...before, to: version, deleted: deletedAfter, day });
  }
  return [...updates.values()];
};

/** Events in one insert: some megabytes of text. */
const INSERT_BATCH = 2000;

const insertBatch = async (sql: Sql, events: readonly NewEvent[]): Promise<void> => {
  // The sequence assigns numbers in the order of the events, after the rows of their flights have been locked.
  await sql`
    with added as (
      insert into flight_event (id, kind, flight_key, version, made_at, facts, body)
      select id, kind, decode(flight_key, 'hex'), version, made_at, facts, body
      from unnest(
        ${events.map(({ madeAt }) => createEventId(madeAt))}::uuid[],
        ${events.map(({ facts }) => facts.kind)}::text[],
        string_to_array(${events.map(({ flightKey }) => flightKey).join()}, ','),
        ${events.map(({ version }) => version)}::int[],
        ${events.map(({ madeAt }) => madeAt.toISOString())}::timestamptz[],
        string_to_array(${joinTexts(events.map(({ facts }) => encodeEventFacts(facts)))}, E'\\x1f'),
        string_to_array(${joinTexts(events.map(({ body }) => body))}, E'\\x1f')
      ) with ordinality as given(id, kind, flight_key, version, made_at, facts, body, place)
      order by place
      returning seq
    )
    insert into event_outbox (seq) select seq from added`;
};

/**
 * Inserts events in the transaction of their change, `sql`, which has counted them with `incrementVersions`. They are sequenced into the log
 * after the commit.
 */
export const insertCountedEvents = async (sql: Sql, events: readonly NewEvent[]): Promise<void> => {
  if (events.length === 0) return;
  const batches = Array.from({ length: Math.ceil(events.length / INSERT_BATCH) }, (_, index) =>
    events.slice(index * INSERT_BATCH, (index + 1) * INSERT_BATCH),
  );
  // Sent one after the other over the connection of the transaction, without waiting for each response.
  await Promise.all([...batches.map((batch) => insertBatch(sql, batch)), sql`select pg_notify(${OUTBOX_CHANNEL}, '')`]);
};

/**
 * Inserts events in the transaction of their change, `sql`, which has locked the versions of their flights; those of one flight in the order of
 * their versions. They are sequenced into the log after the commit. Throws when the version of an event is not the next one of its flight.
 */
export const insertEvents = async (sql: Sql, events: readonly NewEvent[]): Promise<void> => {
  for (let from = 0; from < events.length; from += INSERT_BATCH)
    await updateVersions(sql, toVersionUpdates(events.slice(from, from + INSERT_BATCH)));
  await insertCountedEvents(sql, events);
};

/** The result of sequencing: the number of events that got a position, and the last position of the log; busy while another process sequences. */
export type SequenceResult =
  | { readonly kind: 'sequenced'; readonly events: number; readonly last: number }
  | { readonly kind: 'busy' };

export type SequenceOptions = LeaderLease & {
  /** The events to move, by their numbers (`listOutbox`). */
  readonly seqs: readonly number[];
  readonly now: Date;
};

/** Lists the numbers of the first committed events of the outbox without those of `known`. */
export const listOutbox = async (
  sql: Sql,
  { known, limit }: { readonly known: readonly number[]; readonly limit: number },
): Promise<readonly number[]> => {
  const rows = await sql<{ seq: bigint }[]>`
    select seq from event_outbox where seq <> all(${known}::bigint[]) order by seq limit ${limit}`;
  return rows.map(({ seq }) => Number(seq));
};

/**
 * Moves committed events from the outbox to the end of the log; `sql` must be a transaction. One transaction at a time does so in a
 * database; others return `busy`.
 */
export const sequenceOutbox = async (sql: Sql, options: SequenceOptions): Promise<SequenceResult> => {
  if (!(await acquireLeaderLease(sql, { table: 'event_log_end', lock: 13 }, options))) return { kind: 'busy' };
  const { seqs, now, worker } = options;
  // A separate statement, which sees what the previous holder of the lease committed.
  const [row] = await sql<{ events: number; last: bigint | null }[]>`
    with taken as (
      delete from event_outbox where seq = any(${seqs}::bigint[]) returning seq
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
