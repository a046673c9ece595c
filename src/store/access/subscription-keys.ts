import { createHash, randomBytes } from 'node:crypto';

import { formatDate, type LocalDate, localDate } from '../../domain/time/dates.ts';
import type { Sql } from '../pool/database.ts';
import { readLimits, type LimitColumns, type LimitOverrides } from './subscription-limits.ts';

export type NewApiKey = {
  /** The subscriber. A name that has keys already gets a further one, so that an old key can be rotated out. */
  readonly name: string;
  /** The products the key opens, e.g. `flight-info`. */
  readonly products: readonly string[];
  /** What the subscription gets beyond its products, e.g. `map`; what it has already it keeps. */
  readonly features?: readonly string[];
  /** The last UTC date on which the key is good; for ever when not given. */
  readonly expiresOn?: LocalDate | undefined;
};

export type CreatedApiKey = {
  readonly id: number;
  readonly subscriptionId: number;
  /** 32 lower-case hex digits, 128 random bits. It is nowhere stored: this is the only time it is seen. */
  readonly key: string;
  /** The first eight digits of its hash, which tell keys apart in listings and logs. */
  readonly hint: string;
};

/** A key as it may be shown to the operator. */
export type ListedApiKey = {
  readonly id: number;
  readonly hint: string;
  readonly name: string;
  readonly products: readonly string[];
  readonly features: readonly string[];
  readonly createdAt: Date;
  /** Those of the limits of its subscription that are not the default; undefined where none is. */
  readonly limits: LimitOverrides | undefined;
  readonly expiresOn: LocalDate | undefined;
  readonly revokedAt: Date | undefined;
};

/** What a caller's key entitles to. Whether `expiresOn`, `YYYY-MM-DD`, has passed is for the caller of this to judge, who knows today. */
export type ApiKey = {
  readonly subscriptionId: number;
  readonly hint: string;
  readonly products: readonly string[];
  readonly features: readonly string[];
  /** Those of the limits of its subscription that are not the default; undefined where none is. */
  readonly limits: LimitOverrides | undefined;
  readonly expiresOn: string | undefined;
  readonly revoked: boolean;
};

const HINT_LENGTH = 8;

/** What is kept of a key: its SHA-256, 32 bytes. 128 random bits cannot be guessed from it, so it needs no salt. */
const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

const hintOf = (key: string): string => hashOf(key).toString('hex').slice(0, HINT_LENGTH);

/** Makes a key for a subscriber. Throws a RangeError when the name is blank or no product is named. */
export const createKey = async (sql: Sql, newKey: NewApiKey): Promise<CreatedApiKey> => {
  const key = randomBytes(16).toString('hex');
  const row = await insertKey(sql, { ...newKey, key });
  if (!row) throw new Error('two random keys were the same');
  return { ...row, key, hint: hintOf(key) };
};

/** Keeps a key chosen beforehand, such as the well-known one of the demo world; one that is there already, revoked or not, stays as it is. */
export const insertKeyIfMissing = async (sql: Sql, chosen: NewApiKey & { readonly key: string }): Promise<void> => {
  await insertKey(sql, chosen);
};

const insertKey = async (
  sql: Sql,
  { name, products, features = [], expiresOn, key }: NewApiKey & { readonly key: string },
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
    insert into subscription_key (subscription_id, hash, hint, products, expires_on)
    select id, ${hashOf(key)}, ${hintOf(key)}, ${[...products]}, ${lastDay} from subscriber
    on conflict (hash) do nothing
    returning id, subscription_id as "subscriptionId"`;
  return row;
};

/** Gives a subscription, by name, a feature or takes it away; false when there is no such subscription. */
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

/** All keys, revoked and expired ones too, by subscriber and age. */
export const listKeys = async (sql: Sql): Promise<readonly ListedApiKey[]> => {
  const rows = await sql<ListedRow[]>`
    select k.id, k.hint, s.name, k.products, s.features, k.created_at as "createdAt", k.expires_on as "expiresOn", k.revoked_at as "revokedAt",
      s.per_minute as "perMinute", s.per_month as "perMonth", s.at_once as "atOnce"
    from subscription_key k join subscription s on s.id = k.subscription_id
    order by s.name, k.id`;
  return rows.map(({ perMinute, perMonth, atOnce, ...row }) => ({
    ...row,
    limits: readLimits({ perMinute, perMonth, atOnce }),
    expiresOn: row.expiresOn === null ? undefined : localDate(row.expiresOn),
    revokedAt: row.revokedAt ?? undefined,
  }));
};

/** Revokes a key; false when there is no such key, or none that was not revoked before. */
export const revokeKey = async (sql: Sql, id: number): Promise<boolean> => {
  const revoked = await sql`update subscription_key set revoked_at = now() where id = ${id} and revoked_at is null`;
  return revoked.count === 1;
};

type FoundRow = Omit<ApiKey, 'limits' | 'expiresOn'> & LimitColumns & { readonly expiresOn: string | null };

/** The key whose SHA-256, 32 bytes, this is; undefined when no such key was ever made. One look-up in an index. */
export const findKey = async (sql: Sql, hash: Buffer): Promise<ApiKey | undefined> => {
  const [row] = await sql<FoundRow[]>`
    select k.subscription_id as "subscriptionId", k.hint, k.products, s.features, k.expires_on as "expiresOn",
      k.revoked_at is not null as revoked, s.per_minute as "perMinute", s.per_month as "perMonth", s.at_once as "atOnce"
    from subscription_key k join subscription s on s.id = k.subscription_id where k.hash = ${hash}`;
  if (!row) return undefined;
  const { perMinute, perMonth, atOnce, expiresOn, ...found } = row;
  return { ...found, limits: readLimits({ perMinute, perMonth, atOnce }), expiresOn: expiresOn ?? undefined };
};
