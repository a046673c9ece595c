import type { Alert } from '#domain/alerts/alert.ts';
import type { OwnedId } from './alert-accounts.ts';
import { insertAlertChange } from './alert-changes.ts';
import type { Sql } from '../pool/database.ts';

/** The part of an alert that is stored as JSON; the other members have columns of their own. */
export type AlertContent = Omit<Alert, 'id' | 'accountId' | 'active' | 'createdAt' | 'updatedAt'>;

type AlertRow = Omit<Alert, keyof AlertContent> & { readonly doc: string };

type NewSettings = 'thresholdOnce' | 'cancellations';

/** Parses the content of a stored alert; alerts of earlier releases lack the newest settings. */
export const parseAlertContent = (doc: string): AlertContent => {
  const content: Omit<AlertContent, NewSettings> & Partial<Pick<AlertContent, NewSettings>> = JSON.parse(doc);
  return { ...content, thresholdOnce: content.thresholdOnce ?? false, cancellations: content.cancellations ?? false };
};

const toAlert = ({ doc, ...row }: AlertRow): Alert => ({ ...parseAlertContent(doc), ...row });

const toContent = (alert: Alert): AlertContent => {
  const { id: _, accountId: _account, active: _active, createdAt: _created, updatedAt: _updated, ...content } = alert;
  return content;
};

const columns = (sql: Sql) =>
  sql`a.id, a.account_id as "accountId", a.active, a.created_at as "createdAt", a.updated_at as "updatedAt", a.doc`;

/** Inserts an alert of an account and returns its UUID; `sql` must be a transaction. */
export const insertAlert = async (
  sql: Sql,
  accountId: string,
  { content, active = true, now }: { readonly content: AlertContent; readonly active?: boolean; readonly now: Date },
): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`
    insert into alert (account_id, active, doc, created_at, updated_at)
    values (${accountId}, ${active}, ${JSON.stringify(content)}, ${now}, ${now}) returning id`;
  if (!row) throw new Error('the alert was not recorded');
  await insertAlertChange(sql, row.id);
  return row.id;
};

/** Returns all alerts of an account, active or not, in the order in which they were created. */
export const listAlerts = async (sql: Sql, accountId: string): Promise<readonly Alert[]> => {
  const rows = await sql<
    AlertRow[]
  >`select ${columns(sql)} from alert a where a.account_id = ${accountId} order by a.number`;
  return rows.map(toAlert);
};

const CURSOR_ROWS = 500;

/** Streams all alerts of an account in batches, so that a large account does not block the event loop; `sql` must be a transaction. */
export async function* streamAlerts(sql: Sql, accountId: string): AsyncGenerator<readonly Alert[]> {
  const batches = sql<AlertRow[]>`
    select ${columns(sql)} from alert a where a.account_id = ${accountId} order by a.number`.cursor(CURSOR_ROWS);
  for await (const rows of batches) yield rows.map(toAlert);
}

/** Finds an alert; undefined when the subscription has no such alert. */
export const findAlert = async (sql: Sql, { id, subscriptionId }: OwnedId): Promise<Alert | undefined> => {
  const [row] = await sql<AlertRow[]>`
    select ${columns(sql)} from alert a join alert_account o on o.id = a.account_id
    where a.id = ${id} and o.subscription_id = ${subscriptionId}`;
  return row && toAlert(row);
};

/** Replaces the alert with the same UUID; `sql` must be a transaction that has locked its account. */
export const replaceAlert = async (sql: Sql, alert: Alert): Promise<void> => {
  await sql`
    update alert set active = ${alert.active}, doc = ${JSON.stringify(toContent(alert))}, updated_at = ${alert.updatedAt}
    where id = ${alert.id}`;
  await insertAlertChange(sql, alert.id);
};

/** Deletes an alert; `sql` must be a transaction that has locked its account. */
export const deleteAlert = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from alert where id = ${id}`;
  await insertAlertChange(sql, id);
};

/** Rejects with the error of the database when alerts cannot be read. */
export const assertAlertsReadable = async (sql: Sql): Promise<void> => {
  await sql`select 1 from alert limit 1`;
};
