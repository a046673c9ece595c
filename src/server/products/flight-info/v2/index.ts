import {
  getFlightInfoHealthRoute,
  getFlightInstanceRoute,
  listFlightInstancesRoute,
} from '#generated/flight-info/v2/routes.gen.ts';
import { createApi, type ProductApi } from '#http/handler/create-api.ts';
import { assertInstancesReadable } from '#store/flights/flight-instances.ts';
import type { Deps } from './deps.ts';
import { getFlightInstance } from './get-flight-instance.ts';
import { listFlightInstances } from './list-flight-instances.ts';

/** The operations of Flight Info v2. */
export const flightInfoV2 = (deps: Deps): ProductApi => {
  const api = createApi({ reads: 'replica', cached: [listFlightInstancesRoute] });
  api.openapi(listFlightInstancesRoute, (c) => listFlightInstances(c, deps));
  api.openapi(getFlightInstanceRoute, (c) => getFlightInstance(c, deps));
  api.openapi(getFlightInfoHealthRoute, deps.health.createHandler('flightInfo', assertInstancesReadable));
  return api;
};
