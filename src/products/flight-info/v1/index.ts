import { getFlightInfoHealthRoute, listFlightInstancesRoute } from '../../../../generated/flight-info/v1/routes.gen.ts';
import { bindOperation, createApi, type Api } from '../../../http/handler/api.ts';
import type { Deps } from '../v2/deps.ts';
import { createHealthHandler } from '../v2/get-flight-info-health.ts';
import { listFlightInstances } from './list-flight-instances.ts';

/** The operations of Flight Info v1. */
export const flightInfoV1 = (deps: Deps): Api => {
  const api = createApi();
  bindOperation(api, listFlightInstancesRoute, ({ query }, context) => listFlightInstances(query, context, deps));
  bindOperation(api, getFlightInfoHealthRoute, createHealthHandler(deps));
  return api;
};
