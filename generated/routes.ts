// Generated from the documents under spec/ by `make generate`; do not edit.
import type { RouteConfig } from '@hono/zod-openapi';
import * as routes0 from './connections/v1/routes.gen.ts';
import * as routes1 from './flight-info/v1/routes.gen.ts';
import * as routes2 from './flight-info/v2/routes.gen.ts';
import * as routes3 from './flight-info-alerts/v1/routes.gen.ts';
import * as routes4 from './master-data/v1/routes.gen.ts';
import * as routes5 from './schedules/v1/routes.gen.ts';
import * as routes6 from './status-feed/v1/routes.gen.ts';

export const routesByVersion: Readonly<Record<string, readonly RouteConfig[]>> = {
  'connections/v1': Object.values(routes0),
  'flight-info/v1': Object.values(routes1),
  'flight-info/v2': Object.values(routes2),
  'flight-info-alerts/v1': Object.values(routes3),
  'master-data/v1': Object.values(routes4),
  'schedules/v1': Object.values(routes5),
  'status-feed/v1': Object.values(routes6),
};
