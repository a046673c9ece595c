import type { Sql } from '../../../store/pool/database.ts';
import { onTimeOf } from '../../../store/schedules/on-time.ts';
import type { ListedRecord } from '../../../store/schedules/schedule-records.ts';
import { showObserved, showSeats } from './to-schedule-record.ts';

/** The records of an answer, each the JSON text of a Schedule: what the database has ready is never parsed. */
export const renderRecords = async (sql: Sql, records: readonly ListedRecord[]): Promise<readonly Buffer[]> => {
  const observed = await onTimeOf(
    sql,
    records.map(({ performance }) => performance),
  );
  return records.map(({ doc, seats }, index) => {
    const rest = `${showObserved(observed[index])}},"premiumContent":${showSeats(seats?.toString())}}`;
    return Buffer.concat([doc, Buffer.from(rest)]);
  });
};
