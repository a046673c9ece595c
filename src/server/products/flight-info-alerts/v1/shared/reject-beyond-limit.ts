import type { RequestVariables } from '#http/context/env.ts';
import { Problem } from '#http/response/problem.ts';
import { countObjects, lockSubscription, type LimitedObject } from '#store/access/object-limits.ts';
import type { Sql } from '#store/pool/database.ts';
import { getSubscriptionId } from './account-access.ts';
import type { Deps } from './deps.ts';

/**
 * Throws Problem `limit-reached` if the subscription of the caller has as many objects of a kind as it can have. Locks the subscription until
 * the transaction `sql` ends, so that concurrent requests cannot exceed the limit together.
 */
export const rejectBeyondLimit = async (
  sql: Sql,
  name: LimitedObject,
  { variables, objectLimits }: Pick<Deps, 'objectLimits'> & { readonly variables: RequestVariables },
): Promise<void> => {
  const limit = objectLimits[name];
  if (limit === 0) return;
  const subscriptionId = getSubscriptionId(variables);
  await lockSubscription(sql, subscriptionId);
  if ((await countObjects(sql, subscriptionId, name)) < limit) return;
  throw new Problem('limit-reached', `The limit of ${name} of a subscription is ${limit}. Delete one first.`);
};
