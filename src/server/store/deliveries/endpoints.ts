import { randomUUID } from 'node:crypto';
import type { SecretBox } from '#lib/secret-box.ts';
import { toHeaderPlace, toKeyPlace } from '../access/secret-keys.ts';
import { deleteAttempts, type OwnedId } from '../alerts/alert-accounts.ts';
import type { Sql } from '../pool/database.ts';
import { PUSH_CHANNEL } from './endpoint-claims.ts';

/** A header that the receiver requires; its value is secret. */
export type ReceiverHeader = { readonly name: string; readonly value: string };

/** The settings that a subscriber chooses. */
export type EndpointSettings = {
  readonly url: string;
  /** `''` when there is none. */
  readonly description: string;
  readonly header: ReceiverHeader | undefined;
  /** Whether later events of a flight wait for its failed one. */
  readonly ordering: 'none' | 'flight';
  /** False while it is paused. */
  readonly active: boolean;
};

/** A signing key of an endpoint. */
export type EndpointKey = {
  readonly number: number;
  /** `whsec_...` or `whsk_...`: secret. */
  readonly key: string;
  readonly madeAt: Date;
  /** When it stops signing; undefined for the newest. */
  readonly endsAt: Date | undefined;
};

/** A webhook endpoint, to which the events of an account are posted; contains secrets. */
export type PushEndpoint = EndpointSettings & {
  readonly id: string;
  readonly accountId: string;
  /** The stream of the account. */
  readonly stream: number;
  /** v1 is a shared secret, v1a ed25519. */
  readonly signing: 'v1' | 'v1a';
  /** Why the service stopped sending. */
  readonly disabledFor: 'gone' | 'failing' | undefined;
  readonly disabledAt: Date | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Newest first, including keys that have ended. */
  readonly keys: readonly EndpointKey[];
};

/** Limits: endpoints of an account, and keys with which an endpoint signs at the same time. */
export const MAX_ENDPOINTS = 20;
export const MAX_KEYS = 3;

type Row = Omit<PushEndpoint, 'header' | 'disabledFor' | 'disabledAt' | 'keys'> & {
  readonly headerName: string | null;
  readonly headerValue: string | null;
  readonly disabledFor: 'gone' | 'failing' | null;
  readonly disabledAt: Date | null;
};
type KeyRow = Omit<EndpointKey, 'number' | 'endsAt'> & {
  readonly endpointId: string;
  readonly number: bigint;
  readonly endsAt: Date | null;
};

const columns = (sql: Sql) => sql`
  e.id, e.account_id as "accountId", a.stream, e.url, e.description, e.header_name as "headerName",
  e.header_value as "headerValue", e.signing, e.ordering, e.active, e.disabled_for as "disabledFor", e.disabled_at as "disabledAt",
  e.created_at as "createdAt", e.updated_at as "updatedAt"`;

const toEndpoint = (
  { headerName, headerValue, disabledFor, disabledAt, ...row }: Row,
  keys: readonly KeyRow[],
  secrets: SecretBox,
) => ({
  ...row,
  header:
    headerName === null || headerValue === null
      ? undefined
      : { name: headerName, value: secrets.open(toHeaderPlace(row.id), headerValue) },
  disabledFor: disabledFor ?? undefined,
  disabledAt: disabledAt ?? undefined,
  keys: keys
    .filter(({ endpointId }) => endpointId === row.id)
    .map(({ number, key, madeAt, endsAt }) => ({
      number: Number(number),
      key: secrets.open(toKeyPlace(row.id), key),
      madeAt,
      endsAt: endsAt ?? undefined,
    })),
});

const withKeys = async (sql: Sql, rows: readonly Row[], secrets: SecretBox): Promise<readonly PushEndpoint[]> => {
  if (rows.length === 0) return [];
  const keys = await sql<KeyRow[]>`
    select endpoint_id as "endpointId", number, key, made_at as "madeAt", ends_at as "endsAt"
    from push_key where endpoint_id = any(${rows.map(({ id }) => id)}::uuid[]) order by number desc`;
  return rows.map((row) => toEndpoint(row, keys, secrets));
};

/** Returns the endpoints of an account in the order in which they were created. */
export const listEndpoints = async (
  sql: Sql,
  accountId: string,
  secrets: SecretBox,
): Promise<readonly PushEndpoint[]> =>
  withKeys(
    sql,
    await sql<Row[]>`
      select ${columns(sql)} from push_endpoint e join alert_account a on a.id = e.account_id
      where e.account_id = ${accountId} order by e.number`,
    secrets,
  );

/** Finds an endpoint, and locks it on request until the transaction `sql` ends; undefined when the subscription has no such endpoint. */
export const findEndpoint = async (
  sql: Sql,
  { id, subscriptionId, isLocked = false }: OwnedId & { readonly isLocked?: boolean },
  secrets: SecretBox,
): Promise<PushEndpoint | undefined> => {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from push_endpoint e join alert_account a on a.id = e.account_id
    where e.id = ${id} and a.subscription_id = ${subscriptionId} ${isLocked ? sql`for update of e` : sql``}`;
  return (await withKeys(sql, rows, secrets))[0];
};

/** Counts the endpoints of an account; `sql` must be a transaction that has locked the account. */
export const countEndpoints = async (sql: Sql, accountId: string): Promise<number> => {
  const [row] = await sql<{ count: bigint }[]>`select count(*) from push_endpoint where account_id = ${accountId}`;
  return Number(row?.count ?? 0);
};

/** Notifies the delivery workers when the transaction `sql` commits. */
export const notifyPushWorkers = async (sql: Sql): Promise<void> => {
  await sql`select pg_notify(${PUSH_CHANNEL}, '')`;
};

export type NewEndpoint = {
  readonly accountId: string;
  readonly settings: EndpointSettings;
  readonly signing: PushEndpoint['signing'];
  readonly key: string;
  /** The number in the stream of the account after which delivery starts. */
  readonly after: number;
  readonly now: Date;
  readonly secrets: SecretBox;
};

/** Inserts a key of an endpoint and returns its number. */
const insertEndpointKey = async (
  sql: Sql,
  endpointId: string,
  { key, now, secrets }: { readonly key: string; readonly now: Date; readonly secrets: SecretBox },
): Promise<number> => {
  const [row] = await sql<{ number: bigint }[]>`
    insert into push_key (endpoint_id, key, made_at) values (${endpointId}, ${secrets.seal(toKeyPlace(endpointId), key)}, ${now}) returning number`;
  if (!row) throw new Error('the key was not recorded');
  return Number(row.number);
};

/** Inserts an endpoint with its first key; `sql` must be a transaction. */
export const insertEndpoint = async (
  sql: Sql,
  {
    accountId,
    settings: { url, description, header, ordering, active },
    signing,
    key,
    after,
    now,
    secrets,
  }: NewEndpoint,
): Promise<{ readonly id: string; readonly keyNumber: number }> => {
  const id = randomUUID();
  const headerValue = header ? secrets.seal(toHeaderPlace(id), header.value) : null;
  await sql`
    insert into push_endpoint
      (id, account_id, url, description, header_name, header_value, signing, ordering, active, created_at, updated_at)
    values (${id}, ${accountId}, ${url}, ${description}, ${header?.name ?? null}, ${headerValue}, ${signing}, ${ordering}, ${active},
      ${now}, ${now})`;
  const keyNumber = await insertEndpointKey(sql, id, { key, now, secrets });
  await sql`insert into push_progress (endpoint_id, number) values (${id}, ${after})`;
  await notifyPushWorkers(sql);
  return { id, keyNumber };
};

export type EndpointUpdate = {
  readonly settings: EndpointSettings;
  /** Whether to enable an endpoint that the service has disabled. */
  readonly enables: boolean;
  /** Whether to reset the failure count and end the backoff. */
  readonly resetsHealth: boolean;
  readonly updatedAt: Date;
  readonly secrets: SecretBox;
};

const resetHealth = (sql: Sql, id: string) => sql`
  update push_progress set failures = 0, failing_since = null, rests = 0, rests_until = null where endpoint_id = ${id}`;

/** Updates the settings of an endpoint; `sql` must be a transaction that has locked it. */
export const updateEndpoint = async (
  sql: Sql,
  id: string,
  {
    settings: { url, description, header, ordering, active },
    enables,
    resetsHealth,
    updatedAt,
    secrets,
  }: EndpointUpdate,
): Promise<void> => {
  const headerValue = header ? secrets.seal(toHeaderPlace(id), header.value) : null;
  await sql`
    update push_endpoint
    set url = ${url}, description = ${description}, header_name = ${header?.name ?? null},
      header_value = ${headerValue}, ordering = ${ordering}, active = ${active}, updated_at = ${updatedAt}
      ${enables ? sql`, disabled_for = null, disabled_at = null` : sql``}
    where id = ${id}`;
  if (resetsHealth) await resetHealth(sql, id);
  await notifyPushWorkers(sql);
};

/** Deletes an endpoint and all its data; false when there is none. `sql` must be a transaction. */
export const deleteEndpoint = async (sql: Sql, id: string): Promise<boolean> => {
  const deleted = await sql`delete from push_endpoint where id = ${id}`;
  await deleteAttempts(sql, [id]);
  await notifyPushWorkers(sql);
  return deleted.count === 1;
};

/**
 * Adds a key as the newest and returns its number. The keys before end at `endAt` or earlier; those that have ended by `now` are deleted.
 * `sql` must be a transaction that has locked the endpoint.
 */
export const replaceEndpointKey = async (
  sql: Sql,
  id: string,
  {
    key,
    endAt,
    now,
    secrets,
  }: { readonly key: string; readonly endAt: Date; readonly now: Date; readonly secrets: SecretBox },
): Promise<number> => {
  await sql`update push_key set ends_at = ${endAt} where endpoint_id = ${id} and (ends_at is null or ends_at > ${endAt})`;
  await sql`delete from push_key where endpoint_id = ${id} and ends_at <= ${now}`;
  const number = await insertEndpointKey(sql, id, { key, now, secrets });
  await notifyPushWorkers(sql);
  return number;
};

/** An endpoint as the operator sees it, without its header and keys. */
export type EndpointSummary = Pick<PushEndpoint, 'id' | 'accountId' | 'url' | 'active' | 'disabledFor'> & {
  /** The subscriber. */
  readonly name: string;
  /** Events that have not been attempted. */
  readonly pending: number;
};

/** Returns all endpoints, or those of one account, by subscriber and age. */
export const listEndpointSummaries = async (sql: Sql, accountId?: string): Promise<readonly EndpointSummary[]> => {
  const rows = await sql<
    (Omit<EndpointSummary, 'disabledFor'> & { readonly disabledFor: 'gone' | 'failing' | null })[]
  >`
    select e.id, e.account_id as "accountId", s.name, e.url, e.active, e.disabled_for as "disabledFor",
      greatest(0, coalesce(t.last_number, 0) - p.number)::float8 as pending
    from push_endpoint e join push_progress p on p.endpoint_id = e.id
    join alert_account a on a.id = e.account_id join subscription s on s.id = a.subscription_id
    left join account_stream t on t.stream = a.stream
    ${accountId === undefined ? sql`` : sql`where e.account_id = ${accountId}`} order by s.name, e.number`;
  return rows.map((row) => ({ ...row, disabledFor: row.disabledFor ?? undefined }));
};

/**
 * Pauses an endpoint of any subscription, or resumes it as a subscriber does with `active: true`: it is enabled again, and its failures and
 * backoff end. `sql` must be a transaction. False when there is no such endpoint.
 */
export const setEndpointActive = async (
  sql: Sql,
  id: string,
  { active, now }: { readonly active: boolean; readonly now: Date },
): Promise<boolean> => {
  const changed = await sql`
    update push_endpoint set active = ${active}, updated_at = ${now}
      ${active ? sql`, disabled_for = null, disabled_at = null` : sql``}
    where id = ${id}`;
  if (changed.count === 0) return false;
  if (active) await resetHealth(sql, id);
  await notifyPushWorkers(sql);
  return true;
};
