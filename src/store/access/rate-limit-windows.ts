import type { WindowKind } from '../../lib/fixed-window.ts';
import type { Sql } from '../pool/database.ts';

/** Requests that a server would like to hand out. */
export type AllowanceRequest = {
  readonly subscriptionId: number;
  /** How many, of each of the windows. */
  readonly requested: number;
  /** Windows, with the limit of each, 1 or more. */
  readonly windows: readonly { readonly kind: WindowKind; readonly startsAt: Date; readonly limit: number }[];
};

/** What a server got: so many it may hand out; 0 means that the window is used up. */
export type GrantedAllowance = {
  readonly kind: WindowKind;
  readonly granted: number;
  /** How many all servers together have been granted in this window. */
  readonly taken: number;
};

type Row = { readonly kind: WindowKind; readonly granted: string; readonly taken: string };

/**
 * Takes requests of windows of a subscription, in one statement: what is wanted, but at most an eighth of what is left of a minute and a
 * sixty-fourth of what is left of a month, and one at least while there is one. Together no more than `most` are ever granted.
 *
 * Waiting for the disk would cost more than all the rest: a database that crashes may forget what was taken in the second before.
 */
export const acquireAllowance = async (
  sql: Sql,
  { subscriptionId, requested: wanted, windows }: AllowanceRequest,
): Promise<readonly GrantedAllowance[]> => {
  const kinds = windows.map(({ kind }) => kind);
  const starts = windows.map(({ startsAt }) => startsAt.toISOString());
  const limits = windows.map(({ limit: most }) => most);
  const rows = await sql<Row[]>`
    with
      quick as (select set_config('synchronous_commit', 'off', true)),
      asked as (
        select * from unnest(${kinds}::text[], ${starts}::text[]::timestamptz[], ${limits}::bigint[]) as asked (kind, starts_at, most)
      ),
      past as (
        delete from request_window w using asked
        where w.subscription_id = ${subscriptionId} and w.kind = 'minute' and asked.kind = 'minute'
          and w.starts_at < asked.starts_at - interval '2 hours'
      )
    insert into request_window as w (subscription_id, kind, starts_at, most, taken, granted)
    select ${subscriptionId}, kind, starts_at, most, share, share
    from quick, asked, request_share(kind, most, ${wanted}::bigint) as share
    on conflict (subscription_id, kind, starts_at) do update set
      most = excluded.most,
      taken = w.taken + request_share(w.kind, excluded.most - w.taken, ${wanted}::bigint),
      granted = request_share(w.kind, excluded.most - w.taken, ${wanted}::bigint)
    returning kind, granted, taken`;
  return rows.map(({ kind, granted, taken }) => ({ kind, granted: Number(granted), taken: Number(taken) }));
};
