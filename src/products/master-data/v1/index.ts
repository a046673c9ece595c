import {
  getCarrierRoute,
  getEquipmentRoute,
  getLocationRoute,
  getMasterDataHealthRoute,
  listCarriersRoute,
  listEquipmentRoute,
  listLocationsRoute,
} from '../../../../generated/master-data/v1/routes.gen.ts';
import { bind, newApi, type Api } from '../../../http/handler/api.ts';
import type { Deps } from './deps.ts';
import { getCarrier } from './get-carrier.ts';
import { getEquipment } from './get-equipment.ts';
import { getLocation } from './get-location.ts';
import { getMasterDataHealth } from './get-master-data-health.ts';
import { listCarriers } from './list-carriers.ts';
import { listEquipment } from './list-equipment.ts';
import { listLocations } from './list-locations.ts';

/** The operations of Master Data v1. */
export const masterDataV1 = (deps: Deps): Api => {
  const api = newApi();
  bind(api, listLocationsRoute, ({ query }, context) => listLocations(query, context, deps));
  bind(api, getLocationRoute, (input) => getLocation(input, deps));
  bind(api, listCarriersRoute, ({ query }, context) => listCarriers(query, context, deps));
  bind(api, getCarrierRoute, (input) => getCarrier(input, deps));
  bind(api, listEquipmentRoute, ({ query }, context) => listEquipment(query, context, deps));
  bind(api, getEquipmentRoute, (input) => getEquipment(input, deps));
  bind(api, getMasterDataHealthRoute, () => getMasterDataHealth(deps));
  return api;
};
