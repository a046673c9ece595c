import { runOnce, type CreatedResult, type IdempotentRequest } from '#http/handler/idempotency.ts';
import type { Sql } from '#store/pool/database.ts';
import type { Deps } from './deps.ts';

/**
 * Runs `create` in one transaction, or returns the stored result if a request with this key was run before. A rejected
 * request rolls everything back, including the key.
 */
export const runIdempotently = async <T extends object>(
  { sql, clock }: Deps,
  request: IdempotentRequest,
  create: (transaction: Sql) => Promise<CreatedResult<T>>,
): Promise<T> => {
  // A variable instead of the return value of `begin`: the driver's return type only unwraps arrays of promises.
  let result: T | undefined;
  await sql.begin(async (transaction) => {
    result = await runOnce(transaction, { ...request, now: clock() }, () => create(transaction));
  });
  if (result === undefined) throw new Error('a transaction ended without a response');
  return result;
};
