import type { explainConnectionRoute, listConnectionsRoute } from '../../../../generated/connections/v1/routes.gen.ts';
import type { InputOf } from '../../../http/handler/api.ts';

/** The validated query of the search, as the contract types it. */
export type ListQuery = InputOf<typeof listConnectionsRoute>['query'];

/** The validated query for an explanation. */
export type ExplainQuery = InputOf<typeof explainConnectionRoute>['query'];
