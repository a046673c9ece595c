import type { Sql } from '../pool/database.ts';

/** What identifies a request of a source. */
export type LiveRequestId = { readonly source: string; readonly place: string; readonly request: string };

/** What is known of a request. */
export type LiveRequestState = LiveRequestId & {
  /** Not before this time. */
  readonly nextAt: Date;
  readonly period: string;
  readonly cursor: string | undefined;
  readonly etag: string | undefined;
  readonly observedAt: Date | undefined;
  readonly newestActual: Date | undefined;
  readonly fullAt: Date | undefined;
  readonly fullRows: number | undefined;
  readonly succeededAt: Date | undefined;
  /** Failures since the last success. */
  readonly failures: number;
  readonly error: string | undefined;
  readonly failedAt: Date | undefined;
};

type OptionalName =
  | 'cursor'
  | 'etag'
  | 'observedAt'
  | 'newestActual'
  | 'fullAt'
  | 'fullRows'
  | 'succeededAt'
  | 'error'
  | 'failedAt';

type Row = Omit<LiveRequestState, OptionalName> & {
  readonly [Name in OptionalName]: Exclude<LiveRequestState[Name], undefined> | null;
};

/** Acquires or renews the lease to follow live feeds; undefined while another process has it. `wasMine`: no other has had it since. */
export const claimLiveLease = async (
  sql: Sql,
  { worker, leaseMs }: { readonly worker: string; readonly leaseMs: number },
): Promise<{ readonly wasMine: boolean } | undefined> => {
  const [row] = await sql<{ wasMine: boolean }[]>`
    with before as (select worker from live_follower for update)
    update live_follower f set worker = ${worker}, claimed_until = clock_timestamp() + ${leaseMs} * interval '1 ms'
    from before
    where before.worker is null or before.worker = ${worker} or f.claimed_until < clock_timestamp()
    returning coalesce(before.worker = ${worker}, false) as "wasMine"`;
  return row;
};

/** Releases the lease, so that others can follow at once. */
export const releaseLiveLease = async (sql: Sql, worker: string): Promise<void> => {
  await sql`update live_follower set worker = null, claimed_until = null where worker = ${worker}`;
};

/** Adds requests that are new, and marks those that are followed. The times of known ones stay: a restart sends nothing earlier. */
export const updateFollowedRequests = async (
  sql: Sql,
  requests: readonly LiveRequestId[],
  now: Date,
): Promise<void> => {
  const [sources, places, names] = [
    requests.map(({ source }) => source),
    requests.map(({ place }) => place),
    requests.map(({ request }) => request),
  ];
  await sql`
    with followed as (
      select * from unnest(${sources}::text[], ${places}::text[], ${names}::text[]) as f (source, place, request)
    ), ended as (
      update live_request r set followed = false
      where followed and place <> '' and not exists (
        select from followed f where f.source = r.source and f.place = r.place and f.request = r.request)
    )
    insert into live_request (source, place, request, next_at)
    select source, place, request, ${now} from followed
    on conflict (source, place, request) do update set followed = true`;
};

/** Lists the followed requests. */
export const listLiveRequests = async (sql: Sql): Promise<readonly LiveRequestState[]> => {
  const rows = await sql<Row[]>`
    select source, place, request, next_at as "nextAt", period, cursor, etag, observed_at as "observedAt",
      newest_actual as "newestActual", full_at as "fullAt", full_rows as "fullRows", succeeded_at as "succeededAt", failures, error,
      failed_at as "failedAt"
    from live_request where followed order by source, place, request`;
  return rows.map(
    ({ cursor, etag, observedAt, newestActual, fullAt, fullRows, succeededAt, error, failedAt, ...row }) => ({
      ...row,
      cursor: cursor ?? undefined,
      etag: etag ?? undefined,
      observedAt: observedAt ?? undefined,
      newestActual: newestActual ?? undefined,
      fullAt: fullAt ?? undefined,
      fullRows: fullRows ?? undefined,
      succeededAt: succeededAt ?? undefined,
      error: error ?? undefined,
      failedAt: failedAt ?? undefined,
    }),
  );
};

/** A pause longer than any other, after which the clock must have been wrong. */
const LONGEST_PAUSE = '25 hours';

/**
 * Claims a request that is due, until `nextAt`; false when another process has sent it meanwhile, or its source pauses. A time far in the future is
 * one of a clock that was wrong.
 */
export const claimLiveRequest = async (
  sql: Sql,
  { source, place, request }: LiveRequestId,
  { now, nextAt }: { readonly now: Date; readonly nextAt: Date },
): Promise<boolean> => {
  const claimed = await sql`
    update live_request r set next_at = ${nextAt}
    where source = ${source} and place = ${place} and request = ${request}
      and (next_at <= ${now} or next_at > ${now}::timestamptz + ${LONGEST_PAUSE}::interval)
      and not exists (
        select from live_request p where p.source = r.source and p.place = '' and p.request = ''
          and p.next_at > ${now} and p.next_at <= ${now}::timestamptz + ${LONGEST_PAUSE}::interval)
    returning 1`;
  return claimed.length === 1;
};

/** The result of a request that succeeded. */
export type LiveSuccess = Pick<
  LiveRequestState,
  'period' | 'cursor' | 'etag' | 'observedAt' | 'newestActual' | 'fullAt' | 'fullRows'
>;

/** Stores that a request succeeded. Its source no longer pauses. */
export const recordLiveSuccess = async (
  sql: Sql,
  { source, place, request }: LiveRequestId,
  { now, nextAt, ...state }: LiveSuccess & { readonly now: Date; readonly nextAt?: Date | undefined },
): Promise<void> => {
  await sql`
    update live_request set period = ${state.period}, cursor = ${state.cursor ?? null}, etag = ${state.etag ?? null},
      observed_at = ${state.observedAt ?? null}, newest_actual = ${state.newestActual ?? null}, full_at = ${state.fullAt ?? null},
      full_rows = ${state.fullRows ?? null}, succeeded_at = ${now}, failures = 0, error = null,
      next_at = coalesce(${nextAt ?? null}, next_at)
    where source = ${source} and place = ${place} and request = ${request}`;
  await sql`
    update live_request set failures = 0, error = null
    where source = ${source} and place = '' and request = '' and failures > 0`;
};

/** Stores that a request failed, and when it may be sent again. With `isHost`, the whole source pauses until then. */
export const recordLiveFailure = async (
  sql: Sql,
  { source, place, request }: LiveRequestId,
  failure: { readonly now: Date; readonly nextAt: Date; readonly error: string; readonly isHost: boolean },
): Promise<void> => {
  const { now, nextAt, error, isHost } = failure;
  await sql`
    update live_request set failures = failures + 1, error = ${error}, failed_at = ${now},
      next_at = greatest(next_at, ${nextAt}::timestamptz)
    where source = ${source} and place = ${place} and request = ${request}`;
  if (!isHost) return;
  await sql`
    insert into live_request (source, place, request, next_at, failures, error, failed_at)
    values (${source}, '', '', ${nextAt}, 1, ${error}, ${now})
    on conflict (source, place, request) do update set followed = true, failures = live_request.failures + 1, error = ${error},
      failed_at = ${now}, next_at = ${nextAt}`;
};

/** Marks a source as not followed; returns whether it was. The times of its requests stay. */
export const endLiveRequests = async (sql: Sql, source: string): Promise<boolean> => {
  const ended = await sql`
    update live_request set followed = false where source = ${source} and place <> '' and followed returning 1`;
  return ended.length > 0;
};
