import type { WindowKind } from '#lib/fixed-window.ts';
import type { Sql } from '../pool/database.ts';

/** What a server reserves in the rate limit windows of a subscription. */
export type ReservationRequest = {
  readonly subscriptionId: number;
  /** The number of requests to reserve in each window. */
  readonly requested: number;
  /** The windows, each with its limit, 1 or more, and the requests that were admitted while they could not be recorded. */
  readonly windows: readonly {
    readonly kind: WindowKind;
    readonly startsAt: Date;
    readonly limit: number;
    readonly unrecorded: number;
  }[];
};

/** The requests of one window that are reserved for a server. */
export type WindowReservation = {
  readonly kind: WindowKind;
  /** The number of requests that the server may admit; 0 means that the window is used up. */
  readonly reserved: number;
  /** Requests that all servers together have reserved in this window. */
  readonly reservedByAll: number;
};

/** `granted` is the last reservation in a window, `taken` the sum of all. */
type Row = { readonly kind: WindowKind; readonly granted: string; readonly taken: string };

/** Fraction of what remains of a window that one reservation gets at most, as in the SQL function `request_share`. */
const shareDivisors: Readonly<Record<WindowKind, number>> = { minute: 8, month: 64 };

/** Computes the size of a reservation like the SQL function `request_share`. */
export const computeRequestShare = (kind: WindowKind, remaining: number, requested: number): number =>
  Math.max(0, Math.min(remaining, requested, Math.max(1, Math.floor(remaining / shareDivisors[kind]))));

/**
 * Reserves requests in the windows of a subscription by one statement: the requested number, at most 1/8 of what remains of a minute and 1/64
 * of what remains of a month, but at least one while one remains. All reservations of a window together never exceed its limit.
 * Requests that were not recorded before are added; their sum can exceed the limit.
 * The commit does not wait for the disk, which would take longer than everything else: a crash can lose the reservations of the last second.
 */
export const reserveRequests = async (
  sql: Sql,
  { subscriptionId, requested, windows }: ReservationRequest,
): Promise<readonly WindowReservation[]> => {
  const kinds = windows.map(({ kind }) => kind);
  const starts = windows.map(({ startsAt }) => startsAt.toISOString());
  const limits = windows.map(({ limit }) => limit);
  const unrecorded = windows.map((window) => window.unrecorded);
  const rows = await sql<Row[]>`
    with
      asynchronous_commit as (select set_config('synchronous_commit', 'off', true)),
      requested_window as (
        select * from unnest(${kinds}::text[], ${starts}::text[]::timestamptz[], ${limits}::bigint[], ${unrecorded}::bigint[])
          as requested (kind, starts_at, most, unrecorded)
      ),
      pruned as (
        delete from request_window w using requested_window r
        where w.subscription_id = ${subscriptionId} and w.kind = 'minute' and r.kind = 'minute'
          and w.starts_at < r.starts_at - interval '2 hours'
      )
    insert into request_window as w (subscription_id, kind, starts_at, most, taken, granted)
    select ${subscriptionId}, kind, starts_at, most, unrecorded + share, share
    from asynchronous_commit, requested_window, request_share(kind, most - unrecorded, ${requested}::bigint) as share
    on conflict (subscription_id, kind, starts_at) do update set
      most = excluded.most,
      -- excluded.taken - excluded.granted is what was not recorded.
      taken = w.taken + excluded.taken - excluded.granted
        + request_share(w.kind, excluded.most - w.taken - excluded.taken + excluded.granted, ${requested}::bigint),
      granted = request_share(w.kind, excluded.most - w.taken - excluded.taken + excluded.granted, ${requested}::bigint)
    returning kind, granted, taken`;
  return rows.map(({ kind, granted, taken }) => ({ kind, reserved: Number(granted), reservedByAll: Number(taken) }));
};
