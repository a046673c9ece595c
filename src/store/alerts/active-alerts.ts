import type { AlertSelection } from '../../domain/alerts/alert.ts';
import type { EventParts } from '../events/account-events.ts';
import type { AlertContent } from './alerts.ts';
import type { Sql } from '../pool/database.ts';

/** An active alert, as events are held against it. */
export type ActiveAlert = AlertSelection & {
  /** A UUID. */
  readonly id: string;
  readonly active: true;
  /** In which its account has its events. */
  readonly stream: number;
  /** In the order in which alerts were created. */
  readonly number: number;
  /** What it asks events to carry. */
  readonly parts: EventParts;
};

type Row = { readonly id: string; readonly number: bigint; readonly stream: number; readonly doc: string };

const alertOf = ({ id, number, stream, doc }: Row): ActiveAlert => {
  const kept: AlertContent = JSON.parse(doc);
  const { name: _, description: _description, content, changeIndicator, ...selection } = kept;
  const shows = { changes: changeIndicator, seats: content === 'seats' };
  return { ...selection, id, active: true, stream, number: Number(number), parts: shows };
};

/** Before the first of all UUIDs. */
export const MIN_ALERT_ID = '00000000-0000-0000-0000-000000000000';

/** The active alerts that follow one in the order of UUIDs, so many at most; none when there are no more. */
export const listActiveAlertsAfter = async (
  sql: Sql,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly ActiveAlert[]> => {
  const rows = await sql<Row[]>`
    select a.id, a.number, o.stream, a.doc
    from (select * from alert where id > ${after} and active order by id limit ${limit}) a
    join alert_account o on o.id = a.account_id
    order by a.id`;
  return rows.map(alertOf);
};

/** Those of these alerts that are there and active. */
export const listActiveAlerts = async (sql: Sql, ids: readonly string[]): Promise<readonly ActiveAlert[]> => {
  if (ids.length === 0) return [];
  const rows = await sql<Row[]>`
    select a.id, a.number, o.stream, a.doc from alert a join alert_account o on o.id = a.account_id
    where a.id = any(${[...ids]}::uuid[]) and a.active`;
  return rows.map(alertOf);
};
