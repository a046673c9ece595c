import type { EventFacts } from '../../domain/alerts/event-facts.ts';
import type { Sql } from '../pool/database.ts';
import { readFacts } from './event-facts-text.ts';

/** An event, and what an account has of it. */
export type ToldEvent = {
  readonly id: string;
  readonly facts: EventFacts;
  /** The number of the event in the stream of the account, and the alert it was given for; undefined when it was not given it. */
  readonly given: { readonly number: number; readonly alertId: string } | undefined;
};

type Row = {
  readonly id: string;
  readonly facts: string;
  readonly number: bigint | null;
  readonly alertId: string | null;
};

/** An event by its UUID, with what a stream has of it; undefined when there is no such event, or none any more. */
export const findToldEvent = async (sql: Sql, id: string, stream: number): Promise<ToldEvent | undefined> => {
  const [row] = await sql<Row[]>`
    select f.id, f.facts, a.number, a.alert_id as "alertId"
    from flight_event f
      left join event_log l on l.seq = f.seq
      left join account_event a on a.pos = l.pos and a.stream = ${stream}
    where f.id = ${id}`;
  if (!row) return undefined;
  const { number, alertId } = row;
  return {
    id: row.id,
    facts: readFacts(row.facts),
    given: number === null || alertId === null ? undefined : { number: Number(number), alertId },
  };
};
