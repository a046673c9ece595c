import { getFlightInfoHealthRoute, listFlightInstancesRoute } from '#generated/flight-info/v1/routes.gen.ts';
import { createApi, type ProductApi } from '#http/handler/create-api.ts';
import { assertInstancesReadable } from '#store/flights/flight-instances.ts';
import type { Deps } from '../v2/deps.ts';
import { listFlightInstances } from './list-flight-instances.ts';

/** The operations of Flight Info v1. */
export const flightInfoV1 = (deps: Deps): ProductApi => {
  const api = createApi({ reads: 'replica' });
  api.openapi(listFlightInstancesRoute, (c) => listFlightInstances(c, deps));
  api.openapi(getFlightInfoHealthRoute, deps.health.createHandler('flightInfo', assertInstancesReadable));
  return api;
};
