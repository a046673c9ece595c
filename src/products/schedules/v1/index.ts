import {
  getScheduleRoute,
  getSchedulesHealthRoute,
  listSchedulesRoute,
} from '../../../../generated/schedules/v1/routes.gen.ts';
import { bindOperation, createApi, type Api } from '../../../http/handler/api.ts';
import type { Deps } from './deps.ts';
import { getSchedule } from './get-schedule.ts';
import { createHealthHandler } from './get-schedules-health.ts';
import { listSchedules } from './list-schedules.ts';

/** The operations of Schedules v1. */
export const schedulesV1 = (deps: Deps): Api => {
  const api = createApi();
  bindOperation(api, listSchedulesRoute, ({ query }, context) => listSchedules(query, context, deps));
  bindOperation(api, getSchedulesHealthRoute, createHealthHandler(deps));
  bindOperation(api, getScheduleRoute, (input) => getSchedule(input, deps));
  return api;
};
