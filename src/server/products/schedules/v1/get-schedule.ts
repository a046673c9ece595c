import type { getScheduleRoute } from '#generated/schedules/v1/routes.gen.ts';
import type { Schedule } from '#generated/schedules/v1/types.gen.ts';
import { Problem } from '#http/response/problem.ts';
import { sendRendered } from '#http/context/body.ts';
import type { OperationContext } from '#http/context/env.ts';
import { readFromReplica } from '#http/middleware/replica-reads.ts';
import type { Sql } from '#store/pool/database.ts';
import { findScheduleRecord } from '#store/schedules/schedule-records.ts';
import type { Deps } from './deps.ts';
import { renderRecords } from './to-schedule-record.ts';

const readSchedule = async (sql: Sql, fingerprint: string): Promise<Buffer | undefined> => {
  const record = await findScheduleRecord(sql, Buffer.from(fingerprint, 'hex'));
  const [row] = record ? await renderRecords(sql, [record]) : [];
  return row;
};

/** GET /flights/{fingerprint}: one record with all its data. */
export const getSchedule = async (c: OperationContext<typeof getScheduleRoute>, deps: Pick<Deps, 'sql'>) => {
  const { fingerprint } = c.req.valid('param');
  const row = await readFromReplica(c, deps.sql, (sql) => readSchedule(sql, fingerprint));
  if (!row) throw new Problem('not-found', 'No current schedule record has this fingerprint.');
  return sendRendered<Schedule>(c, row);
};
