import type { deleteProfileRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { deleteAccount, findProfile, lockAccount } from '#store/alerts/alert-accounts.ts';
import { notifyPushWorkers } from '#store/deliveries/endpoints.ts';
import type { Deps } from '../shared/deps.ts';
import { accountNotFoundProblem, withOwner } from '../shared/account-access.ts';
import { toProfile } from './to-profile.ts';

/** DELETE /flight-info-alerts/profile/{accountId}: deletes the account with all its data. */
export const deleteProfile = async (c: OperationContext<typeof deleteProfileRoute>, { sql }: Deps) => {
  const { accountId } = c.req.valid('param');
  const variables = c.var;
  const deleted = await sql.begin(async (transaction) => {
    const owned = withOwner(variables, accountId);
    const profile = (await lockAccount(transaction, owned)) ? await findProfile(transaction, owned) : undefined;
    if (!profile) throw accountNotFoundProblem(accountId);
    await deleteAccount(transaction, accountId);
    await notifyPushWorkers(transaction);
    return toProfile(profile);
  });
  return c.json(deleted, 200);
};
