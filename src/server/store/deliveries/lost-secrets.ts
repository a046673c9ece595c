import { createSecretBox, plainSecretBox, SecretsKeyError, toSealedPrefix } from '#lib/secret-box.ts';
import {
  createDataKey,
  createSealedConditions,
  unwrap,
  withLockedKeys,
  type SealedConditions,
  type WrappedRow,
} from '../access/secret-keys.ts';
import type { Database, Sql } from '../pool/database.ts';
import { replaceEndpointKey, setEndpointActive, type PushEndpoint } from './endpoints.ts';

/** A webhook endpoint whose signing keys or header value cannot be read. */
export type LostEndpoint = {
  readonly id: string;
  /** The subscriber. */
  readonly name: string;
  readonly signing: PushEndpoint['signing'];
  readonly hasLostKeys: boolean;
  /** The name of the header whose value is lost. */
  readonly headerName: string | null;
};

/** The secrets of a store that the key of the operator does not open. */
export type LostSecrets = {
  /** Names of the secrets of the service, such as `cursor`. */
  readonly names: readonly string[];
  readonly endpoints: readonly LostEndpoint[];
};

/** Returns the data key, and undefined when `key` does not open it. */
const findDataKey = (rows: readonly WrappedRow[], key: Buffer | undefined): Buffer | undefined => {
  try {
    return unwrap(rows, key);
  } catch (error) {
    if (error instanceof SecretsKeyError) return undefined;
    throw error;
  }
};

const listLost = async (sql: Sql, { ofText, ofNamed }: SealedConditions): Promise<LostSecrets> => {
  const names = await sql<{ name: string }[]>`select name from secret where ${ofNamed} order by name`;
  const endpoints = await sql<LostEndpoint[]>`
    select id, name, signing, "hasLostKeys", "headerName" from (
      select e.id, s.name, e.signing, e.number,
        exists (select from push_key where endpoint_id = e.id and ${ofText('key')}) as "hasLostKeys",
        case when ${ofText('header_value')} then header_name end as "headerName"
      from push_endpoint e join alert_account a on a.id = e.account_id join subscription s on s.id = a.subscription_id
    ) found where "hasLostKeys" or "headerName" is not null order by name, number`;
  return { names: names.map(({ name }) => name), endpoints };
};

const conditionsOf = (sql: Sql, dataKey: Buffer | undefined): SealedConditions =>
  createSealedConditions(sql, dataKey && toSealedPrefix(dataKey));

/** Lists the secrets of a store that `key` does not open; without a key, all that are encrypted. */
export const listLostSecrets = (db: Database, key: Buffer | undefined): Promise<LostSecrets> =>
  withLockedKeys(db, (sql, rows) => listLost(sql, conditionsOf(sql, findDataKey(rows, key))));

export type DiscardOptions = {
  readonly key: Buffer | undefined;
  readonly createSigningKey: (signing: PushEndpoint['signing']) => string;
  readonly now: Date;
};

/**
 * Deletes the secrets of a store that `key` does not open, and returns what they were. Their endpoints are paused, with a new signing key. If `key`
 * opens none, it becomes the only key of the store. Servers create the secrets of the service again.
 */
export const discardLostSecrets = (
  db: Database,
  { key, createSigningKey, now }: DiscardOptions,
): Promise<LostSecrets> =>
  withLockedKeys(db, async (sql, rows) => {
    const dataKey = findDataKey(rows, key);
    const conditions = conditionsOf(sql, dataKey);
    const lost = await listLost(sql, conditions);
    await sql`delete from secret where ${conditions.ofNamed}`;
    await sql`delete from push_key where ${conditions.ofText('key')}`;
    await sql`update push_endpoint set header_name = null, header_value = null where ${conditions.ofText('header_value')}`;
    if (!dataKey) await sql`delete from secret_key`;
    const newKey = dataKey ?? (key && (await createDataKey(sql, key)));
    const secrets = newKey ? createSecretBox(newKey) : plainSecretBox;
    for (const { id, signing, hasLostKeys } of lost.endpoints) {
      await setEndpointActive(sql, id, { active: false, now });
      if (hasLostKeys) await replaceEndpointKey(sql, id, { key: createSigningKey(signing), endAt: now, now, secrets });
    }
    return lost;
  });
