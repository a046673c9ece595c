import { hash } from 'node:crypto';
import { claimIdempotencyKey, updateIdempotentResponse } from '#store/alerts/idempotency.ts';
import type { Sql } from '#store/pool/database.ts';
import type { RequestVariables } from '../context/env.ts';
import { Problem } from '../response/problem.ts';

/** A request that changes something, with the `Idempotency-Key` with which the caller can repeat it. */
export type IdempotentRequest = {
  readonly variables: RequestVariables;
  readonly key: string | undefined;
  /** The body, or what identifies it. */
  readonly body: unknown;
};

/** What a request created, and the account with which it is erased, if it belongs to one. */
export type CreatedResult<T> = { readonly accountId?: string; readonly result: T };

/**
 * Runs `create` in the transaction `sql`, or returns the stored result if a request with this key was run before. If the transaction is rolled
 * back, so is the key.
 */
export const runOnce = async <T extends object>(
  sql: Sql,
  { variables, key, body, now }: IdempotentRequest & { readonly now: Date },
  create: () => Promise<CreatedResult<T>>,
): Promise<T> => {
  if (key === undefined) return (await create()).result;
  const subscriptionId = variables.key?.subscriptionId;
  if (subscriptionId === undefined) throw new Error('an operation without a key has an Idempotency-Key');
  const fingerprint = hash('sha256', JSON.stringify([variables.publicPath, variables.version, body]), 'buffer');
  const request = { subscriptionId, key, fingerprint, now };
  const claim = await claimIdempotencyKey(sql, request);
  if (claim.kind === 'conflict')
    throw new Problem(
      'idempotency-key-reused',
      'This Idempotency-Key was used for another request within the last 24 hours. Use a new key for a new request.',
    );
  if (claim.kind === 'completed') {
    const stored: T = JSON.parse(claim.response);
    return stored;
  }
  const { accountId, result } = await create();
  await updateIdempotentResponse(sql, request, { accountId, response: JSON.stringify(result) });
  return result;
};
