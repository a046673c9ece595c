import type { AlertSelection } from '#domain/alerts/alert.ts';
import type { EventParts } from '../events/account-events.ts';
import { parseAlertContent } from './alerts.ts';
import type { Sql } from '../pool/database.ts';

/** An active alert, by which events are selected. */
export type ActiveAlert = AlertSelection & {
  /** A UUID. */
  readonly id: string;
  readonly active: true;
  /** The event stream of its account. */
  readonly stream: number;
  readonly subscriptionId: number;
  /** In the order in which alerts were created. */
  readonly number: number;
  /** The optional parts of events that it requests. */
  readonly parts: EventParts;
};

type Row = {
  readonly id: string;
  readonly number: bigint;
  readonly stream: number;
  readonly subscriptionId: number;
  readonly doc: string;
};

const toActiveAlert = ({ id, number, stream, subscriptionId, doc }: Row): ActiveAlert => {
  const { name: _, description: _description, content, changeIndicator, ...selection } = parseAlertContent(doc);
  const parts = { changes: changeIndicator, seats: content === 'seats' };
  return { ...selection, id, active: true, stream, subscriptionId, number: Number(number), parts };
};

/** Sorts before all UUIDs of alerts. */
export const MIN_ALERT_ID = '00000000-0000-0000-0000-000000000000';

/** Returns up to `limit` active alerts after a UUID, in the order of UUIDs. */
export const listActiveAlertsAfter = async (
  sql: Sql,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly ActiveAlert[]> => {
  const rows = await sql<Row[]>`
    select a.id, a.number, o.stream, o.subscription_id as "subscriptionId", a.doc
    from (select * from alert where id > ${after} and active order by id limit ${limit}) a
    join alert_account o on o.id = a.account_id
    order by a.id`;
  return rows.map(toActiveAlert);
};

/** Returns those of these alerts that exist and are active. */
export const listActiveAlerts = async (sql: Sql, ids: readonly string[]): Promise<readonly ActiveAlert[]> => {
  if (ids.length === 0) return [];
  const rows = await sql<Row[]>`
    select a.id, a.number, o.stream, o.subscription_id as "subscriptionId", a.doc from alert a join alert_account o on o.id = a.account_id
    where a.id = any(${[...ids]}::uuid[]) and a.active`;
  return rows.map(toActiveAlert);
};
