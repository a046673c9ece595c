export {
  createFlightDataClient,
  type FlightDataClient,
  type FlightDataClientOptions,
} from './create-flight-data-client.ts';
export type { DeprecationNotice } from './deprecation.ts';
export type { Events, EventsOptions } from './events.ts';
export type { Call, CallSettings } from './operation.ts';
export type { Pages } from './pages.ts';
export {
  FlightDataConnectionError,
  FlightDataProblem,
  ForeignLinkError,
  NotModified,
  type ConnectionFailure,
  type ProblemErrors,
} from './problem.ts';
export type { Connections, FlightInfo, FlightInfoAlerts, MasterData, Schedules } from './products.ts';
export type { Timing } from './timing.ts';
export type { Fetch, ResponseHead } from './transport.ts';
export {
  verifyWebhook,
  WebhookVerificationError,
  type WebhookEvent,
  type WebhookRefusal,
  type WebhookRequest,
} from './verify-webhook.ts';
/** Request and response types of each product, generated from its document. */
export type * as ConnectionsTypes from '../../generated/connections/v1/types.gen.ts';
export type * as FlightInfoAlertsTypes from '../../generated/flight-info-alerts/v1/types.gen.ts';
export type * as FlightInfoTypes from '../../generated/flight-info/v2/types.gen.ts';
export type * as MasterDataTypes from '../../generated/master-data/v1/types.gen.ts';
export type * as SchedulesTypes from '../../generated/schedules/v1/types.gen.ts';
