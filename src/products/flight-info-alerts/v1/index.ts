import {
  createAlertRoute,
  createProfileRoute,
  deleteProfileRoute,
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
import { bindOperation, createApi, type Api } from '../../../http/handler/api.ts';
import { createAlert } from './alerts/create-alert.ts';
import { createProfile } from './accounts/create-profile.ts';
import { deleteAlert } from './alerts/delete-alert.ts';
import { deleteProfile } from './accounts/delete-profile.ts';
import type { Deps } from './shared/deps.ts';
import { explainEvent } from './events/explain-event.ts';
import { getAccessKey } from './accounts/get-access-key.ts';
import { getAlert } from './alerts/get-alert.ts';
import { createHealthHandler } from './get-flight-info-alerts-health.ts';
import { getProfile } from './accounts/get-profile.ts';
import { getServiceStatus } from './get-service-status.ts';
import { listAlerts } from './alerts/list-alerts.ts';
import { createListEventsHandler } from './events/list-events.ts';
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
  const api = createApi();
  bindOperation(api, createProfileRoute, (input, context) => createProfile(input, context, deps));
  bindOperation(api, getProfileRoute, (input, context) => getProfile(input, context, deps));
  bindOperation(api, updateProfileRoute, (input, context) => updateProfile(input, context, deps));
  bindOperation(api, deleteProfileRoute, (input, context) => deleteProfile(input, context, deps));
  bindOperation(api, getServiceStatusRoute, () => getServiceStatus(deps));
  bindOperation(api, getFlightInfoAlertsHealthRoute, createHealthHandler(deps));
  bindOperation(api, listAlertsRoute, (input, context) => listAlerts(input, context, deps));
  bindOperation(api, createAlertRoute, (input, context) => createAlert(input, context, deps));
  bindOperation(api, updateAlertRoute, (input, context) => updateAlert(input, context, deps));
  bindOperation(api, getAlertRoute, (input, context) => getAlert(input, context, deps));
  bindOperation(api, deleteAlertRoute, (input, context) => deleteAlert(input, context, deps));
  bindOperation(api, previewAlertRoute, (input, context) => previewAlert(input, context, deps));
  bindOperation(api, listEventsRoute, createListEventsHandler(deps));
  bindOperation(api, explainEventRoute, (input, context) => explainEvent(input, context, deps));
  bindOperation(api, createPushEndpointRoute, (input, context) => createPushEndpoint(input, context, deps));
  bindOperation(api, deletePushEndpointRoute, (input, context) => deletePushEndpoint(input, context, deps));
  bindOperation(api, getPushEndpointRoute, (input, context) => getPushEndpoint(input, context, deps));
  bindOperation(api, getPushProgressRoute, (input, context) => getPushProgress(input, context, deps));
  bindOperation(api, listDeadLettersRoute, (input, context) => listDeadLetters(input, context, deps));
  bindOperation(api, listDeliveriesRoute, (input, context) => listDeliveries(input, context, deps));
  bindOperation(api, listPushEndpointsRoute, (input, context) => listPushEndpoints(input, context, deps));
  bindOperation(api, pingPushEndpointRoute, (input, context) => pingPushEndpoint(input, context, deps));
  bindOperation(api, redeliverRoute, (input, context) => redeliver(input, context, deps));
  bindOperation(api, rotatePushSecretRoute, (input, context) => rotatePushSecret(input, context, deps));
  bindOperation(api, updatePushEndpointRoute, (input, context) => updatePushEndpoint(input, context, deps));
  bindOperation(api, getAccessKeyRoute, (input, context) => getAccessKey(input, context, deps));
  return api;
};
