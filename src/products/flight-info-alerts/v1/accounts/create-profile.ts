import type { CreatedAccount } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { type HttpResponse, jsonResponse } from '../../../../http/response/http-response.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { insertAccount } from '../../../../store/alerts/alert-accounts.ts';
import { runIdempotently } from '../shared/idempotency.ts';
import { parseProfileUpdate, emptyProfile } from './parse-profile.ts';
import type { Deps } from '../shared/deps.ts';
import { getSubscriptionId } from '../shared/account-access.ts';
import { rejectBeyondLimit } from '../shared/reject-beyond-limit.ts';
import type { CreateProfileInput } from '../shared/routes.ts';

/** POST /flight-info-alerts/profile: creates an account of the caller's subscription. */
export const createProfile = async (
  { body, headers }: CreateProfileInput,
  context: RequestContext,
  deps: Deps,
): Promise<HttpResponse<201, CreatedAccount>> => {
  const request = { context, key: headers['Idempotency-Key'], body };
  const created = await runIdempotently<CreatedAccount>(deps, request, async (sql) => {
    const profile = parseProfileUpdate(emptyProfile, body);
    await rejectBeyondLimit(sql, 'accounts', { ...deps, context });
    return { accountId: await insertAccount(sql, getSubscriptionId(context), { profile, now: deps.clock() }) };
  });
  const location = `${context.baseUrl}/flight-info-alerts/profile/${created.accountId}?version=${context.version}`;
  return jsonResponse(201, created, { Location: location });
};
