import type { Profile as WireProfile } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { Profile } from '../../../../store/alerts/alert-accounts.ts';

/** A profile as the contract has it: what is not told is null. */
export const toProfile = ({ secondaryEmail, content, ...rest }: Profile): WireProfile => ({
  firstName: rest.firstName,
  lastName: rest.lastName,
  email: rest.email,
  country: rest.country,
  companyName: rest.companyName,
  secondaryEmail: secondaryEmail === '' ? null : secondaryEmail,
  content: content === 'seats' ? 'seats' : null,
});
