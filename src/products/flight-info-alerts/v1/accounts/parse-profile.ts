import type { Profile } from '../../../../store/alerts/alert-accounts.ts';
import type { UpdateProfileInput } from '../shared/routes.ts';

type ProfileBody = UpdateProfileInput['body'];

/** A text that a body can leave as it is (undefined) or take away (null). */
const mergeText = (asked: string | null | undefined, before: string): string =>
  asked === undefined ? before : (asked ?? '');

/** A profile after a change. */
export const parseProfileUpdate = (before: Profile, asked: ProfileBody): Profile => ({
  firstName: asked.firstName ?? before.firstName,
  lastName: asked.lastName ?? before.lastName,
  email: asked.email ?? before.email,
  country: asked.country?.toUpperCase() ?? before.country,
  companyName: asked.companyName ?? before.companyName,
  secondaryEmail: mergeText(asked.secondaryEmail, before.secondaryEmail),
  content: mergeText(asked.content, before.content).toLowerCase(),
});

/** A profile in which nothing is told yet. */
export const emptyProfile: Profile = {
  firstName: '',
  lastName: '',
  email: '',
  country: '',
  companyName: '',
  secondaryEmail: '',
  content: '',
};
