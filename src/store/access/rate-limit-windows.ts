import type { WindowKind } from '../../lib/fixed-window.ts';
import type { Sql } from '../pool/database.ts';

/** A request of a server for allowance in the rate limit windows of a subscription. */
export type AllowanceRequest = {
  readonly subscriptionId: number;
  /** The number of requests in each of the windows. */
  readonly requested: number;
  /** The windows, each with its limit, 1 or more. */
  readonly windows: readonly { readonly kind: WindowKind; readonly startsAt: Date; readonly limit: number }[];
};

/** The allowance of a server: the number of requests that it may admit; 0 means that the window is used up. */
export type GrantedAllowance = {
  readonly kind: WindowKind;
  readonly granted: number;
  /** The allowance of all servers together in this window. */
  readonly taken: number;
};

type Row = { readonly kind: WindowKind; readonly granted: string; readonly taken: string };

/**
 * Acquires allowance in the windows of a subscription by one statement: the requested number, at most 1/8 of the rest of a minute and 1/64 of the
 * rest of a month, but at least one while there is one. All grants of a window together never exceed its limit.
 * The commit does not wait for the disk, which would take longer than everything else: a crash can lose the grants of the last second.
 */
export const acquireAllowance = async (
  sql: Sql,
  { subscriptionId, requested, windows }: AllowanceRequest,
): Promise<readonly GrantedAllowance[]> => {
  const kinds = windows.map(({ kind }) => kind);
  const starts = windows.map(({ startsAt }) => startsAt.toISOString());
  const limits = windows.map(({ limit }) => limit);
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
    from quick, asked, request_share(kind, most, ${requested}::bigint) as share
    on conflict (subscription_id, kind, starts_at) do update set
      most = excluded.most,
      taken = w.taken + request_share(w.kind, excluded.most - w.taken, ${requested}::bigint),
      granted = request_share(w.kind, excluded.most - w.taken, ${requested}::bigint)
    returning kind, granted, taken`;
  return rows.map(({ kind, granted, taken }) => ({ kind, granted: Number(granted), taken: Number(taken) }));
};
