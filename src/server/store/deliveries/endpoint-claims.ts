import type { SecretBox } from '#lib/secret-box.ts';
import { toHeaderPlace, toKeyPlace } from '../access/secret-keys.ts';
import { hasValidKey } from '../access/alerts-subscriptions.ts';
import type { Sql } from '../pool/database.ts';

/** The channel that notifies delivery workers of changed endpoints, keys and retries; the payload is empty. */
export const PUSH_CHANNEL = 'push_endpoints';

/**
 * Longer than any backoff and any delay of a retry, milliseconds. A time further ahead was written by a clock that has been set back since,
 * and is ignored.
 */
export const BEYOND_BACKOFF_MS = 2 * 3_600_000;
export const BEYOND_RETRY_MS = 9 * 3_600_000;

/** The recent failures of a receiver. */
export type PushHealth = {
  /** Failed attempts since the last success. */
  readonly failures: number;
  readonly failingSince: Date | undefined;
  /** Backoffs since the last success. */
  readonly backoffs: number;
  /** Nothing is sent before this time. It stays set, in the past, until the first attempt after the backoff succeeds. */
  readonly backoffUntil: Date | undefined;
};

/** An endpoint that one worker serves exclusively until its lease ends. */
export type ClaimedEndpoint = {
  readonly id: string;
  readonly stream: number;
  /** All events up to this number have been attempted. */
  readonly number: number;
  /** Numbers above it that have been attempted too. */
  readonly finished: readonly number[];
  readonly health: PushHealth;
};

export type ClaimOptions = {
  /** The UUID of the worker. */
  readonly worker: string;
  /** The duration of the lease, which can be renewed. */
  readonly leaseMs: number;
  /** The most endpoints. */
  readonly limit: number;
  readonly now: Date;
  /** The streams to search; undefined for all, which takes longer the more endpoints there are. */
  readonly streams: readonly number[] | undefined;
  /** Endpoints that the worker already serves; they are not claimed again. */
  readonly held: readonly string[];
  /** Whether to claim endpoints that only have due retries. */
  readonly withRetries: boolean;
};

type ClaimedRow = Omit<ClaimedEndpoint, 'number' | 'health'> & {
  readonly number: bigint;
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly rests: number;
  readonly restsUntil: Date | null;
};

/** Returns the streams with account events after a fan-out position, and the last of these positions. */
export const listGrownStreams = async (
  sql: Sql,
  since: number,
): Promise<{ readonly position: number; readonly streams: readonly number[] }> => {
  const rows = await sql<{ stream: number; position: bigint }[]>`
    select stream, max(pos) as position from account_event where pos > ${since} group by stream`;
  return {
    position: rows.reduce((last, { position }) => Math.max(last, Number(position)), since),
    streams: rows.map(({ stream }) => stream),
  };
};

/** Returns the last fan-out position. */
export const getLastDistributedPosition = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ last: bigint }[]>`select coalesce(max(pos), 0) as last from account_event`;
  return Number(row?.last ?? 0);
};

/**
 * Claims endpoints with pending events that no worker serves, the longest unserved first. Leases use the clock of the database, so that the
 * clocks of workers may differ; backoffs and retries use `now`.
 */
export const claimEndpoints = async (
  sql: Sql,
  { worker, leaseMs, limit, now, streams, held, withRetries }: ClaimOptions,
): Promise<readonly ClaimedEndpoint[]> => {
  const beyond = new Date(now.getTime() + BEYOND_RETRY_MS);
  // `limit 1` keeps the search for a retry at one index step for each endpoint.
  const rows = await sql<ClaimedRow[]>`
    with due as materialized (
      select p.endpoint_id, a.stream
      from push_progress p
      join push_endpoint e on e.id = p.endpoint_id
      join alert_account a on a.id = e.account_id
      left join account_stream s on s.stream = a.stream
      where e.active and e.disabled_for is null and ${hasValidKey(sql, now)}
        ${streams ? sql`and a.stream = any(${streams}::int[])` : sql``}
        and (p.worker is null or p.claimed_until <= clock_timestamp())
        and (p.rests_until is null or p.rests_until <= ${now} or p.rests_until > ${new Date(now.getTime() + BEYOND_BACKOFF_MS)})
        and (s.last_number > p.number ${
          withRetries
            ? sql`or (select 1 from push_retry r where r.endpoint_id = p.endpoint_id and r.due_at <= ${now} limit 1) = 1
              or (select 1 from push_retry r where r.endpoint_id = p.endpoint_id and r.due_at > ${beyond} limit 1) = 1`
            : sql``
        })
        and p.endpoint_id <> all(${held}::uuid[])
      order by p.served_at nulls first
      limit ${limit}
      for update of p skip locked
    )
    update push_progress p
    set worker = ${worker}, claimed_until = clock_timestamp() + ${leaseMs} * interval '1 ms', served_at = clock_timestamp()
    from due where p.endpoint_id = due.endpoint_id
    returning p.endpoint_id as id, due.stream, p.number, p.finished::float8[] as finished, p.failures,
      p.failing_since as "failingSince", p.rests, p.rests_until as "restsUntil"`;
  return rows.map(({ number, failures, failingSince, rests, restsUntil, ...row }) => ({
    ...row,
    number: Number(number),
    health: {
      failures,
      failingSince: failingSince ?? undefined,
      backoffs: rests,
      backoffUntil: restsUntil ?? undefined,
    },
  }));
};

/** Renews the leases of endpoints and returns those that this worker still holds. */
export const renewClaims = async (
  sql: Sql,
  { worker, leaseMs, ids }: { readonly worker: string; readonly leaseMs: number; readonly ids: readonly string[] },
): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set();
  const rows = await sql<{ id: string }[]>`
    update push_progress set claimed_until = clock_timestamp() + ${leaseMs} * interval '1 ms'
    where endpoint_id = any(array(
      select endpoint_id from push_progress where endpoint_id = any(${ids}::uuid[]) and worker = ${worker}
      order by endpoint_id for update
    ))
    returning endpoint_id as id`;
  return new Set(rows.map(({ id }) => id));
};

/** A key with which events are signed, up to `endsAt` if that is set. */
export type SigningKey = { readonly key: string; readonly endsAt: Date | undefined };

/** The URL, header and keys with which events are posted. */
export type PushTarget = {
  readonly id: string;
  readonly url: string;
  readonly header: { readonly name: string; readonly value: string } | undefined;
  /** Whether later events of a flight wait for its failed one. */
  readonly ordering: 'none' | 'flight';
  /** The newest first. */
  readonly keys: readonly SigningKey[];
};

type TargetRow = {
  readonly id: string;
  readonly url: string;
  readonly name: string | null;
  readonly value: string | null;
  readonly ordering: 'none' | 'flight';
  /** JSON: pairs of a key and its end in milliseconds since 1970. */
  readonly keys: string;
};

/** Returns the targets of these endpoints, without those that are paused, disabled or deleted, or whose subscription has no valid key. */
export const listPushTargets = async (
  sql: Sql,
  ids: readonly string[],
  { now, secrets }: { readonly now: Date; readonly secrets: SecretBox },
): Promise<ReadonlyMap<string, PushTarget>> => {
  if (ids.length === 0) return new Map();
  const rows = await sql<TargetRow[]>`
    select e.id, e.url, e.header_name as name, e.header_value as value, e.ordering, coalesce((
      select json_agg(json_build_array(k.key, extract(epoch from k.ends_at) * 1000) order by k.number desc)
      from push_key k where k.endpoint_id = e.id and k.key <> ''
    ), '[]')::text as keys
    from push_endpoint e join alert_account a on a.id = e.account_id
    where e.id = any(${ids}::uuid[]) and e.active and e.disabled_for is null and ${hasValidKey(sql, now)}`;
  return new Map(
    rows.map(({ id, url, name, value, ordering, keys }) => {
      const pairs: readonly (readonly [key: string, endsAt: number | null])[] = JSON.parse(keys);
      const target = {
        id,
        url,
        ordering,
        header: name === null || value === null ? undefined : { name, value: secrets.open(toHeaderPlace(id), value) },
        keys: pairs.map(([key, endsAt]) => ({
          key: secrets.open(toKeyPlace(id), key),
          endsAt: endsAt === null ? undefined : new Date(endsAt),
        })),
      };
      return [id, target];
    }),
  );
};
