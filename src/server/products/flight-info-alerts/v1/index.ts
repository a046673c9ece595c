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
} from '#generated/flight-info-alerts/v1/routes.gen.ts';
import { createApi, type ProductApi } from '#http/handler/create-api.ts';
import { assertAlertsReadable } from '#store/alerts/alerts.ts';
import { readFromReplica } from '#http/middleware/replica-reads.ts';
import { createAlert } from './alerts/create-alert.ts';
import { createProfile } from './accounts/create-profile.ts';
import { deleteAlert } from './alerts/delete-alert.ts';
import { deleteProfile } from './accounts/delete-profile.ts';
import type { Deps } from './shared/deps.ts';
import { explainEvent } from './events/explain-event.ts';
import { getAccessKey } from './accounts/get-access-key.ts';
import { getAlert } from './alerts/get-alert.ts';
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
export const flightInfoAlertsV1 = (deps: Deps): ProductApi => {
  const api = createApi({
    reads: 'primary',
    unlocked: [previewAlertRoute, pingPushEndpointRoute],
    otherMembers: { GA: 'gaFlights', Unscheduled: 'unscheduledFlights' },
  });
  api.openapi(createProfileRoute, (c) => createProfile(c, deps));
  api.openapi(getProfileRoute, (c) => readFromReplica(c, deps.sql, (sql) => getProfile(c, { ...deps, sql })));
  api.openapi(updateProfileRoute, (c) => updateProfile(c, deps));
  api.openapi(deleteProfileRoute, (c) => deleteProfile(c, deps));
  api.openapi(getServiceStatusRoute, (c) =>
    readFromReplica(c, deps.sql, (sql) => getServiceStatus(c, { ...deps, sql })),
  );
  api.openapi(getFlightInfoAlertsHealthRoute, deps.health.createHandler('flightInfoAlerts', assertAlertsReadable));
  api.openapi(listAlertsRoute, (c) => readFromReplica(c, deps.sql, (sql) => listAlerts(c, { ...deps, sql })));
  api.openapi(createAlertRoute, (c) => createAlert(c, deps));
  api.openapi(updateAlertRoute, (c) => updateAlert(c, deps));
  api.openapi(getAlertRoute, (c) => readFromReplica(c, deps.sql, (sql) => getAlert(c, { ...deps, sql })));
  api.openapi(deleteAlertRoute, (c) => deleteAlert(c, deps));
  api.openapi(previewAlertRoute, (c) => previewAlert(c, deps));
  api.openapi(listEventsRoute, createListEventsHandler(deps));
  api.openapi(explainEventRoute, (c) => readFromReplica(c, deps.sql, (sql) => explainEvent(c, { ...deps, sql })));
  api.openapi(createPushEndpointRoute, (c) => createPushEndpoint(c, deps));
  api.openapi(deletePushEndpointRoute, (c) => deletePushEndpoint(c, deps));
  api.openapi(getPushEndpointRoute, (c) => readFromReplica(c, deps.sql, (sql) => getPushEndpoint(c, { ...deps, sql })));
  api.openapi(getPushProgressRoute, (c) => readFromReplica(c, deps.sql, (sql) => getPushProgress(c, { ...deps, sql })));
  api.openapi(listDeadLettersRoute, (c) => readFromReplica(c, deps.sql, (sql) => listDeadLetters(c, { ...deps, sql })));
  api.openapi(listDeliveriesRoute, (c) => readFromReplica(c, deps.sql, (sql) => listDeliveries(c, { ...deps, sql })));
  api.openapi(listPushEndpointsRoute, (c) =>
    readFromReplica(c, deps.sql, (sql) => listPushEndpoints(c, { ...deps, sql })),
  );
  api.openapi(pingPushEndpointRoute, (c) => pingPushEndpoint(c, deps));
  api.openapi(redeliverRoute, (c) => redeliver(c, deps));
  api.openapi(rotatePushSecretRoute, (c) => rotatePushSecret(c, deps));
  api.openapi(updatePushEndpointRoute, (c) => updatePushEndpoint(c, deps));
  api.openapi(getAccessKeyRoute, (c) => getAccessKey(c, deps));
  return api;
};
