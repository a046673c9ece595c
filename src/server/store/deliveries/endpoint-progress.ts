import type { Sql } from '../pool/database.ts';
import type { PushEndpoint } from './endpoints.ts';

/** The progress of an endpoint in the stream of its account. */
export type EndpointProgress = {
  readonly position: number;
  readonly end: number;
  readonly retries: number;
  readonly deadLetters: number;
  readonly failures: number;
  readonly failingSince: Date | undefined;
  readonly backoffUntil: Date | undefined;
  /** The time of the last delivery, as far back as the delivery log goes. */
  readonly deliveredAt: Date | undefined;
};

type ProgressRow = {
  readonly position: bigint;
  readonly end: bigint;
  readonly retries: number;
  readonly deadLetters: number;
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly restsUntil: Date | null;
  readonly deliveredAt: Date | null;
};

/** Finds the progress of an endpoint; undefined when it does not exist. */
export const findEndpointProgress = async (
  sql: Sql,
  { id, stream }: Pick<PushEndpoint, 'id' | 'stream'>,
): Promise<EndpointProgress | undefined> => {
  const [row] = await sql<ProgressRow[]>`
    select p.number as position, coalesce((select last_number from account_stream where stream = ${stream}), 0) as end,
      (select count(*)::int from push_retry where endpoint_id = ${id}) as retries,
      (select count(*)::int from push_dead_letter where endpoint_id = ${id}) as "deadLetters",
      p.failures, p.failing_since as "failingSince", p.rests_until as "restsUntil",
      (select made_at from push_attempt
       where (endpoint_id, id) > (${id}, 0) and (endpoint_id, id) < (${id}, ${Number.MAX_SAFE_INTEGER})
         and outcome = 'delivered' and number is not null
       order by endpoint_id desc, id desc limit 1) as "deliveredAt"
    from push_progress p where p.endpoint_id = ${id}`;
  if (!row) return undefined;
  return {
    position: Number(row.position),
    end: Number(row.end),
    retries: row.retries,
    deadLetters: row.deadLetters,
    failures: row.failures,
    failingSince: row.failingSince ?? undefined,
    backoffUntil: row.restsUntil ?? undefined,
    deliveredAt: row.deliveredAt ?? undefined,
  };
};
