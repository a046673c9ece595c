import { createHash, randomBytes } from 'node:crypto';

import { formatDate, type LocalDate, localDate } from '#domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import { readLimits, type LimitColumns, type LimitOverrides } from './subscription-limits.ts';

export type NewApiKey = {
  /** The subscriber, which can have several keys, so that keys can be rotated. */
  readonly name: string;
  /** The products to which the key gives access, such as `flight-info`. */
  readonly products: readonly string[];
  /** Features to add to those of the subscription, such as `map`. */
  readonly features?: readonly string[];
  /** The last UTC date on which the key is valid; without it, the key does not expire. */
  readonly expiresOn?: LocalDate | undefined;
  /** Whether every unknown name in a query is an error; by default it is not. */
  readonly isStrict?: boolean;
};

export type CreatedApiKey = {
  readonly id: number;
  readonly subscriptionId: number;
  /** 32 lower-case hexadecimal digits, 128 random bits. The key is never stored: it is only available here. */
  readonly key: string;
  /** The first eight digits of its hash, which identify the key in lists and logs. */
  readonly hint: string;
};

/** A key as the operator sees it. */
export type ListedApiKey = {
  readonly id: number;
  readonly hint: string;
  readonly name: string;
  readonly products: readonly string[];
  readonly features: readonly string[];
  readonly createdAt: Date;
  /** The limits of its subscription that differ from the default; undefined when none does. */
  readonly limits: LimitOverrides | undefined;
  readonly expiresOn: LocalDate | undefined;
  readonly isStrict: boolean;
  readonly revokedAt: Date | undefined;
};

/** A key and its permissions. The caller compares `expiresOn`, `YYYY-MM-DD`, with the current date. */
export type ApiKey = {
  readonly subscriptionId: number;
  readonly hint: string;
  readonly products: readonly string[];
  readonly features: readonly string[];
  /** The limits of its subscription that differ from the default; undefined when none does. */
  readonly limits: LimitOverrides | undefined;
  readonly expiresOn: string | undefined;
  readonly revoked: boolean;
  /** Whether every unknown name in a query is an error. */
  readonly isStrict: boolean;
};

const HINT_LENGTH = 8;

/** Computes the stored hash of a key, SHA-256. 128 random bits cannot be guessed, so it needs no salt. */
const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();

const computeHint = (key: string): string => hashKey(key).toString('hex').slice(0, HINT_LENGTH);

/** Creates a random key for a subscriber and stores its hash. Throws a RangeError when the name is blank or there is no product. */
export const createKey = async (sql: Sql, newKey: NewApiKey): Promise<CreatedApiKey> => {
  const key = randomBytes(16).toString('hex');
  const row = await insertKey(sql, { ...newKey, key });
  if (!row) throw new Error('two random keys are equal');
  return { ...row, key, hint: computeHint(key) };
};

/** Inserts a chosen key, such as the well-known one of the demo world; an existing one, revoked or not, is not changed. */
export const insertKeyIfMissing = async (sql: Sql, chosen: NewApiKey & { readonly key: string }): Promise<void> => {
  await insertKey(sql, chosen);
};

const insertKey = async (
  sql: Sql,
  { name, products, features = [], expiresOn, isStrict = false, key }: NewApiKey & { readonly key: string },
): Promise<Pick<CreatedApiKey, 'id' | 'subscriptionId'> | undefined> => {
  if (name.trim() === '') throw new RangeError('a key needs the name of its subscriber');
  if (products.length === 0) throw new RangeError(`the key for '${name}' needs at least one product`);
  const lastDay = expiresOn === undefined ? null : formatDate(expiresOn);
  const [row] = await sql<{ id: number; subscriptionId: number }[]>`
    with subscriber as (
      insert into subscription (name, features) values (${name.trim()}, ${[...features]})
      on conflict (name) do update set
        features = array(select distinct unnest(subscription.features || excluded.features) order by 1)
      returning id
    )
    insert into subscription_key (subscription_id, hash, hint, products, expires_on, strict)
    select id, ${hashKey(key)}, ${computeHint(key)}, ${[...products]}, ${lastDay}, ${isStrict} from subscriber
    on conflict (hash) do nothing
    returning id, subscription_id as "subscriptionId"`;
  return row;
};

/** Adds a feature to a subscription or removes it, by name; false when there is no such subscription. */
export const updateFeature = async (
  sql: Sql,
  name: string,
  { feature, isOn }: { readonly feature: string; readonly isOn: boolean },
): Promise<boolean> => {
  const changed = await sql`
    update subscription set features = array_remove(features, ${feature}::text) || ${isOn ? [feature] : []}::text[]
    where name = ${name.trim()}`;
  return changed.count === 1;
};

type ListedRow = Omit<ListedApiKey, 'limits' | 'expiresOn' | 'revokedAt'> &
  LimitColumns & { readonly expiresOn: string | null; readonly revokedAt: Date | null };

/** Returns all keys, including revoked and expired ones, by subscriber and age. */
export const listKeys = async (sql: Sql): Promise<readonly ListedApiKey[]> => {
  const rows = await sql<ListedRow[]>`
    select k.id, k.hint, s.name, k.products, s.features, k.created_at as "createdAt", k.expires_on as "expiresOn", k.revoked_at as "revokedAt",
      k.strict as "isStrict", s.per_minute as "perMinute", s.per_month as "perMonth", s.at_once as "atOnce"
    from subscription_key k join subscription s on s.id = k.subscription_id
    order by s.name, k.id`;
  return rows.map(({ perMinute, perMonth, atOnce, ...row }) => ({
    ...row,
    limits: readLimits({ perMinute, perMonth, atOnce }),
    expiresOn: row.expiresOn === null ? undefined : localDate(row.expiresOn),
    revokedAt: row.revokedAt ?? undefined,
  }));
};

/** Makes a key strict or not; false when it does not exist or is revoked. */
export const updateStrictness = async (sql: Sql, id: number, isStrict: boolean): Promise<boolean> => {
  const changed = await sql`update subscription_key set strict = ${isStrict} where id = ${id} and revoked_at is null`;
  return changed.count === 1;
};

/** Revokes a key; false when it does not exist or is already revoked. */
export const revokeKey = async (sql: Sql, id: number): Promise<boolean> => {
  const revoked = await sql`update subscription_key set revoked_at = now() where id = ${id} and revoked_at is null`;
  return revoked.count === 1;
};

/** Finds the ID of a key that is not revoked; undefined when there is none. */
export const findUnrevokedKeyId = async (sql: Sql, key: string): Promise<number | undefined> => {
  const [row] = await sql<{ id: number }[]>`
    select id from subscription_key where hash = ${hashKey(key)} and revoked_at is null`;
  return row?.id;
};

type ApiKeyRow = Omit<ApiKey, 'limits' | 'expiresOn'> & LimitColumns & { readonly expiresOn: string | null };

/** Finds a key by its SHA-256 hash, 32 bytes; undefined when it does not exist. Takes one index lookup. */
export const findKey = async (sql: Sql, hash: Buffer): Promise<ApiKey | undefined> => {
  const [row] = await sql<ApiKeyRow[]>`
    select k.subscription_id as "subscriptionId", k.hint, k.products, s.features, k.expires_on as "expiresOn",
      k.revoked_at is not null as revoked, k.strict as "isStrict", s.per_minute as "perMinute", s.per_month as "perMonth", s.at_once as "atOnce"
    from subscription_key k join subscription s on s.id = k.subscription_id where k.hash = ${hash}`;
  if (!row) return undefined;
  const { perMinute, perMonth, atOnce, expiresOn, ...key } = row;
  return { ...key, limits: readLimits({ perMinute, perMonth, atOnce }), expiresOn: expiresOn ?? undefined };
};
