import type { Health } from '../../../../generated/schedules/v1/types.gen.ts';
import { respondToHealthCheck } from '../../../http/handler/health.ts';
import { assertScheduleRecordsReadable } from '../../../store/schedules/schedule-records.ts';
import type { Deps } from './deps.ts';

/** GET /schedules/health: healthy when the schedule records can be read. */
export const getSchedulesHealth = ({ sql }: Pick<Deps, 'sql'>) =>
  respondToHealthCheck(assertScheduleRecordsReadable(sql), {
    healthy: { schedules: 'healthy' } satisfies Health,
    unhealthy: { schedules: 'unhealthy' } satisfies Health,
  });
