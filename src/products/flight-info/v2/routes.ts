import type {
  listFlightInstancesRoute,
  getFlightInstanceRoute,
} from '../../../../generated/flight-info/v2/routes.gen.ts';
import type { OperationInput } from '../../../http/context/operation-input.ts';

/** The validated query of the search, as the contract types it. */
export type ListQuery = OperationInput<typeof listFlightInstancesRoute>['query'];

/** The validated parts of the request for a single flight. */
export type GetInput = OperationInput<typeof getFlightInstanceRoute>;
