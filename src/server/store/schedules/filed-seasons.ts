import { formatDate, localDate, type LocalDate } from '#domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';

/** Stores the period of the schedule file of a designator. */
export const upsertFiledSeason = async (
  sql: Sql,
  designator: string,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
): Promise<void> => {
  await sql`insert into filed_season (designator, from_date, to_date) values (${designator}, ${formatDate(from)}, ${formatDate(to)})
    on conflict (designator) do update set from_date = excluded.from_date, to_date = excluded.to_date`;
};

/** Returns the last dates of the schedule files of designators. */
export const listSeasonEnds = async (
  sql: Sql,
  designators: readonly string[],
): Promise<ReadonlyMap<string, LocalDate>> => {
  const rows = await sql<{ designator: string; toDate: string }[]>`
    select designator, to_date as "toDate" from filed_season where designator = any(${[...designators]})`;
  return new Map(rows.map(({ designator, toDate }) => [designator, localDate(toDate)]));
};
