import type { Profile } from '../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { RequestContext } from '../../../http/request-context.ts';
import { findProfile, lockAccount, replaceProfile } from '../../../store/alert-accounts.ts';
import { changeProfile } from './ask-profile.ts';
import type { Deps } from './deps.ts';
import { noAccount, ownedBy } from './owner.ts';
import type { UpdateProfileInput } from './routes.ts';
import { showProfile } from './show-profile.ts';

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
