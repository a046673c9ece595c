import type { Profile } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { findProfile } from '../../../../store/alerts/alert-accounts.ts';
import type { Deps } from '../shared/deps.ts';
import { accountNotFoundProblem, withOwner } from '../shared/account-access.ts';
import type { GetProfileInput } from '../shared/routes.ts';
import { toProfile } from './to-profile.ts';

/** GET /flight-info-alerts/profile/{accountId}. */
export const getProfile = async (
  { params: { accountId } }: GetProfileInput,
  context: RequestContext,
  { sql }: Deps,
): Promise<Profile> => {
  const profile = await findProfile(sql, withOwner(context, accountId));
  if (!profile) throw accountNotFoundProblem(accountId);
  return toProfile(profile);
};
