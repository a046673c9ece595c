import { hash } from 'node:crypto';
import { Problem } from '../../../../http/response/problem.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import type { Sql } from '../../../../store/pool/database.ts';
import { claimIdempotencyKey, updateIdempotentResponse } from '../../../../store/alerts/idempotency.ts';
import type { Deps } from './deps.ts';
import { getSubscriptionId } from './account-access.ts';

/** A request that makes something, and the key its caller gave it to be able to send it again. */
export type IdempotentRequest = {
  readonly context: RequestContext;
  readonly key: string | undefined;
  readonly body: unknown;
};

/**
 * Carries out a request in one transaction, or answers what it answered before when it comes again with its key. A refusal rolls
 * everything back, the key too.
 */
export const runIdempotently = async <T extends object>(
  { sql, clock }: Deps,
  { context, key, body }: IdempotentRequest,
  make: (transaction: Sql) => Promise<T>,
): Promise<T> => {
  const work = async (transaction: Sql): Promise<T> => {
    if (key === undefined) return make(transaction);
    const fingerprint = hash('sha256', JSON.stringify([context.path, context.version, body]), 'buffer');
    const request = { subscriptionId: getSubscriptionId(context), key, fingerprint, now: clock() };
    const claim = await claimIdempotencyKey(transaction, request);
    if (claim.kind === 'other')
      throw new Problem(
        'idempotency-key-reused',
        'This Idempotency-Key came with another request in the last 24 hours. Take a new key for a new request.',
      );
    if (claim.kind === 'answered') {
      const kept: T = JSON.parse(claim.answer);
      return kept;
    }
    const made = await make(transaction);
    await updateIdempotentResponse(transaction, request, JSON.stringify(made));
    return made;
  };
  // The driver types what comes out of a transaction by a form that only unpacks lists of promises.
  let made: T | undefined;
  await sql.begin(async (transaction) => {
    made = await work(transaction);
  });
  if (made === undefined) throw new Error('a transaction ended without an answer');
  return made;
};
