import type { Sql } from '../pool/database.ts';

/** Who is behind an account; `''` where nothing is told. */
export type Profile = {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** The code of two letters, in capitals. */
  readonly country: string;
  readonly companyName: string;
  readonly secondaryEmail: string;
  /** `seats` or `''`. */
  readonly content: string;
};

/** An account or alert by its UUID, and the subscription that asks for it: what belongs to another is not found. */
export type OwnedId = { readonly id: string; readonly subscriptionId: number };

/** Creates an account of a subscription and answers its UUID. */
export const insertAccount = async (
  sql: Sql,
  subscriptionId: number,
  { profile, now }: { readonly profile: Profile; readonly now: Date },
): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`
    insert into alert_account (subscription_id, profile, created_at)
    values (${subscriptionId}, ${JSON.stringify(profile)}, ${now}) returning id`;
  if (!row) throw new Error('the account was not recorded');
  return row.id;
};

/** The oldest account of a subscription, created now if it has none; `sql` must be a transaction. Several that ask at once get the same one. */
export const getOrCreateAccount = async (
  sql: Sql,
  subscriptionId: number,
  { profile, now }: { readonly profile: Profile; readonly now: Date },
): Promise<{ readonly id: string; readonly isNew: boolean }> => {
  await sql`select 1 from subscription where id = ${subscriptionId} for update`;
  const [row] = await sql<{ id: string }[]>`
    select id from alert_account where subscription_id = ${subscriptionId} order by stream limit 1`;
  if (row) return { id: row.id, isNew: false };
  return { id: await insertAccount(sql, subscriptionId, { profile, now }), isNew: true };
};

/** The profile of an account; undefined when the subscription has no such account. */
export const findProfile = async (sql: Sql, { id, subscriptionId }: OwnedId): Promise<Profile | undefined> => {
  const [row] = await sql<{ profile: string }[]>`
    select profile from alert_account where id = ${id} and subscription_id = ${subscriptionId}`;
  if (!row) return undefined;
  const profile: Profile = JSON.parse(row.profile);
  return profile;
};

/** Gives an account another profile; `sql` must be a transaction that has locked it. */
export const replaceProfile = async (sql: Sql, id: string, profile: Profile): Promise<void> => {
  await sql`update alert_account set profile = ${JSON.stringify(profile)} where id = ${id}`;
};

/**
 * Locks an account until the transaction `sql` ends, so that its alerts are changed one after the other; what is read afterwards is
 * what the one before left. False when the subscription has no such account.
 */
export const lockAccount = async (sql: Sql, { id, subscriptionId }: OwnedId): Promise<boolean> => {
  const rows = await sql`
    select 1 from alert_account where id = ${id} and subscription_id = ${subscriptionId} for update`;
  return rows.length === 1;
};

/** The stream in which an account has its events; undefined when the subscription has no such account. */
export const findAccountStream = async (sql: Sql, { id, subscriptionId }: OwnedId): Promise<number | undefined> => {
  const [row] = await sql<{ stream: number }[]>`
    select stream from alert_account where id = ${id} and subscription_id = ${subscriptionId}`;
  return row?.stream;
};

/** An account by its UUID, whoever's it is; for those who run the service. */
export const hasAccount = async (sql: Sql, accountId: string): Promise<boolean> => {
  const rows = await sql`select 1 from alert_account where id::text = ${accountId}`;
  return rows.length === 1;
};
