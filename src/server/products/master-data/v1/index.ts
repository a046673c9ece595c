import {
  getCarrierRoute,
  getEquipmentRoute,
  getLocationRoute,
  getMasterDataHealthRoute,
  getSourceRoute,
  listCarriersRoute,
  listEquipmentRoute,
  listLocationsRoute,
} from '#generated/master-data/v1/routes.gen.ts';
import { createApi, type ProductApi } from '#http/handler/create-api.ts';
import { assertMasterDataReadable } from '#store/master-data/master-data-facts.ts';
import type { Deps } from './deps.ts';
import { getCarrier } from './get-carrier.ts';
import { getEquipment } from './get-equipment.ts';
import { getLocation } from './get-location.ts';
import { getSource } from './get-source.ts';
import { listCarriers } from './list-carriers.ts';
import { listEquipment } from './list-equipment.ts';
import { listLocations } from './list-locations.ts';

/** The operations of Master Data v1. */
export const masterDataV1 = (deps: Deps): ProductApi => {
  const api = createApi({ reads: 'memory' });
  api.openapi(listLocationsRoute, (c) => listLocations(c, deps));
  api.openapi(getLocationRoute, (c) => getLocation(c, deps));
  api.openapi(listCarriersRoute, (c) => listCarriers(c, deps));
  api.openapi(getCarrierRoute, (c) => getCarrier(c, deps));
  api.openapi(listEquipmentRoute, (c) => listEquipment(c, deps));
  api.openapi(getEquipmentRoute, (c) => getEquipment(c, deps));
  api.openapi(getSourceRoute, (c) => getSource(c, deps));
  api.openapi(getMasterDataHealthRoute, deps.health.createHandler('masterData', assertMasterDataReadable));
  return api;
};
