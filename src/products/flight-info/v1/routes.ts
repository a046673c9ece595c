import type { listFlightInstancesRoute } from '../../../../generated/flight-info/v1/routes.gen.ts';
import type { OperationInput } from '../../../http/context/operation-input.ts';

/** The validated query of the search, as the contract of v1 types it. */
export type ListQuery = OperationInput<typeof listFlightInstancesRoute>['query'];
