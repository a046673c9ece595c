import type { RequestVariables } from '#http/context/env.ts';
import { Problem } from '#http/response/problem.ts';
import { type OwnedId, findAccountStream } from '#store/alerts/alert-accounts.ts';
import type { Sql } from '#store/pool/database.ts';

/** Returns the event stream of the account. Throws Problem `not-found` if the subscription has no such account. */
export const getStream = async (sql: Sql, variables: RequestVariables, accountId: string): Promise<number> => {
  const stream = await findAccountStream(sql, withOwner(variables, accountId));
  if (stream === undefined) throw accountNotFoundProblem(accountId);
  return stream;
};

/** Returns the subscription of the caller. All operations except the health check require a key, so there is one. */
export const getSubscriptionId = ({ key }: RequestVariables): number => {
  if (!key) throw new Error('an operation without a key requests account access');
  return key.subscriptionId;
};

/** Returns the ID of an account, alert or endpoint together with the subscription that must own it. */
export const withOwner = (variables: RequestVariables, id: string): OwnedId => ({
  id,
  subscriptionId: getSubscriptionId(variables),
});

/** The same response for an account that does not exist and for one of another subscription. */
export const accountNotFoundProblem = (id: string): Problem =>
  new Problem('not-found', `The account ${id} does not exist.`);
