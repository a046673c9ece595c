import {
  getCarrierRoute,
  getEquipmentRoute,
  getLocationRoute,
  getMasterDataHealthRoute,
  listCarriersRoute,
  listEquipmentRoute,
  listLocationsRoute,
} from '../../../../generated/master-data/v1/routes.gen.ts';
import { bindOperation, createApi, type Api } from '../../../http/handler/api.ts';
import type { Deps } from './deps.ts';
import { getCarrier } from './get-carrier.ts';
import { getEquipment } from './get-equipment.ts';
import { getLocation } from './get-location.ts';
import { createHealthHandler } from './get-master-data-health.ts';
import { listCarriers } from './list-carriers.ts';
import { listEquipment } from './list-equipment.ts';
import { listLocations } from './list-locations.ts';

/** The operations of Master Data v1. */
export const masterDataV1 = (deps: Deps): Api => {
  const api = createApi();
  bindOperation(api, listLocationsRoute, ({ query }, context) => listLocations(query, context, deps));
  bindOperation(api, getLocationRoute, (input) => getLocation(input, deps));
  bindOperation(api, listCarriersRoute, ({ query }, context) => listCarriers(query, context, deps));
  bindOperation(api, getCarrierRoute, (input) => getCarrier(input, deps));
  bindOperation(api, listEquipmentRoute, ({ query }, context) => listEquipment(query, context, deps));
  bindOperation(api, getEquipmentRoute, (input) => getEquipment(input, deps));
  bindOperation(api, getMasterDataHealthRoute, createHealthHandler(deps));
  return api;
};
