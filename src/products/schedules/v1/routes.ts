import type { getScheduleRoute, listSchedulesRoute } from '../../../../generated/schedules/v1/routes.gen.ts';
import type { OperationInput } from '../../../http/context/operation-input.ts';

/** The validated query of the search, as the contract types it. */
export type ListQuery = OperationInput<typeof listSchedulesRoute>['query'];

/** The validated parts of the request for a single record. */
export type GetInput = OperationInput<typeof getScheduleRoute>;
