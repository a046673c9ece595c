import type { updateProfileRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { findProfile, lockAccount, replaceProfile } from '#store/alerts/alert-accounts.ts';
import { parseProfileUpdate } from './parse-profile.ts';
import type { Deps } from '../shared/deps.ts';
import { accountNotFoundProblem, withOwner } from '../shared/account-access.ts';
import { toProfile } from './to-profile.ts';

/** PATCH /flight-info-alerts/profile/{accountId}: changes only the members in the body. */
export const updateProfile = async (c: OperationContext<typeof updateProfileRoute>, { sql }: Deps) => {
  const { accountId } = c.req.valid('param');
  const body = c.req.valid('json');
  const variables = c.var;
  const changed = await sql.begin(async (transaction) => {
    const owned = withOwner(variables, accountId);
    const before = (await lockAccount(transaction, owned)) ? await findProfile(transaction, owned) : undefined;
    if (!before) throw accountNotFoundProblem(accountId);
    const profile = parseProfileUpdate(before, body);
    await replaceProfile(transaction, accountId, profile);
    return toProfile(profile);
  });
  return c.json(changed, 200);
};
