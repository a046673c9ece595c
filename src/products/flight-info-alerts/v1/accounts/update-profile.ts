import type { Profile } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { RequestContext } from '../../../../http/router/request-context.ts';
import { findProfile, lockAccount, replaceProfile } from '../../../../store/alerts/alert-accounts.ts';
import { changeProfile } from './parse-profile.ts';
import type { Deps } from '../shared/deps.ts';
import { noAccount, ownedBy } from '../shared/owner.ts';
import type { UpdateProfileInput } from '../shared/routes.ts';
import { showProfile } from './to-profile.ts';

/** PATCH /flight-info-alerts/profile/{accountId}: what the body has, and nothing else. */
export const updateProfile = async (
  { params: { accountId }, body }: UpdateProfileInput,
  context: RequestContext,
  { sql }: Deps,
): Promise<Profile> =>
  sql.begin(async (transaction) => {
    const owned = ownedBy(context, accountId);
    const before = (await lockAccount(transaction, owned)) ? await findProfile(transaction, owned) : undefined;
    if (!before) throw noAccount(accountId);
    const profile = changeProfile(before, body);
    await replaceProfile(transaction, accountId, profile);
    return showProfile(profile);
  });
