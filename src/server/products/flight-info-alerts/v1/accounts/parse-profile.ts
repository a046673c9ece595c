import type { Profile } from '#store/alerts/alert-accounts.ts';
import type { ProfileBody } from '../shared/routes.ts';

/** A text that a body can leave unchanged (undefined) or clear (null). */
const mergeText = (text: string | null | undefined, before: string): string =>
  text === undefined ? before : (text ?? '');

/** Returns a profile with the members of a body applied. */
export const parseProfileUpdate = (before: Profile, body: ProfileBody): Profile => ({
  firstName: body.firstName ?? before.firstName,
  lastName: body.lastName ?? before.lastName,
  email: body.email ?? before.email,
  country: body.country?.toUpperCase() ?? before.country,
  companyName: body.companyName ?? before.companyName,
  secondaryEmail: mergeText(body.secondaryEmail, before.secondaryEmail),
  content: mergeText(body.content, before.content).toLowerCase(),
});

/** The profile of an account without data. */
export const emptyProfile: Profile = {
  firstName: '',
  lastName: '',
  email: '',
  country: '',
  companyName: '',
  secondaryEmail: '',
  content: '',
};
