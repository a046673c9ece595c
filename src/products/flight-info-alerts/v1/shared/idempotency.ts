import { hash } from 'node:crypto';
import { Problem } from '#http/response/problem.ts';
import type { RequestVariables } from '#http/context/env.ts';
import type { Sql } from '#store/pool/database.ts';
import { claimIdempotencyKey, updateIdempotentResponse } from '#store/alerts/idempotency.ts';
import type { Deps } from './deps.ts';
import { getSubscriptionId } from './account-access.ts';

/** A request that creates something, with the `Idempotency-Key` with which the caller can repeat it. */
export type IdempotentRequest = {
  readonly context: RequestVariables;
  readonly key: string | undefined;
  readonly body: unknown;
};

/** What a request created, and the account with which it is erased. */
export type CreatedResult<T> = { readonly accountId: string; readonly result: T };

/**
 * Runs `create` in one transaction, or returns the stored result if a request with this key was run before. A rejected
 * request rolls everything back, including the key.
 */
export const runIdempotently = async <T extends object>(
  { sql, clock }: Deps,
  { context, key, body }: IdempotentRequest,
  create: (transaction: Sql) => Promise<CreatedResult<T>>,
): Promise<T> => {
  const run = async (transaction: Sql): Promise<T> => {
    if (key === undefined) return (await create(transaction)).result;
    const fingerprint = hash('sha256', JSON.stringify([context.path, context.version, body]), 'buffer');
    const request = { subscriptionId: getSubscriptionId(context), key, fingerprint, now: clock() };
    const claim = await claimIdempotencyKey(transaction, request);
    if (claim.kind === 'conflict')
      throw new Problem(
        'idempotency-key-reused',
        'This Idempotency-Key was used for another request within the last 24 hours. Use a new key for a new request.',
      );
    if (claim.kind === 'completed') {
      const stored: T = JSON.parse(claim.response);
      return stored;
    }
    const { accountId, result } = await create(transaction);
    await updateIdempotentResponse(transaction, request, { accountId, response: JSON.stringify(result) });
    return result;
  };
  // A variable instead of the return value of `begin`: the driver's return type only unwraps arrays of promises.
  let result: T | undefined;
  await sql.begin(async (transaction) => {
    result = await run(transaction);
  });
  if (result === undefined) throw new Error('a transaction ended without a response');
  return result;
};
