import type { z } from 'zod';
import type {
  zRedeliverBody,
  zUpdateAlertBody,
  zUpdateProfileBody,
  zUpdatePushEndpointBody,
} from '#generated/flight-info-alerts/v1/zod.gen.ts';

/** The validated body of a change of a profile, as the contract types it. */
export type ProfileBody = z.output<typeof zUpdateProfileBody>;

/** The validated body of a change of an endpoint. */
export type EndpointBody = z.output<typeof zUpdatePushEndpointBody>;

/** The validated body of a redelivery. */
export type RedeliveryBody = z.output<typeof zRedeliverBody>;

/** The members of a request body that describe an alert. */
export type AlertBody = Omit<z.output<typeof zUpdateAlertBody>, 'alertId'>;
