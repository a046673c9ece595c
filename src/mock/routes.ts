import type { RouteConfig } from '@hono/zod-openapi';
import * as connectionsV1 from '../../generated/connections/v1/routes.gen.ts';
import * as flightInfoAlertsV1 from '../../generated/flight-info-alerts/v1/routes.gen.ts';
import * as flightInfoV1 from '../../generated/flight-info/v1/routes.gen.ts';
import * as flightInfoV2 from '../../generated/flight-info/v2/routes.gen.ts';
import * as masterDataV1 from '../../generated/master-data/v1/routes.gen.ts';
import * as schedulesV1 from '../../generated/schedules/v1/routes.gen.ts';

/** The routes of every product and version, under its address in the catalogue. */
export const routes: Readonly<Record<string, readonly RouteConfig[]>> = {
  'connections/v1': Object.values(connectionsV1),
  'flight-info-alerts/v1': Object.values(flightInfoAlertsV1),
  'flight-info/v1': Object.values(flightInfoV1),
  'flight-info/v2': Object.values(flightInfoV2),
  'master-data/v1': Object.values(masterDataV1),
  'schedules/v1': Object.values(schedulesV1),
};
