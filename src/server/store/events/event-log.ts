import type { EventFacts } from '#domain/alerts/event-facts.ts';
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
      left join (fan_out_event p join account_event a on a.pos = p.pos and a.stream = ${stream}) on p.log_pos = l.pos
    where f.id = ${id}`;
  if (!row) return undefined;
  const { number, alertId } = row;
  return {
    id: row.id,
    facts: decodeEventFacts(row.facts),
    delivered: number === null || alertId === null ? undefined : { number: Number(number), alertId },
  };
};

/**
 * Returns the last position that may be deleted: all up to it were sequenced before a point in time and have been fanned out to all
 * subscriptions, also to those that are behind.
 */
const findLastPrunable = async (db: Database, before: Date): Promise<number> => {
  const [row] = await db<{ last: bigint }[]>`
    select least(
      coalesce((select pos from event_log where sequenced_at >= ${before} order by pos limit 1) - 1, e.last_pos), d.last_pos,
      (select min(log_pos) from fan_out_backlog)
    ) as last
    from event_log_end e cross join event_distribution d`;
  if (!row) throw new Error('the table event_log_end or event_distribution has lost its row');
  return Number(row.last);
};

/**
 * Returns the last fan-out position before which there are only events up to a position of the log. Rows of servers before the migration 0021
 * are not in `fan_out_event`: their position is that in the log.
 */
const findLastPrunableFanOut = async (db: Database, last: number): Promise<number> => {
  const [row] = await db<{ last: bigint }[]>`
    select coalesce((select pos from fan_out_event where log_pos > ${last} order by pos limit 1) - 1,
      greatest(last_fan_out_pos, ${last})) as last
    from event_distribution`;
  return Number(row?.last ?? 0);
};

/** Returns the last position up to which no account event refers to the log any more. */
const findLastUnused = async (db: Database, last: number): Promise<number> => {
  const [row] = await db<{ last: bigint }[]>`
    select least(${last}, (select min(log_pos) from fan_out_event) - 1) as last`;
  return Number(row?.last ?? 0);
};

type PruneBatch = { readonly last: number; readonly batchSize: number };

/** Deletes the oldest rows of a table by fan-out position: streams lose nothing but their beginnings. */
const pruneFanOut = async (
  db: Database,
  table: 'account_event' | 'fan_out_event',
  { last, batchSize }: PruneBatch,
): Promise<number> => {
  const [row] = await db<{ found: number }[]>`
    with oldest as (
      select pos from ${db(table)} where pos <= ${last} order by pos limit ${batchSize}
    ), gone as (
      delete from ${db(table)} where pos between (select min(pos) from oldest) and (select max(pos) from oldest)
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
 * are deleted first, so that no stream refers to a deleted event. Where a subscription was behind, newer events of others precede its own in the
 * order of the fan-out: these are retained until the newer ones are due. It can be aborted and repeated, and run in several processes.
 */
export const pruneEventLog = async (
  db: Database,
  before: Date,
  options: DeleteBatchesOptions = {},
): Promise<number> => {
  const lastDue = await findLastPrunable(db, before);
  const lastFanOut = await findLastPrunableFanOut(db, lastDue);
  for (const table of ['account_event', 'fan_out_event'] as const)
    await deleteBatches((batchSize) => pruneFanOut(db, table, { last: lastFanOut, batchSize }), options);
  const last = await findLastUnused(db, lastDue);
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
