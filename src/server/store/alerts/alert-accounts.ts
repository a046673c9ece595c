import { lockSubscription } from '../access/object-limits.ts';
import type { Sql } from '../pool/database.ts';
import { notifyAccountEvents } from '../events/account-events.ts';
import { insertAlertChanges } from './alert-changes.ts';

/** The contact data of an account; `''` where there is none. */
export type Profile = {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  readonly companyName: string;
  readonly secondaryEmail: string;
  /** `seats` or `''`. */
  readonly content: string;
};

/** The UUID of an account, alert or endpoint, and the subscription of the caller: objects of other subscriptions are not found. */
export type OwnedId = { readonly id: string; readonly subscriptionId: number };

/** Inserts an account of a subscription and returns its UUID. */
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

/** Returns the oldest account of a subscription, or creates one; `sql` must be a transaction. Concurrent calls return the same account. */
export const getOrCreateAccount = async (
  sql: Sql,
  subscriptionId: number,
  { profile, now }: { readonly profile: Profile; readonly now: Date },
): Promise<{ readonly id: string; readonly isNew: boolean }> => {
  await lockSubscription(sql, subscriptionId);
  const [row] = await sql<{ id: string }[]>`
    select id from alert_account where subscription_id = ${subscriptionId} order by stream limit 1`;
  if (row) return { id: row.id, isNew: false };
  return { id: await insertAccount(sql, subscriptionId, { profile, now }), isNew: true };
};

/** Finds the profile of an account; undefined when the subscription has no such account. */
export const findProfile = async (sql: Sql, { id, subscriptionId }: OwnedId): Promise<Profile | undefined> => {
  const [row] = await sql<{ profile: string }[]>`
    select profile from alert_account where id = ${id} and subscription_id = ${subscriptionId}`;
  if (!row) return undefined;
  const profile: Profile = JSON.parse(row.profile);
  return profile;
};

/** Replaces the profile of an account; `sql` must be a transaction that has locked it. */
export const replaceProfile = async (sql: Sql, id: string, profile: Profile): Promise<void> => {
  await sql`update alert_account set profile = ${JSON.stringify(profile)} where id = ${id}`;
};

/**
 * Locks an account until the transaction `sql` ends, so that changes of its alerts run one after the other; later statements see the change
 * before. False when the subscription has no such account.
 */
export const lockAccount = async (sql: Sql, { id, subscriptionId }: OwnedId): Promise<boolean> => {
  const rows = await sql`
    select 1 from alert_account where id = ${id} and subscription_id = ${subscriptionId} for update`;
  return rows.length === 1;
};

/** Finds the event stream of an account; undefined when the subscription has no such account. */
export const findAccountStream = async (sql: Sql, { id, subscriptionId }: OwnedId): Promise<number | undefined> => {
  const [row] = await sql<{ stream: number }[]>`
    select stream from alert_account where id = ${id} and subscription_id = ${subscriptionId}`;
  return row?.stream;
};

/** Returns whether an account exists, in any subscription; for the operator. */
export const hasAccount = async (sql: Sql, accountId: string): Promise<boolean> => {
  const rows = await sql`select 1 from alert_account where id::text = ${accountId}`;
  return rows.length === 1;
};

/** An account as the operator sees it. */
export type AccountSummary = {
  readonly id: string;
  /** The subscriber. */
  readonly name: string;
  readonly profile: Profile;
  readonly createdAt: Date;
  readonly alerts: number;
  readonly endpoints: number;
  /** Events in its stream that are retained. */
  readonly events: number;
};

type SummaryRow = Omit<AccountSummary, 'profile'> & { readonly profile: string };

const summaryColumns = (sql: Sql) => sql`
  a.id, s.name, a.profile, a.created_at as "createdAt",
  (select count(*) from alert where account_id = a.id)::int as alerts,
  (select count(*) from push_endpoint where account_id = a.id)::int as endpoints`;

/** Returns all accounts, or those of one subscriber, by subscriber and age; without the count of events, which takes long. */
export const listAccounts = async (sql: Sql, name?: string): Promise<readonly Omit<AccountSummary, 'events'>[]> => {
  const rows = await sql<Omit<SummaryRow, 'events'>[]>`
    select ${summaryColumns(sql)} from alert_account a join subscription s on s.id = a.subscription_id
    ${name === undefined ? sql`` : sql`where s.name = ${name}`} order by s.name, a.stream`;
  return rows.map((row) => ({ ...row, profile: JSON.parse(row.profile) }));
};

/** Finds an account of any subscription; for the operator. */
export const findAccount = async (sql: Sql, id: string): Promise<AccountSummary | undefined> => {
  const [row] = await sql<SummaryRow[]>`
    select ${summaryColumns(sql)}, (select count(*) from account_event where stream = a.stream)::int as events
    from alert_account a join subscription s on s.id = a.subscription_id where a.id = ${id}`;
  return row && { ...row, profile: JSON.parse(row.profile) };
};

/** One statement deletes this many events in about 0.5 s, well within the query timeout of requests. */
const DELETED_EVENTS = 50_000;

const deleteStream = async (sql: Sql, stream: number): Promise<void> => {
  for (let count = 1; count > 0;)
    ({ count } = await sql`
      delete from account_event where stream = ${stream}
        and number < (select min(number) from account_event where stream = ${stream}) + ${DELETED_EVENTS}`);
  await sql`delete from account_stream where stream = ${stream}`;
  await sql`delete from hub_hold where stream = ${stream}`;
};

/** One statement deletes this many attempts. */
const DELETED_ATTEMPTS = 50_000;

/** Deletes the delivery attempts of endpoints; `sql` must be a transaction that has locked or deleted them, so that no worker adds others. */
export const deleteAttempts = async (sql: Sql, endpointIds: readonly string[]): Promise<void> => {
  for (let count = 1; count > 0;)
    ({ count } = await sql`
      delete from push_attempt where id = any(array(
        select id from push_attempt where endpoint_id = any(${[...endpointIds]}::uuid[]) limit ${DELETED_ATTEMPTS}))`);
};

/**
 * Deletes an account with its profile, alerts, endpoints (their URLs, headers, keys, delivery log), events and stored responses; `sql` must be a
 * transaction. Requests that wait for its events end. False when there is no such account. Flights and the events of other accounts stay.
 */
export const deleteAccount = async (sql: Sql, id: string): Promise<boolean> => {
  const [account] = await sql<{ stream: number }[]>`select stream from alert_account where id = ${id} for update`;
  if (!account) return false;
  const endpoints = await sql<{ id: string }[]>`delete from push_endpoint where account_id = ${id} returning id`;
  await deleteAttempts(
    sql,
    endpoints.map((endpoint) => endpoint.id),
  );
  // Their fingerprints are hashes of bodies with personal data. After the endpoints: a change of one stores its response before it unlocks it.
  await sql`delete from idempotency_key where account_id = ${id}`;
  await deleteStream(sql, account.stream);
  // Last, because all other changes of alerts wait until the transaction ends.
  const alerts = await sql<{ id: string }[]>`delete from alert where account_id = ${id} returning id`;
  await sql`delete from alert_account where id = ${id}`;
  await notifyAccountEvents(sql);
  await insertAlertChanges(
    sql,
    alerts.map((alert) => alert.id),
  );
  return true;
};
