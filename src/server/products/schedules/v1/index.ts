import { getScheduleRoute, getSchedulesHealthRoute, listSchedulesRoute } from '#generated/schedules/v1/routes.gen.ts';
import { createApi, type ProductApi } from '#http/handler/create-api.ts';
import { assertScheduleRecordsReadable } from '#store/schedules/schedule-records.ts';
import type { Deps } from './deps.ts';
import { getSchedule } from './get-schedule.ts';
import { listSchedules } from './list-schedules.ts';

/** The operations of Schedules v1. */
export const schedulesV1 = (deps: Deps): ProductApi => {
  const api = createApi({ reads: 'replica' });
  api.openapi(listSchedulesRoute, (c) => listSchedules(c, deps));
  api.openapi(getSchedulesHealthRoute, deps.health.createHandler('schedules', assertScheduleRecordsReadable));
  api.openapi(getScheduleRoute, (c) => getSchedule(c, deps));
  return api;
};
