import type { Alert } from '../../domain/alerts/alert.ts';
import type { OwnedId } from './alert-accounts.ts';
import { insertAlertChange } from './alert-changes.ts';
import type { Sql } from '../pool/database.ts';

/** What a subscriber says of an alert; whether it is active, and whose it is, has columns of its own. */
export type AlertContent = Omit<Alert, 'id' | 'accountId' | 'active' | 'createdAt' | 'updatedAt'>;

type AlertRow = Omit<Alert, keyof AlertContent> & { readonly doc: string };

const alertOf = ({ doc, ...row }: AlertRow): Alert => {
  const content: AlertContent = JSON.parse(doc);
  return { ...content, ...row };
};

const contentOf = (alert: Alert): AlertContent => {
  const { id: _, accountId: _account, active: _active, createdAt: _created, updatedAt: _updated, ...content } = alert;
  return content;
};

const columns = (sql: Sql) =>
  sql`a.id, a.account_id as "accountId", a.active, a.created_at as "createdAt", a.updated_at as "updatedAt", a.doc`;

/** Creates an active alert in an account and answers its UUID; `sql` must be a transaction. */
export const insertAlert = async (
  sql: Sql,
  accountId: string,
  { content, now }: { readonly content: AlertContent; readonly now: Date },
): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`
    insert into alert (account_id, active, doc, created_at, updated_at)
    values (${accountId}, true, ${JSON.stringify(content)}, ${now}, ${now}) returning id`;
  if (!row) throw new Error('the alert was not recorded');
  await insertAlertChange(sql, row.id);
  return row.id;
};

/** All alerts of an account, active or not, in the order in which they were created. */
export const listAlerts = async (sql: Sql, accountId: string): Promise<readonly Alert[]> => {
  const rows = await sql<
    AlertRow[]
  >`select ${columns(sql)} from alert a where a.account_id = ${accountId} order by a.number`;
  return rows.map(alertOf);
};

const READ_AT_ONCE = 500;

/** The same in pieces, so that an account with very many alerts does not hold up everybody else; `sql` must be a transaction. */
export async function* streamAlerts(sql: Sql, accountId: string): AsyncGenerator<readonly Alert[]> {
  const pieces = sql<AlertRow[]>`
    select ${columns(sql)} from alert a where a.account_id = ${accountId} order by a.number`.cursor(READ_AT_ONCE);
  for await (const rows of pieces) yield rows.map(alertOf);
}

/** An alert; undefined when the subscription has no such alert. */
export const findAlert = async (sql: Sql, { id, subscriptionId }: OwnedId): Promise<Alert | undefined> => {
  const [row] = await sql<AlertRow[]>`
    select ${columns(sql)} from alert a join alert_account o on o.id = a.account_id
    where a.id = ${id} and o.subscription_id = ${subscriptionId}`;
  return row && alertOf(row);
};

/** Puts an alert in the place of the one of the same UUID; `sql` must be a transaction that has locked its account. */
export const replaceAlert = async (sql: Sql, alert: Alert): Promise<void> => {
  await sql`
    update alert set active = ${alert.active}, doc = ${JSON.stringify(contentOf(alert))}, updated_at = ${alert.updatedAt}
    where id = ${alert.id}`;
  await insertAlertChange(sql, alert.id);
};

/** Deletes an alert; `sql` must be a transaction that has locked its account. */
export const deleteAlert = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from alert where id = ${id}`;
  await insertAlertChange(sql, id);
};

/** Fails when alerts cannot be read. */
export const assertAlertsReadable = async (sql: Sql): Promise<void> => {
  await sql`select 1 from alert limit 1`;
};
