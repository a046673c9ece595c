import {
  createAlertRoute,
  createProfileRoute,
  deleteAlertRoute,
  getAlertRoute,
  getFlightInfoAlertsHealthRoute,
  getProfileRoute,
  getServiceStatusRoute,
  listAlertsRoute,
  updateAlertRoute,
  updateProfileRoute,
} from '../../../../generated/flight-info-alerts/v1/routes.gen.ts';
import { bind, newApi, type Api } from '../../../http/api.ts';
import { createAlert } from './create-alert.ts';
import { createProfile } from './create-profile.ts';
import { deleteAlert } from './delete-alert.ts';
import type { Deps } from './deps.ts';
import { getAlert } from './get-alert.ts';
import { getFlightInfoAlertsHealth } from './get-flight-info-alerts-health.ts';
import { getProfile } from './get-profile.ts';
import { getServiceStatus } from './get-service-status.ts';
import { listAlerts } from './list-alerts.ts';
import { updateAlert } from './update-alert.ts';
import { updateProfile } from './update-profile.ts';

/** The operations of Flight Info Alerts v1. */
export const flightInfoAlertsV1 = (deps: Deps): Api => {
  const api = newApi();
  bind(api, createProfileRoute, (input, context) => createProfile(input, context, deps));
  bind(api, getProfileRoute, (input, context) => getProfile(input, context, deps));
  bind(api, updateProfileRoute, (input, context) => updateProfile(input, context, deps));
  bind(api, getServiceStatusRoute, () => getServiceStatus(deps));
  bind(api, getFlightInfoAlertsHealthRoute, () => getFlightInfoAlertsHealth(deps));
  bind(api, listAlertsRoute, (input, context) => listAlerts(input, context, deps));
  bind(api, createAlertRoute, (input, context) => createAlert(input, context, deps));
  bind(api, updateAlertRoute, (input, context) => updateAlert(input, context, deps));
  bind(api, getAlertRoute, (input, context) => getAlert(input, context, deps));
  bind(api, deleteAlertRoute, (input, context) => deleteAlert(input, context, deps));
  return api;
};
