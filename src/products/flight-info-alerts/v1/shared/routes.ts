import type {
  createAlertRoute,
  createProfileRoute,
  createPushEndpointRoute,
  deleteAlertRoute,
  deletePushEndpointRoute,
  explainEventRoute,
  getAccessKeyRoute,
  getAlertRoute,
  getProfileRoute,
  getPushEndpointRoute,
  getPushProgressRoute,
  listAlertsRoute,
  listDeadLettersRoute,
  listDeliveriesRoute,
  listPushEndpointsRoute,
  pingPushEndpointRoute,
  previewAlertRoute,
  redeliverRoute,
  rotatePushSecretRoute,
  updateAlertRoute,
  updateProfileRoute,
  updatePushEndpointRoute,
} from '../../../../../generated/flight-info-alerts/v1/routes.gen.ts';
import type { InputOf } from '../../../../http/handler/api.ts';

/** The validated parts of each request, as the contract types them. */
export type CreateProfileInput = InputOf<typeof createProfileRoute>;
export type GetProfileInput = InputOf<typeof getProfileRoute>;
export type UpdateProfileInput = InputOf<typeof updateProfileRoute>;
export type ListAlertsInput = InputOf<typeof listAlertsRoute>;
export type CreateAlertInput = InputOf<typeof createAlertRoute>;
export type UpdateAlertInput = InputOf<typeof updateAlertRoute>;
export type GetAccessKeyInput = InputOf<typeof getAccessKeyRoute>;
export type GetAlertInput = InputOf<typeof getAlertRoute>;
export type DeleteAlertInput = InputOf<typeof deleteAlertRoute>;
export type ExplainEventInput = InputOf<typeof explainEventRoute>;
export type PreviewAlertInput = InputOf<typeof previewAlertRoute>;
export type CreatePushEndpointInput = InputOf<typeof createPushEndpointRoute>;
export type DeletePushEndpointInput = InputOf<typeof deletePushEndpointRoute>;
export type GetPushEndpointInput = InputOf<typeof getPushEndpointRoute>;
export type GetPushProgressInput = InputOf<typeof getPushProgressRoute>;
export type ListDeadLettersInput = InputOf<typeof listDeadLettersRoute>;
export type ListDeliveriesInput = InputOf<typeof listDeliveriesRoute>;
export type ListPushEndpointsInput = InputOf<typeof listPushEndpointsRoute>;
export type PingPushEndpointInput = InputOf<typeof pingPushEndpointRoute>;
export type RedeliverInput = InputOf<typeof redeliverRoute>;
export type RotatePushSecretInput = InputOf<typeof rotatePushSecretRoute>;
export type UpdatePushEndpointInput = InputOf<typeof updatePushEndpointRoute>;

/** What a body says of an alert beside whose it is. */
export type AlertBody = Omit<UpdateAlertInput['body'], 'alertId'>;
