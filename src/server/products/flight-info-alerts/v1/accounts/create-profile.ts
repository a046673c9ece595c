import type { createProfileRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import type { CreatedAccount } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { insertAccount } from '#store/alerts/alert-accounts.ts';
import { runIdempotently } from '../shared/idempotency.ts';
import { parseProfileUpdate, emptyProfile } from './parse-profile.ts';
import type { Deps } from '../shared/deps.ts';
import { getSubscriptionId } from '../shared/account-access.ts';
import { rejectBeyondLimit } from '../shared/reject-beyond-limit.ts';

/** POST /flight-info-alerts/profile: creates an account of the caller's subscription. */
export const createProfile = async (c: OperationContext<typeof createProfileRoute>, deps: Deps) => {
  const body = c.req.valid('json');
  const headers = c.req.valid('header');
  const variables = c.var;
  const request = { variables, key: headers['Idempotency-Key'], body };
  const created = await runIdempotently<CreatedAccount>(deps, request, async (sql) => {
    const profile = parseProfileUpdate(emptyProfile, body);
    await rejectBeyondLimit(sql, 'accounts', { ...deps, variables });
    const accountId = await insertAccount(sql, getSubscriptionId(variables), { profile, now: deps.clock() });
    return { accountId, result: { accountId } };
  });
  const location = `${variables.baseUrl}/flight-info-alerts/profile/${created.accountId}?version=${variables.version}`;
  return c.json(created, 201, { Location: location });
};
