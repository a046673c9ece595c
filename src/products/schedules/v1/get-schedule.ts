import type { Schedule } from '../../../../generated/schedules/v1/types.gen.ts';
import { Problem } from '../../../http/response/problem.ts';
import { type HttpResponse, renderedResponse } from '../../../http/response/http-response.ts';
import { findScheduleRecord } from '../../../store/schedules/schedule-records.ts';
import type { Deps } from './deps.ts';
import { renderRecords } from './to-schedule-record.ts';
import type { GetInput } from './routes.ts';

/** GET /flights/{fingerprint}: one record with all its data. */
export const getSchedule = async (
  { params: { fingerprint } }: GetInput,
  { sql }: Pick<Deps, 'sql'>,
): Promise<HttpResponse<200, Schedule>> => {
  const record = await findScheduleRecord(sql, Buffer.from(fingerprint, 'hex'));
  const [row] = record ? await renderRecords(sql, [record]) : [];
  if (!row) throw new Problem('not-found', 'No current schedule record has this fingerprint.');
  return renderedResponse(row);
};
