import type { CreatedAccount } from '../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { answer, type Answer } from '../../../http/rendered.ts';
import type { RequestContext } from '../../../http/request-context.ts';
import { createAccount } from '../../../store/alert-accounts.ts';
import { answerOnce } from './answer-once.ts';
import { changeProfile, noProfile } from './ask-profile.ts';
import type { Deps } from './deps.ts';
import { subscriptionOf } from './owner.ts';
import type { CreateProfileInput } from './routes.ts';

/** POST /flight-info-alerts/profile: an account of the subscription that asks. */
export const createProfile = async (
  { body, headers }: CreateProfileInput,
  context: RequestContext,
  deps: Deps,
): Promise<Answer<201, CreatedAccount>> => {
  const request = { context, key: headers['Idempotency-Key'], body };
  const made = await answerOnce<CreatedAccount>(deps, request, async (sql) => {
    const profile = changeProfile(noProfile, body);
    return { accountId: await createAccount(sql, subscriptionOf(context), { profile, now: deps.clock() }) };
  });
  const location = `${context.base}/flight-info-alerts/profile/${made.accountId}?version=${context.version}`;
  return answer(201, made, { Location: location });
};
