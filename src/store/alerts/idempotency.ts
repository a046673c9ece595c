import type { Sql } from '../pool/database.ts';

/** How long an answer is kept, milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** A request that its caller has given a key, to be able to send it again. */
export type KeyedRequest = {
  readonly subscriptionId: number;
  readonly key: string;
  /** SHA-256 of what is asked: the same request has the same one. */
  readonly fingerprint: Buffer;
  readonly now: Date;
};

/** What a key stands for: a new request, another one than before, or one that has been answered. */
export type IdempotencyClaim =
  | { readonly kind: 'new' }
  | { readonly kind: 'other' }
  | { readonly kind: 'answered'; readonly answer: string };

/** Old answers of a subscription; those that somebody else is working on are left to the next. */
const forgetOld = async (sql: Sql, subscriptionId: number, before: Date): Promise<void> => {
  await sql`
    delete from idempotency_key where subscription_id = ${subscriptionId} and key in
      (select key from idempotency_key where subscription_id = ${subscriptionId} and asked_at <= ${before}
       limit 100 for update skip locked)`;
};

/**
 * Claims a key for a request; `sql` must be a transaction. While another one with the same key is under way, this waits for its end: then it
 * finds the answer, or, when the other was refused, the key free. A key claimed as new must get its answer (`updateIdempotentResponse`) before the
 * transaction ends.
 */
export const claimIdempotencyKey = async (
  sql: Sql,
  { subscriptionId, key, fingerprint, now }: KeyedRequest,
): Promise<IdempotencyClaim> => {
  const before = new Date(now.getTime() - KEPT_MS);
  const claimed = await sql`
    insert into idempotency_key as k (subscription_id, key, fingerprint, answer, asked_at)
    values (${subscriptionId}, ${key}, ${fingerprint}, '', ${now})
    on conflict (subscription_id, key) do update
      set fingerprint = excluded.fingerprint, answer = '', asked_at = excluded.asked_at where k.asked_at <= ${before}
    returning 1`;
  if (claimed.length === 1) {
    await forgetOld(sql, subscriptionId, before);
    return { kind: 'new' };
  }
  // Another statement, because this one sees what the other transaction left.
  const [row] = await sql<{ fingerprint: Buffer; answer: string }[]>`
    select fingerprint, answer from idempotency_key where subscription_id = ${subscriptionId} and key = ${key}`;
  if (!row) throw new Error('an idempotency key was forgotten while it was looked up');
  return fingerprint.equals(row.fingerprint) ? { kind: 'answered', answer: row.answer } : { kind: 'other' };
};

/** Keeps the answer, JSON, to a request whose key was claimed as new in the same transaction. */
export const updateIdempotentResponse = async (
  sql: Sql,
  { subscriptionId, key }: Pick<KeyedRequest, 'subscriptionId' | 'key'>,
  answer: string,
): Promise<void> => {
  await sql`update idempotency_key set answer = ${answer} where subscription_id = ${subscriptionId} and key = ${key}`;
};
