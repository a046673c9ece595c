import type {
  createAlertRoute,
  createProfileRoute,
  createPushEndpointRoute,
  deleteAlertRoute,
  deleteProfileRoute,
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
import type { OperationInput } from '../../../../http/context/operation-input.ts';

/** The validated parts of each request, as the contract types them. */
export type CreateProfileInput = OperationInput<typeof createProfileRoute>;
export type GetProfileInput = OperationInput<typeof getProfileRoute>;
export type UpdateProfileInput = OperationInput<typeof updateProfileRoute>;
export type DeleteProfileInput = OperationInput<typeof deleteProfileRoute>;
export type ListAlertsInput = OperationInput<typeof listAlertsRoute>;
export type CreateAlertInput = OperationInput<typeof createAlertRoute>;
export type UpdateAlertInput = OperationInput<typeof updateAlertRoute>;
export type GetAccessKeyInput = OperationInput<typeof getAccessKeyRoute>;
export type GetAlertInput = OperationInput<typeof getAlertRoute>;
export type DeleteAlertInput = OperationInput<typeof deleteAlertRoute>;
export type ExplainEventInput = OperationInput<typeof explainEventRoute>;
export type PreviewAlertInput = OperationInput<typeof previewAlertRoute>;
export type CreatePushEndpointInput = OperationInput<typeof createPushEndpointRoute>;
export type DeletePushEndpointInput = OperationInput<typeof deletePushEndpointRoute>;
export type GetPushEndpointInput = OperationInput<typeof getPushEndpointRoute>;
export type GetPushProgressInput = OperationInput<typeof getPushProgressRoute>;
export type ListDeadLettersInput = OperationInput<typeof listDeadLettersRoute>;
export type ListDeliveriesInput = OperationInput<typeof listDeliveriesRoute>;
export type ListPushEndpointsInput = OperationInput<typeof listPushEndpointsRoute>;
export type PingPushEndpointInput = OperationInput<typeof pingPushEndpointRoute>;
export type RedeliverInput = OperationInput<typeof redeliverRoute>;
export type RotatePushSecretInput = OperationInput<typeof rotatePushSecretRoute>;
export type UpdatePushEndpointInput = OperationInput<typeof updatePushEndpointRoute>;

/** The members of a request body that describe an alert. */
export type AlertBody = Omit<UpdateAlertInput['body'], 'alertId'>;
