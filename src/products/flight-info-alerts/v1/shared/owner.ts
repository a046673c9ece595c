import { Problem } from '../../../../http/response/problem.ts';
import type { RequestContext } from '../../../../http/router/request-context.ts';
import type { Owned } from '../../../../store/alerts/alert-accounts.ts';

/** The subscription that asks. All operations but the health check need a key, so there is one. */
export const subscriptionOf = ({ subscriptionId }: RequestContext): number => {
  if (subscriptionId === undefined) throw new Error('an operation without a key asks whose accounts it may see');
  return subscriptionId;
};

/** An account or alert that is asked for, and who asks. */
export const ownedBy = (context: RequestContext, id: string): Owned => ({
  id,
  subscriptionId: subscriptionOf(context),
});

/** The one answer to an account that is not there and to one of somebody else. */
export const noAccount = (id: string): Problem => new Problem('not-found', `There is no account ${id}.`);

/** The one answer to an alert that is not there and to one of somebody else. */
export const noAlert = (id: string): Problem => new Problem('not-found', `There is no alert ${id}.`);
