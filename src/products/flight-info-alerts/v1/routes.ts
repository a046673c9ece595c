import type {
  createAlertRoute,
  createProfileRoute,
  deleteAlertRoute,
  getAlertRoute,
  getProfileRoute,
  listAlertsRoute,
  updateAlertRoute,
  updateProfileRoute,
} from '../../../../generated/flight-info-alerts/v1/routes.gen.ts';
import type { InputOf } from '../../../http/api.ts';

/** The validated parts of each request, as the contract types them. */
export type CreateProfileInput = InputOf<typeof createProfileRoute>;
export type GetProfileInput = InputOf<typeof getProfileRoute>;
export type UpdateProfileInput = InputOf<typeof updateProfileRoute>;
export type ListAlertsInput = InputOf<typeof listAlertsRoute>;
export type CreateAlertInput = InputOf<typeof createAlertRoute>;
export type UpdateAlertInput = InputOf<typeof updateAlertRoute>;
export type GetAlertInput = InputOf<typeof getAlertRoute>;
export type DeleteAlertInput = InputOf<typeof deleteAlertRoute>;

/** What a body says of an alert beside whose it is. */
export type AskedAlert = Omit<UpdateAlertInput['body'], 'alertId'>;
