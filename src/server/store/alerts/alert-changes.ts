import type { Sql } from '../pool/database.ts';

/**
 * Records that the transaction `sql` created, changed or deleted an alert. All other changes of alerts wait until it ends, so that changes are
 * numbered in the order of their commits: a reader that sees one sees all before it.
 */
export const insertAlertChange = (sql: Sql, alertId: string): Promise<void> => insertAlertChanges(sql, [alertId]);

/** Records changes of several alerts like `insertAlertChange`. */
export const insertAlertChanges = async (sql: Sql, alertIds: readonly string[]): Promise<void> => {
  await sql`
    with numbered as (update alert_change_end set last_number = last_number + ${alertIds.length} returning last_number)
    insert into alert_change (number, alert_id)
    select last_number - ${alertIds.length} + place, id
    from numbered, unnest(${[...alertIds]}::uuid[]) with ordinality as changed (id, place)`;
};

/** Returns the number of the last change of an alert; alerts read after this call include it. */
export const getLastAlertChange = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ last: bigint }[]>`select last_number as last from alert_change_end`;
  if (!row) throw new Error('the table alert_change_end has lost its row');
  return Number(row.last);
};

/** The changes after a number: the UUIDs of the alerts, each once, and the number of the last change. */
export type AlertChanges =
  | { readonly kind: 'changes'; readonly last: number; readonly ids: readonly string[] }
  /** There were more than the limit, or they are no longer retained: all alerts must be read again. */
  | { readonly kind: 'too-many' };

/** Returns the alerts that were created, changed or deleted after a change, up to `limit` changes. */
export const listAlertChanges = async (
  sql: Sql,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<AlertChanges> => {
  // One statement: the last number and the changes are of one snapshot.
  const rows = await sql<{ last: bigint | null; id: string | null }[]>`
    select (select last_number from alert_change_end) as last, c.alert_id as id
    from (select) one left join lateral (
      select alert_id from alert_change where number > ${after} order by number limit ${limit}
    ) c on true`;
  const [first] = rows;
  if (!first || first.last === null) throw new Error('the table alert_change_end has lost its row');
  const last = Number(first.last);
  const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  return ids.length === last - after ? { kind: 'changes', last, ids: [...new Set(ids)] } : { kind: 'too-many' };
};

/** Deletes the records of changes before a point in time, and returns their number. */
export const pruneAlertChanges = async (sql: Sql, before: Date): Promise<number> => {
  const deleted = await sql`
    delete from alert_change where number < coalesce(
      (select number from alert_change where made_at >= ${before} order by number limit 1),
      (select last_number from alert_change_end) + 1
    )`;
  return deleted.count;
};
