import type {
  getCarrierRoute,
  getEquipmentRoute,
  getLocationRoute,
  listCarriersRoute,
  listEquipmentRoute,
  listLocationsRoute,
} from '../../../../generated/master-data/v1/routes.gen.ts';
import type { InputOf } from '../../../http/handler/api.ts';

/** The validated queries of the searches, as the contract types them. */
export type LocationsQuery = InputOf<typeof listLocationsRoute>['query'];
export type CarriersQuery = InputOf<typeof listCarriersRoute>['query'];
export type EquipmentQuery = InputOf<typeof listEquipmentRoute>['query'];

/** The validated parts of the requests for one record. */
export type LocationInput = InputOf<typeof getLocationRoute>;
export type CarrierInput = InputOf<typeof getCarrierRoute>;
export type EquipmentInput = InputOf<typeof getEquipmentRoute>;
