import type { Sql } from '../pool/database.ts';
import type { PendingEvent } from './account-events.ts';
import { decodeEventFacts } from './event-outbox.ts';

/** A subscription whose events are fanned out up to a position of the log only, and follow later than those of others. */
export type FanOutBacklog = { readonly subscriptionId: number; readonly position: number };

/** Returns the subscriptions that are behind; `sql` must hold the lease to fan out events. */
export const listBacklogs = async (sql: Sql): Promise<readonly number[]> => {
  const rows = await sql<{ id: number }[]>`select subscription_id as id from fan_out_backlog`;
  return rows.map(({ id }) => id);
};

/** Inserts subscriptions that fall behind. */
export const insertBacklogs = async (sql: Sql, backlogs: readonly FanOutBacklog[]): Promise<void> => {
  if (backlogs.length === 0) return;
  await sql`
    insert into fan_out_backlog (subscription_id, log_pos, turn)
    select b.*, (select last_fan_out_pos from event_distribution)
    from unnest(
      ${backlogs.map(({ subscriptionId }) => subscriptionId)}::int[], ${backlogs.map(({ position }) => position)}::bigint[]
    ) b`;
};

/** The next events of the subscription whose turn it is, and the position up to which the events of others are fanned out. */
export type BacklogEvents = {
  readonly subscriptionId: number;
  readonly events: readonly PendingEvent[];
  readonly end: number;
};

type Row = {
  readonly subscriptionId: number;
  readonly end: bigint;
  readonly position: bigint | null;
  readonly seq: bigint;
  readonly facts: string;
};

/** Returns up to `limit` events for one subscription that is behind, in turn; undefined if none is. */
export const findBacklogEvents = async (sql: Sql, limit: number): Promise<BacklogEvents | undefined> => {
  const rows = await sql<Row[]>`
    select b.subscription_id as "subscriptionId", d.last_pos as end, e.*
    from (select * from fan_out_backlog order by turn, subscription_id limit 1) b cross join event_distribution d
    left join lateral (
      select l.pos as position, l.seq, f.facts
      from (select pos, seq from event_log where pos > b.log_pos and pos <= d.last_pos order by pos limit ${limit}) l
      join flight_event f using (seq)
    ) e on true
    order by e.position`;
  const [first] = rows;
  if (!first) return undefined;
  return {
    subscriptionId: first.subscriptionId,
    end: Number(first.end),
    events: rows.flatMap(({ position, seq, facts }) =>
      position === null ? [] : [{ position: Number(position), seq: Number(seq), facts: decodeEventFacts(facts) }],
    ),
  };
};

/** Advances a backlog after events were fanned out, and gives the turn to the next. It ends where the events of others are. */
export const advanceBacklog = async (sql: Sql, { subscriptionId, position }: FanOutBacklog): Promise<void> => {
  await sql`
    update fan_out_backlog set log_pos = ${position}, turn = (select last_fan_out_pos from event_distribution)
    where subscription_id = ${subscriptionId}`;
  await sql`
    delete from fan_out_backlog b using event_distribution d where b.subscription_id = ${subscriptionId} and b.log_pos >= d.last_pos`;
};
