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
export type { Timing } from './timing.ts';
export type { Fetch, ResponseHead } from './transport.ts';
export {
  verifyWebhook,
  WebhookVerificationError,
  type WebhookEvent,
  type WebhookRefusal,
  type WebhookRequest,
} from './verify-webhook.ts';
/** The operations of each product, and its request and response types, generated from its document. */
export type * from '../../generated/products.ts';
