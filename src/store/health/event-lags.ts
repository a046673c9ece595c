import type { Sql } from '../pool/database.ts';

/** How far what sends events is behind. */
export type EventLags = {
  /** Positions of the log that accounts were given and the hub was not; undefined where nothing was ever published to one. */
  readonly hub: number | undefined;
  /** Events of accounts that endpoints in service have not been sent yet. */
  readonly push: number;
  /** Attempts that are to be made again. */
  readonly retries: number;
  /** Endpoints that rest because their receivers fail. */
  readonly backingOff: number;
};

type Row = {
  readonly hub: bigint | null;
  readonly push: bigint;
  readonly retries: bigint;
  readonly resting: bigint;
};

/** Reads how far behind the hub and the endpoints are; one row an endpoint and one a retry are looked at. */
export const readEventLags = async (sql: Sql, now: Date): Promise<EventLags> => {
  const [row] = await sql<Row[]>`
    select (select d.last_pos - h.pos from event_distribution d cross join hub_progress h) as hub,
      (select coalesce(sum(greatest(s.last_number - p.number - cardinality(p.finished), 0)), 0)::bigint
        from push_endpoint e
        join push_progress p on p.endpoint_id = e.id
        join alert_account a on a.id = e.account_id
        join account_stream s using (stream)
        where e.active and e.disabled_at is null) as push,
      (select count(*) from push_retry) as retries,
      (select count(*) from push_progress where rests_until > ${now}) as resting`;
  if (!row) throw new Error('the store says nothing of its events');
  return {
    hub: row.hub === null ? undefined : Number(row.hub),
    push: Number(row.push),
    retries: Number(row.retries),
    backingOff: Number(row.resting),
  };
};
