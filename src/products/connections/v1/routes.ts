import type { explainConnectionRoute, listConnectionsRoute } from '../../../../generated/connections/v1/routes.gen.ts';
import type { OperationInput } from '../../../http/context/operation-input.ts';

/** The validated query of the search, as the contract types it. */
export type ListQuery = OperationInput<typeof listConnectionsRoute>['query'];

/** The validated query for an explanation. */
export type ExplainQuery = OperationInput<typeof explainConnectionRoute>['query'];
