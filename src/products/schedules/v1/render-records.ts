import type { Sql } from '../../../store/database.ts';
import { onTimeOf } from '../../../store/on-time.ts';
import type { ListedRecord } from '../../../store/schedule-records.ts';
import { showObserved, showSeats } from './show-record.ts';

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
