import type { Profile } from '#store/alerts/alert-accounts.ts';
import type { z } from 'zod';
import type { zUpdateProfileBody } from '#generated/flight-info-alerts/v1/zod.gen.ts';

/** The validated body of a change of a profile, as the contract types it. */
export type ProfileBody = z.output<typeof zUpdateProfileBody>;

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
