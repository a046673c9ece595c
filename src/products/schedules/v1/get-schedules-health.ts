import type { Health } from '#generated/schedules/v1/types.gen.ts';
import { assertScheduleRecordsReadable } from '#store/schedules/schedule-records.ts';
import type { Deps } from './deps.ts';

/** GET /schedules/health: healthy when the schedule records can be read. */
export const createHealthHandler = ({ health }: Pick<Deps, 'health'>) =>
  health.createHandler(assertScheduleRecordsReadable, {
    healthy: { schedules: 'healthy' } satisfies Health,
    unhealthy: { schedules: 'unhealthy' } satisfies Health,
  });
