import type { EventFacts } from '../../domain/alerts/event-facts.ts';
import type { Database, Sql } from '../pool/database.ts';
import { deleteBatches, type DeleteBatchesOptions } from '../tasks/delete-batches.ts';
import { decodeEventFacts } from './event-outbox.ts';

/** An event and its place in the stream of an account. */
type StreamEvent = {
  readonly id: string;
  readonly facts: EventFacts;
  /** The number of the event in the stream, and the alert that selected it; undefined when the stream does not contain the event. */
  readonly delivered: { readonly number: number; readonly alertId: string } | undefined;
};

type StreamEventRow = {
  readonly id: string;
  readonly facts: string;
  readonly number: bigint | null;
  readonly alertId: string | null;
};

/** Finds an event by its UUID, with its place in a stream; undefined when it does not exist or is no longer retained. */
export const findStreamEvent = async (sql: Sql, id: string, stream: number): Promise<StreamEvent | undefined> => {
  const [row] = await sql<StreamEventRow[]>`
    select f.id, f.facts, a.number, a.alert_id as "alertId"
    from flight_event f
      left join event_log l on l.seq = f.seq
      left join account_event a on a.pos = l.pos and a.stream = ${stream}
    where f.id = ${id}`;
  if (!row) return undefined;
  const { number, alertId } = row;
  return {
    id: row.id,
    facts: decodeEventFacts(row.facts),
    delivered: number === null || alertId === null ? undefined : { number: Number(number), alertId },
  };
};

/** Returns the last position that may be deleted: all up to it were sequenced before a point in time and have been fanned out. */
const findLastPrunable = async (db: Database, before: Date): Promise<number> => {
  const [row] = await db<{ last: bigint }[]>`
    select least(
      coalesce((select pos from event_log where sequenced_at >= ${before} order by pos limit 1) - 1, e.last_pos), d.last_pos
    ) as last
    from event_log_end e cross join event_distribution d`;
  if (!row) throw new Error('the table event_log_end or event_distribution has lost its row');
  return Number(row.last);
};

type PruneBatch = { readonly last: number; readonly batchSize: number };

/** Deletes account events of the oldest positions, in the order of positions, so that streams lose nothing but their beginnings. */
const pruneAccountEvents = async (db: Database, { last, batchSize }: PruneBatch): Promise<number> => {
  const [row] = await db<{ found: number }[]>`
    with oldest as (
      select pos from account_event where pos <= ${last} order by pos limit ${batchSize}
    ), gone as (
      delete from account_event where pos between (select min(pos) from oldest) and (select max(pos) from oldest)
    )
    select count(*)::int as found from oldest`;
  return row?.found ?? 0;
};

type PruneBatchResult = { readonly found: number; readonly deleted: number };

/** Deletes a batch of the log. Of two processes that prune at the same time, one finds many rows and deletes few, but is not done. */
const pruneLog = async (db: Database, { last, batchSize }: PruneBatch): Promise<PruneBatchResult> => {
  const [row] = await db<PruneBatchResult[]>`
    with oldest as (
      select pos from event_log where pos <= ${last} order by pos limit ${batchSize}
    ), gone as (
      delete from event_log where pos between (select min(pos) from oldest) and (select max(pos) from oldest) returning seq
    ), deleted as (
      delete from flight_event where seq = any(array(select seq from gone)) returning 1
    )
    select (select count(*)::int from oldest) as found, (select count(*)::int from deleted) as deleted`;
  return row ?? { found: 0, deleted: 0 };
};

/**
 * Deletes the events that were sequenced before a point in time and have been fanned out, oldest first; returns their number. Account events
 * are deleted first, so that no stream refers to a deleted event. It can be aborted and repeated, and run in several processes.
 */
export const pruneEventLog = async (
  db: Database,
  before: Date,
  options: DeleteBatchesOptions = {},
): Promise<number> => {
  const last = await findLastPrunable(db, before);
  await deleteBatches((batchSize) => pruneAccountEvents(db, { last, batchSize }), options);
  let deleted = 0;
  const pruneBatch = async (batchSize: number): Promise<number> => {
    const result = await pruneLog(db, { last, batchSize });
    deleted += result.deleted;
    return result.found;
  };
  await deleteBatches(pruneBatch, options);
  return deleted;
};

/** An event of the log, without its body. */
export type LoggedEvent = {
  readonly position: number;
  readonly madeAt: Date;
  readonly sequencedAt: Date;
  readonly facts: EventFacts;
};

type LoggedEventRow = Omit<LoggedEvent, 'position' | 'facts'> & { readonly position: bigint; readonly facts: string };

/** Returns up to `limit` events before a position, newest first; without a position, those at the end of the log. */
export const listEventsBefore = async (
  sql: Sql,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly LoggedEvent[]> => {
  const rows = await sql<LoggedEventRow[]>`
    select l.pos as position, e.made_at as "madeAt", l.sequenced_at as "sequencedAt", e.facts
    from (
      select * from event_log where pos < ${before ?? Number.MAX_SAFE_INTEGER} order by pos desc limit ${limit}
    ) l join flight_event e using (seq)
    order by l.pos desc`;
  return rows.map(({ position, facts, ...event }) => ({
    ...event,
    position: Number(position),
    facts: decodeEventFacts(facts),
  }));
};

/** The body of an event. */
export type EventDocument = { readonly id: string; readonly madeAt: Date; readonly body: string };

/** Returns the events at these positions, newest first, without those that are no longer retained. */
export const listEventsAt = async (sql: Sql, positions: readonly number[]): Promise<readonly EventDocument[]> => sql<
  EventDocument[]
>`
    select e.id, e.made_at as "madeAt", e.body from event_log l join flight_event e using (seq)
    where l.pos = any(${[...positions]}::bigint[]) order by l.pos desc`;
