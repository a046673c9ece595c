import { formatDate, type LocalDate } from '../../domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import { deleteSlices, type Slices } from '../tasks/delete-slices.ts';

/**
 * Deletes all that was said of the flights of a local day of departure, and answers how many messages that were. Slice by slice, unless
 * `sql` is a transaction.
 */
export const pruneStatuses = async (sql: Sql, day: LocalDate, slices: Slices = {}): Promise<number> => {
  const date = formatDate(day);
  const prune = (table: string): Promise<number> =>
    deleteSlices(async (slice) => {
      const { count } = await sql`
        delete from ${sql(table)} where ctid = any(array(select ctid from ${sql(table)} where departs_on = ${date} limit ${slice}))`;
      return count;
    }, slices);
  const messages = await prune('status_message');
  await prune('flight_diversion');
  await prune('flight_status');
  return messages;
};

/** Deletes the messages in quarantine that were observed before a moment, and answers how many. */
export const pruneQuarantine = async (sql: Sql, before: Date): Promise<number> => {
  const { count } = await sql`delete from status_quarantine where observed_at < ${before}`;
  return count;
};
