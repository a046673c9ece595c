import {
  getFlightInfoHealthRoute,
  getFlightInstanceRoute,
  listFlightInstancesRoute,
} from '../../../../generated/flight-info/v2/routes.gen.ts';
import { bindOperation, createApi, type Api } from '../../../http/handler/api.ts';
import type { Deps } from './deps.ts';
import { createHealthHandler } from './get-flight-info-health.ts';
import { getFlightInstance } from './get-flight-instance.ts';
import { listFlightInstances } from './list-flight-instances.ts';

/** The operations of Flight Info v2. */
export const flightInfoV2 = (deps: Deps): Api => {
  const api = createApi();
  bindOperation(api, listFlightInstancesRoute, ({ query }, context) => listFlightInstances(query, context, deps));
  bindOperation(api, getFlightInstanceRoute, (input, context) => getFlightInstance(input, context, deps));
  bindOperation(api, getFlightInfoHealthRoute, createHealthHandler(deps));
  return api;
};
