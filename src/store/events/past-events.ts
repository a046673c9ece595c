import type { EventFacts } from '../../domain/alerts/event-facts.ts';
import type { Sql } from '../pool/database.ts';
import { readFacts } from './event-facts-text.ts';

/** An event of the log, without its body. */
export type PastEvent = {
  readonly position: number;
  readonly madeAt: Date;
  readonly sequencedAt: Date;
  readonly facts: EventFacts;
};

type Row = Omit<PastEvent, 'position' | 'facts'> & { readonly position: bigint; readonly facts: string };

/** The events before a position, the newest first, `limit` of them at most; those at the end of the log when no position is given. */
export const eventsBefore = async (
  sql: Sql,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly PastEvent[]> => {
  const rows = await sql<Row[]>`
    select l.pos as position, e.made_at as "madeAt", l.sequenced_at as "sequencedAt", e.facts
    from (
      select * from event_log where pos < ${before ?? Number.MAX_SAFE_INTEGER} order by pos desc limit ${limit}
    ) l join flight_event e using (seq)
    order by l.pos desc`;
  return rows.map(({ position, facts, ...event }) => ({
    ...event,
    position: Number(position),
    facts: readFacts(facts),
  }));
};

/** An event as it was made, by its position. */
export type MadeEvent = { readonly id: string; readonly madeAt: Date; readonly body: string };

/** The events at these positions, the newest first; those that are no longer retained are left out. */
export const eventsAt = async (sql: Sql, positions: readonly number[]): Promise<readonly MadeEvent[]> => sql<
  MadeEvent[]
>`
    select e.id, e.made_at as "madeAt", e.body from event_log l join flight_event e using (seq)
    where l.pos = any(${[...positions]}::bigint[]) order by l.pos desc`;
