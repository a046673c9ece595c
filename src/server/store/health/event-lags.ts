import type { Sql } from '../pool/database.ts';

/** The backlog of event delivery. */
export type EventLags = {
  /** Fan-out positions that have not been published to the hub; undefined before the first publication. */
  readonly hub: number | undefined;
  /** Subscriptions whose events are fanned out later than those of others. */
  readonly behind: number;
  /** Account events that active endpoints have not been sent yet. */
  readonly push: number;
  /** Scheduled retries. */
  readonly retries: number;
  /** Endpoints in backoff because their receivers fail. */
  readonly backingOff: number;
};

type Row = {
  readonly hub: bigint | null;
  readonly behind: bigint;
  readonly push: bigint;
  readonly retries: bigint;
  readonly resting: bigint;
};

/** Reads the backlog of the hub and the endpoints; scans one row for each endpoint and retry. */
export const readEventLags = async (sql: Sql, now: Date): Promise<EventLags> => {
  const [row] = await sql<Row[]>`
    select (select d.last_fan_out_pos - h.pos from event_distribution d cross join hub_progress h) as hub,
      (select count(*) from fan_out_backlog) as behind,
      (select coalesce(sum(greatest(s.last_number - p.number - cardinality(p.finished), 0)), 0)::bigint
        from push_endpoint e
        join push_progress p on p.endpoint_id = e.id
        join alert_account a on a.id = e.account_id
        join account_stream s using (stream)
        where e.active and e.disabled_at is null) as push,
      (select count(*) from push_retry) as retries,
      (select count(*) from push_progress where rests_until > ${now}) as resting`;
  if (!row) throw new Error('the event lag query returned no row');
  return {
    hub: row.hub === null ? undefined : Number(row.hub),
    behind: Number(row.behind),
    push: Number(row.push),
    retries: Number(row.retries),
    backingOff: Number(row.resting),
  };
};
