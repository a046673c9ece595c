import type { Profile } from '../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { RequestContext } from '../../../http/request-context.ts';
import { findProfile } from '../../../store/alert-accounts.ts';
import type { Deps } from './deps.ts';
import { noAccount, ownedBy } from './owner.ts';
import type { GetProfileInput } from './routes.ts';
import { showProfile } from './show-profile.ts';

/** GET /flight-info-alerts/profile/{accountId}. */
export const getProfile = async (
  { params: { accountId } }: GetProfileInput,
  context: RequestContext,
  { sql }: Deps,
): Promise<Profile> => {
  const profile = await findProfile(sql, ownedBy(context, accountId));
  if (!profile) throw noAccount(accountId);
  return showProfile(profile);
};
