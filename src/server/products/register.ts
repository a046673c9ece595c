import type { ProductApi } from '../http/handler/create-api.ts';
import type { Deps as ConnectionsDeps } from './connections/v1/deps.ts';
import { connectionsV1 } from './connections/v1/index.ts';
import type { Deps as AlertsDeps } from './flight-info-alerts/v1/shared/deps.ts';
import { flightInfoAlertsV1 } from './flight-info-alerts/v1/index.ts';
import { flightInfoV1 } from './flight-info/v1/index.ts';
import type { Deps } from './flight-info/v2/deps.ts';
import { flightInfoV2 } from './flight-info/v2/index.ts';
import type { Deps as MasterDataDeps } from './master-data/v1/deps.ts';
import { masterDataV1 } from './master-data/v1/index.ts';
import { schedulesV1 } from './schedules/v1/index.ts';
import type { Deps as StatusFeedDeps } from './status-feed/v1/deps.ts';
import { statusFeedV1 } from './status-feed/v1/index.ts';

/** Dependencies of all products together. */
export type ProductDeps = Deps & MasterDataDeps & ConnectionsDeps & AlertsDeps & StatusFeedDeps;

/** Creates the application of every product version, by its path in the catalog. */
export const createVersions = (deps: ProductDeps): Readonly<Record<string, ProductApi>> => ({
  'connections/v1': connectionsV1(deps),
  'flight-info-alerts/v1': flightInfoAlertsV1(deps),
  'flight-info/v1': flightInfoV1(deps),
  'flight-info/v2': flightInfoV2(deps),
  'master-data/v1': masterDataV1(deps),
  'schedules/v1': schedulesV1(deps),
  'status-feed/v1': statusFeedV1(deps),
});
