import type { RequestContext } from '../../../../http/request/request-context.ts';
import { Problem } from '../../../../http/response/problem.ts';
import { type OwnedId, findAccountStream } from '../../../../store/alerts/alert-accounts.ts';
import type { Sql } from '../../../../store/pool/database.ts';

/** The stream of the account that a request names. Throws the Problem that there is no such account. */
export const getStream = async (sql: Sql, context: RequestContext, accountId: string): Promise<number> => {
  const stream = await findAccountStream(sql, withOwner(context, accountId));
  if (stream === undefined) throw accountNotFound(accountId);
  return stream;
};

/** The subscription that asks. All operations but the health check need a key, so there is one. */
export const getSubscriptionId = ({ subscriptionId }: RequestContext): number => {
  if (subscriptionId === undefined) throw new Error('an operation without a key asks whose accounts it may see');
  return subscriptionId;
};

/** An account or alert that is asked for, and who asks. */
export const withOwner = (context: RequestContext, id: string): OwnedId => ({
  id,
  subscriptionId: getSubscriptionId(context),
});

/** The one answer to an account that is not there and to one of somebody else. */
export const accountNotFound = (id: string): Problem => new Problem('not-found', `There is no account ${id}.`);

/** The one answer to an alert that is not there and to one of somebody else. */
export const alertNotFound = (id: string): Problem => new Problem('not-found', `There is no alert ${id}.`);
