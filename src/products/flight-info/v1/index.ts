import { getFlightInfoHealthRoute, listFlightInstancesRoute } from '#generated/flight-info/v1/routes.gen.ts';
import { createApi, type ProductApi } from '#http/handler/create-api.ts';
import type { Deps } from '../v2/deps.ts';
import { createHealthHandler } from '../v2/get-flight-info-health.ts';
import { listFlightInstances } from './list-flight-instances.ts';

/** The operations of Flight Info v1. */
export const flightInfoV1 = (deps: Deps): ProductApi => {
  const api = createApi();
  api.openapi(listFlightInstancesRoute, (c) => listFlightInstances(c, deps));
  api.openapi(getFlightInfoHealthRoute, createHealthHandler(deps));
  return api;
};
