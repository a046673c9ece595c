import { HttpResponse } from '../../../../http/response/http-response.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { deleteAccount, lockAccount } from '../../../../store/alerts/alert-accounts.ts';
import { notifyPushWorkers } from '../../../../store/deliveries/endpoints.ts';
import type { Deps } from '../shared/deps.ts';
import { accountNotFoundProblem, withOwner } from '../shared/account-access.ts';
import type { DeleteProfileInput } from '../shared/routes.ts';

/** DELETE /flight-info-alerts/profile/{accountId}: deletes the account with all its data. */
export const deleteProfile = async (
  { params: { accountId } }: DeleteProfileInput,
  context: RequestContext,
  { sql }: Deps,
): Promise<HttpResponse<204, undefined>> => {
  await sql.begin(async (transaction) => {
    if (!(await lockAccount(transaction, withOwner(context, accountId)))) throw accountNotFoundProblem(accountId);
    await deleteAccount(transaction, accountId);
    await notifyPushWorkers(transaction);
  });
  return new HttpResponse({ status: 204 });
};
