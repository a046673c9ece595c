import type { getProfileRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { findProfile } from '#store/alerts/alert-accounts.ts';
import type { Deps } from '../shared/deps.ts';
import { accountNotFoundProblem, withOwner } from '../shared/account-access.ts';
import { toProfile } from './to-profile.ts';

/** GET /flight-info-alerts/profile/{accountId}. */
export const getProfile = async (c: OperationContext<typeof getProfileRoute>, { sql }: Deps) => {
  const { accountId } = c.req.valid('param');
  const variables = c.var;
  const profile = await findProfile(sql, withOwner(variables, accountId));
  if (!profile) throw accountNotFoundProblem(accountId);
  return c.json(toProfile(profile), 200);
};
