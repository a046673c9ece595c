import type { Profile as WireProfile } from '#generated/flight-info-alerts/v1/types.gen.ts';
import type { Profile } from '#store/alerts/alert-accounts.ts';

/** Returns the wire form of a profile: members without a value are null. */
export const toProfile = ({ secondaryEmail, content, ...rest }: Profile): WireProfile => ({
  firstName: rest.firstName,
  lastName: rest.lastName,
  email: rest.email,
  country: rest.country,
  companyName: rest.companyName,
  secondaryEmail: secondaryEmail === '' ? null : secondaryEmail,
  content: content === 'seats' ? 'seats' : null,
});
