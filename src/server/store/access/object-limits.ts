import type { Sql } from '../pool/database.ts';

/** The objects of Flight Info Alerts that count toward limits of a subscription. */
export type LimitedObject = 'accounts' | 'alerts' | 'endpoints';

/** The most objects of each kind that a subscription can have; 0 means no limit. */
export type ObjectLimits = { readonly [Name in LimitedObject]: number };

export const defaultObjectLimits: ObjectLimits = { accounts: 100, alerts: 10_000, endpoints: 100 };

/** The most account events of a subscription in one transaction of the fan-out: as many as it reads events, so that one account never falls behind. */
export const DEFAULT_FAN_OUT_LIMIT = 1000;

/** Locks a subscription until the transaction `sql` ends. Must precede the lock of an account, so that transactions do not deadlock. */
export const lockSubscription = async (sql: Sql, subscriptionId: number): Promise<void> => {
  await sql`select 1 from subscription where id = ${subscriptionId} for no key update`;
};

const countQuery = (sql: Sql, name: LimitedObject) => {
  if (name === 'accounts') return sql`select count(*)::int as count from alert_account a`;
  const table = sql(name === 'alerts' ? 'alert' : 'push_endpoint');
  return sql`select count(*)::int as count from ${table} o join alert_account a on a.id = o.account_id`;
};

/** Counts the objects of a subscription; `sql` must be a transaction that has locked it. */
export const countObjects = async (sql: Sql, subscriptionId: number, name: LimitedObject): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`${countQuery(sql, name)} where a.subscription_id = ${subscriptionId}`;
  return row?.count ?? 0;
};
