import type { Database, Sql } from '../pool/database.ts';
import { deleteBatches, type DeleteBatchesOptions } from '../tasks/delete-batches.ts';

/** How long a response is stored, milliseconds. */
const RETENTION_MS = 24 * 60 * 60 * 1000;

/** A request with an idempotency key. */
export type KeyedRequest = {
  readonly subscriptionId: number;
  readonly key: string;
  /** SHA-256 of the request, by which a repetition is recognized. */
  readonly fingerprint: Buffer;
  readonly now: Date;
};

/** The state of a key: new, used for another request, or used for the same request, with its response. */
export type IdempotencyClaim =
  | { readonly kind: 'new' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'completed'; readonly response: string };

/** How long rows are left for requests that have just found them, milliseconds. */
const PRUNE_DELAY_MS = 60_000;

/** Deletes the old responses of all subscriptions; returns their number. It can be aborted and repeated. */
export const pruneIdempotencyKeys = (db: Database, now: Date, options: DeleteBatchesOptions = {}): Promise<number> => {
  const before = new Date(now.getTime() - RETENTION_MS - PRUNE_DELAY_MS);
  return deleteBatches(async (batchSize) => {
    const deleted = await db`
      delete from idempotency_key where ctid = any(array(
        select ctid from idempotency_key where asked_at <= ${before} limit ${batchSize} for update skip locked
      )) returning 1`;
    return deleted.length;
  }, options);
};

/** Deletes old responses of a subscription, except those that other transactions have locked. */
const pruneResponses = async (sql: Sql, subscriptionId: number, before: Date): Promise<void> => {
  await sql`
    delete from idempotency_key where subscription_id = ${subscriptionId} and key in
      (select key from idempotency_key where subscription_id = ${subscriptionId} and asked_at <= ${before}
       limit 100 for update skip locked)`;
};

/**
 * Claims a key for a request; `sql` must be a transaction. It waits for the end of another transaction with the same key, and then finds its
 * response or, after a rollback, a free key. The response for a new key must be stored by `updateIdempotentResponse` before the transaction ends.
 */
export const claimIdempotencyKey = async (
  sql: Sql,
  { subscriptionId, key, fingerprint, now }: KeyedRequest,
): Promise<IdempotencyClaim> => {
  const before = new Date(now.getTime() - RETENTION_MS);
  const claimed = await sql`
    insert into idempotency_key as k (subscription_id, key, fingerprint, answer, asked_at)
    values (${subscriptionId}, ${key}, ${fingerprint}, '', ${now})
    on conflict (subscription_id, key) do update
      set fingerprint = excluded.fingerprint, answer = '', asked_at = excluded.asked_at where k.asked_at <= ${before}
    returning 1`;
  if (claimed.length === 1) {
    await pruneResponses(sql, subscriptionId, before);
    return { kind: 'new' };
  }
  // A separate statement, which sees what the other transaction committed.
  const [row] = await sql<{ fingerprint: Buffer; response: string }[]>`
    select fingerprint, answer as response from idempotency_key where subscription_id = ${subscriptionId} and key = ${key}`;
  if (!row) throw new Error('an idempotency key expired during its lookup');
  return fingerprint.equals(row.fingerprint) ? { kind: 'completed', response: row.response } : { kind: 'conflict' };
};

/** Stores the response, JSON, to a request, of an account if it belongs to one, whose key was claimed as new in the same transaction. */
export const updateIdempotentResponse = async (
  sql: Sql,
  { subscriptionId, key }: Pick<KeyedRequest, 'subscriptionId' | 'key'>,
  { accountId, response }: { readonly accountId?: string | undefined; readonly response: string },
): Promise<void> => {
  await sql`
    update idempotency_key set answer = ${response}, account_id = ${accountId ?? null}
    where subscription_id = ${subscriptionId} and key = ${key}`;
};
