import { formatDate, toDate, type LocalDate } from '#domain/time/dates.ts';
import { createDay, listExistingDays, lockDays } from '#store/flights/expanded-days.ts';
import type { Sql } from '#store/pool/database.ts';
import type { NewDays } from '../store/new-days.ts';
import type { MatchedMessage } from '../store/known-messages.ts';

const getNewDay = ({ match }: MatchedMessage): LocalDate | undefined =>
  'plan' in match && match.plan ? toDate(match.plan.row.departsAt) : undefined;

/** Messages, some with the reason why their day cannot be created, and the days to create, earliest first. */
export type LimitedBatch = { readonly batch: readonly MatchedMessage[]; readonly missing: readonly LocalDate[] };

/** Rejects plans on days that do not exist and cannot be created. */
export const limitNewDays = async (
  sql: Sql,
  batch: readonly MatchedMessage[],
  newDays: NewDays,
): Promise<LimitedBatch> => {
  const days = new Set(batch.flatMap((message) => getNewDay(message) ?? []));
  if (days.size === 0) return { batch, missing: [] };
  const existing = await listExistingDays(sql, [...days]);
  const reasons = new Map([...days].flatMap((day) => (existing.has(day) ? [] : [[day, newDays.add(day)] as const])));
  const limited = batch.map((message): MatchedMessage => {
    const day = getNewDay(message);
    const reason = day === undefined ? undefined : reasons.get(day);
    if (day === undefined || reason === undefined) return message;
    return { ...message, match: { reason, value: formatDate(day) } };
  });
  const missing = [...reasons].flatMap(([day, reason]) => (reason === undefined ? [day] : []));
  return { batch: limited, missing: missing.toSorted((a, b) => a - b) };
};

/** Creates days for flights outside schedules; `sql` must be a transaction. */
export const createDays = async (sql: Sql, days: readonly LocalDate[]): Promise<void> => {
  if (days.length === 0) return;
  await lockDays(sql);
  for (const day of days) await createDay(sql, day);
};
