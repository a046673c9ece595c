import type { Schedule } from '../../../../generated/schedules/v1/types.gen.ts';
import { Problem } from '../../../http/response/problem.ts';
import { rendered, type Rendered } from '../../../http/response/rendered.ts';
import { findScheduleRecord } from '../../../store/schedules/schedule-records.ts';
import type { Deps } from './deps.ts';
import { renderRecords } from './to-schedule-record.ts';
import type { GetInput } from './routes.ts';

/** GET /flights/{fingerprint}: one record with everything that is known of it. */
export const getSchedule = async (
  { params: { fingerprint } }: GetInput,
  { sql }: Pick<Deps, 'sql'>,
): Promise<Rendered<Schedule>> => {
  const found = await findScheduleRecord(sql, Buffer.from(fingerprint, 'hex'));
  const [row] = found ? await renderRecords(sql, [found]) : [];
  if (!row) throw new Problem('not-found', 'No schedule record in force has this fingerprint.');
  return rendered(row);
};
