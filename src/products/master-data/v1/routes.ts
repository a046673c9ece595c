import type {
  getCarrierRoute,
  getEquipmentRoute,
  getLocationRoute,
  listCarriersRoute,
  listEquipmentRoute,
  listLocationsRoute,
} from '../../../../generated/master-data/v1/routes.gen.ts';
import type { OperationInput } from '../../../http/context/operation-input.ts';

/** The validated queries of the searches, as the contract types them. */
export type LocationsQuery = OperationInput<typeof listLocationsRoute>['query'];
export type CarriersQuery = OperationInput<typeof listCarriersRoute>['query'];
export type EquipmentQuery = OperationInput<typeof listEquipmentRoute>['query'];

/** The validated parts of the requests for one record. */
export type LocationInput = OperationInput<typeof getLocationRoute>;
export type CarrierInput = OperationInput<typeof getCarrierRoute>;
export type EquipmentInput = OperationInput<typeof getEquipmentRoute>;
