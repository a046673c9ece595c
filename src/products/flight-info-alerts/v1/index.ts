import {
  createAlertRoute,
  createProfileRoute,
  deleteAlertRoute,
  explainEventRoute,
  getAccessKeyRoute,
  getAlertRoute,
  getFlightInfoAlertsHealthRoute,
  getProfileRoute,
  getServiceStatusRoute,
  listAlertsRoute,
  listEventsRoute,
  previewAlertRoute,
  updateAlertRoute,
  updateProfileRoute,
  createPushEndpointRoute,
  deletePushEndpointRoute,
  getPushEndpointRoute,
  getPushProgressRoute,
  listDeadLettersRoute,
  listDeliveriesRoute,
  listPushEndpointsRoute,
  pingPushEndpointRoute,
  redeliverRoute,
  rotatePushSecretRoute,
  updatePushEndpointRoute,
} from '../../../../generated/flight-info-alerts/v1/routes.gen.ts';
import { bind, newApi, type Api } from '../../../http/handler/api.ts';
import { createAlert } from './alerts/create-alert.ts';
import { createProfile } from './accounts/create-profile.ts';
import { deleteAlert } from './alerts/delete-alert.ts';
import type { Deps } from './shared/deps.ts';
import { explainEvent } from './events/explain-event.ts';
import { getAccessKey } from './accounts/get-access-key.ts';
import { getAlert } from './alerts/get-alert.ts';
import { getFlightInfoAlertsHealth } from './get-flight-info-alerts-health.ts';
import { getProfile } from './accounts/get-profile.ts';
import { getServiceStatus } from './get-service-status.ts';
import { listAlerts } from './alerts/list-alerts.ts';
import { createListEvents } from './events/list-events.ts';
import { previewAlert } from './alerts/preview-alert.ts';
import { updateAlert } from './alerts/update-alert.ts';
import { updateProfile } from './accounts/update-profile.ts';
import { createPushEndpoint } from './endpoints/create-push-endpoint.ts';
import { deletePushEndpoint } from './endpoints/delete-push-endpoint.ts';
import { getPushEndpoint } from './endpoints/get-push-endpoint.ts';
import { getPushProgress } from './endpoints/get-push-progress.ts';
import { listDeadLetters } from './deliveries/list-dead-letters.ts';
import { listDeliveries } from './deliveries/list-deliveries.ts';
import { listPushEndpoints } from './endpoints/list-push-endpoints.ts';
import { pingPushEndpoint } from './deliveries/ping-push-endpoint.ts';
import { redeliver } from './deliveries/redeliver.ts';
import { rotatePushSecret } from './endpoints/rotate-push-secret.ts';
import { updatePushEndpoint } from './endpoints/update-push-endpoint.ts';

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
  bind(api, previewAlertRoute, (input, context) => previewAlert(input, context, deps));
  bind(api, listEventsRoute, createListEvents(deps));
  bind(api, explainEventRoute, (input, context) => explainEvent(input, context, deps));
  bind(api, createPushEndpointRoute, (input, context) => createPushEndpoint(input, context, deps));
  bind(api, deletePushEndpointRoute, (input, context) => deletePushEndpoint(input, context, deps));
  bind(api, getPushEndpointRoute, (input, context) => getPushEndpoint(input, context, deps));
  bind(api, getPushProgressRoute, (input, context) => getPushProgress(input, context, deps));
  bind(api, listDeadLettersRoute, (input, context) => listDeadLetters(input, context, deps));
  bind(api, listDeliveriesRoute, (input, context) => listDeliveries(input, context, deps));
  bind(api, listPushEndpointsRoute, (input, context) => listPushEndpoints(input, context, deps));
  bind(api, pingPushEndpointRoute, (input, context) => pingPushEndpoint(input, context, deps));
  bind(api, redeliverRoute, (input, context) => redeliver(input, context, deps));
  bind(api, rotatePushSecretRoute, (input, context) => rotatePushSecret(input, context, deps));
  bind(api, updatePushEndpointRoute, (input, context) => updatePushEndpoint(input, context, deps));
  bind(api, getAccessKeyRoute, (input, context) => getAccessKey(input, context, deps));
  return api;
};
