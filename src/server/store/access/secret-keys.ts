import { randomBytes } from 'node:crypto';
import {
  createSecretBox,
  decrypt,
  encrypt,
  plainSecretBox,
  SEALED_PREFIX,
  SECRETS_KEY_BYTES,
  SecretsKeyError,
  toKeyId,
  toSealedPrefix,
  type SecretBox,
} from '#lib/secret-box.ts';
import type { Database, Sql } from '../pool/database.ts';

/** A key of the operator with which the data key of a store can be opened. */
export type SecretsKeyRow = { readonly keyId: string; readonly createdAt: Date };

/** Encrypted secrets whose key is no longer in the store. */
export class LostSecretsKeyError extends SecretsKeyError {
  constructor(count: number) {
    super(`this store contains ${count} encrypted secrets, and the table secret_key contains no key for them`);
  }
}

/** The data key, encrypted with a key of the operator. */
export type WrappedRow = { readonly keyId: string; readonly wrapped: Buffer };

/** The places of secrets, to which their encryption is bound. */
export const toKeyPlace = (endpointId: string): string => `push_key ${endpointId}`;
export const toHeaderPlace = (endpointId: string): string => `push_endpoint header ${endpointId}`;
const toSecretPlace = (name: string): string => `secret ${name}`;
const toWrapPlace = (keyId: string): string => `secret_key ${keyId}`;

/** Lists the IDs of the keys that open the secrets of a store, the oldest first; none when the secrets are not encrypted. */
export const listSecretsKeys = async (sql: Sql): Promise<readonly SecretsKeyRow[]> =>
  sql<SecretsKeyRow[]>`select key_id as "keyId", created_at as "createdAt" from secret_key order by created_at, key_id`;

const listWrapped = async (sql: Sql): Promise<readonly WrappedRow[]> =>
  sql<WrappedRow[]>`select key_id as "keyId", wrapped from secret_key order by created_at, key_id`;

/** Decrypts the data key. Throws SecretsKeyError when `key` is not one of the keys of the store. */
export const unwrap = (rows: readonly WrappedRow[], key: Buffer | undefined): Buffer => {
  const known = rows.map(({ keyId }) => keyId).join(' or ');
  if (!key) throw new SecretsKeyError(`the secrets of this store are encrypted with the key ${known}`);
  const keyId = toKeyId(key);
  const row = rows.find((one) => one.keyId === keyId);
  if (!row)
    throw new SecretsKeyError(
      `the secrets of this store are encrypted with the key ${known}, and the given key is ${keyId}`,
    );
  try {
    return decrypt(key, toWrapPlace(keyId), row.wrapped);
  } catch (cause) {
    throw new SecretsKeyError(`the data key of this store was changed: the key ${keyId} does not open it`, { cause });
  }
};

const insertWrapped = async (sql: Sql, key: Buffer, dataKey: Buffer): Promise<void> => {
  const keyId = toKeyId(key);
  await sql`
    insert into secret_key (key_id, wrapped) values (${keyId}, ${encrypt(key, toWrapPlace(keyId), dataKey)})
    on conflict do nothing`;
};

const isPlain = (sql: Sql, column: string) => sql`left(${sql(column)}, 1) <> ${SEALED_PREFIX.slice(0, 1)}`;

/** Encrypts the secrets that were stored before the store had a key; `sql` must be a transaction. */
const sealPlainSecrets = async (sql: Sql, box: SecretBox): Promise<void> => {
  const keys = await sql<{ endpointId: string; number: bigint; key: string }[]>`
    select endpoint_id as "endpointId", number, key from push_key where key <> '' and ${isPlain(sql, 'key')} for update`;
  for (const { endpointId, number, key } of keys)
    await sql`
      update push_key set key = ${box.seal(toKeyPlace(endpointId), key)}
      where endpoint_id = ${endpointId} and number = ${String(number)}`;
  const headers = await sql<{ id: string; value: string }[]>`
    select id, header_value as value from push_endpoint where ${isPlain(sql, 'header_value')} for update`;
  for (const { id, value } of headers)
    await sql`update push_endpoint set header_value = ${box.seal(toHeaderPlace(id), value)} where id = ${id}`;
  const secrets = await sql<{ name: string; value: Buffer }[]>`
    select name, value from secret where length(value) = ${SECRETS_KEY_BYTES} for update`;
  for (const { name, value } of secrets)
    await sql`update secret set value = ${sealBytes(box, name, value)} where name = ${name}`;
};

/** Encrypts the bytes of a named secret. Without a key they are stored as they are. */
export const sealBytes = (box: SecretBox, name: string, bytes: Buffer): Buffer => {
  const text = bytes.toString('base64');
  const sealed = box.seal(toSecretPlace(name), text);
  return sealed === text ? bytes : Buffer.from(sealed);
};

/** Decrypts what `sealBytes` returned. */
export const openBytes = (box: SecretBox, name: string, stored: Buffer): Buffer =>
  stored.length === SECRETS_KEY_BYTES
    ? stored
    : Buffer.from(box.open(toSecretPlace(name), stored.toString()), 'base64');

/** Whether a store has secrets, encrypted or not. The first server of a store creates some. */
export const hasSecrets = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select from secret) or exists (select from push_key) as found`;
  return row?.found === true;
};

/**
 * Returns the conditions of encrypted secrets in a text column, and in the table `secret`. With the prefix of a data key, those that it does not
 * open.
 */
export const createSealedConditions = (sql: Sql, exceptPrefix?: string) => {
  const prefix = Buffer.from(exceptPrefix ?? '');
  return {
    ofText: (column: string) => sql`(
      not ${isPlain(sql, column)} ${exceptPrefix === undefined ? sql`` : sql`and not starts_with(${sql(column)}, ${exceptPrefix})`})`,
    ofNamed: sql`(length(value) <> ${SECRETS_KEY_BYTES}
      ${exceptPrefix === undefined ? sql`` : sql`and substring(value for ${prefix.length}) <> ${prefix}`})`,
  };
};

export type SealedConditions = ReturnType<typeof createSealedConditions>;

/** Counts the encrypted secrets; with the prefix of a data key, those that it does not open. */
const countSealed = async (sql: Sql, exceptPrefix?: string): Promise<number> => {
  const { ofText, ofNamed } = createSealedConditions(sql, exceptPrefix);
  const [row] = await sql<{ count: number }[]>`
    select (select count(*) from push_key where ${ofText('key')})::int
      + (select count(*) from push_endpoint where ${ofText('header_value')})::int
      + (select count(*) from secret where ${ofNamed})::int as count`;
  return row?.count ?? 0;
};

/** Returns the box of the secrets of a store, and changes nothing. Throws SecretsKeyError when `key` does not open the store. */
export const readSecretBox = async (sql: Sql, key: Buffer | undefined): Promise<SecretBox> => {
  // Before the keys: another process can create the first one now, and encrypts the secrets then.
  const sealed = await countSealed(sql);
  const rows = await listWrapped(sql);
  if (rows.length > 0) return createSecretBox(unwrap(rows, key));
  if (sealed > 0) throw new LostSecretsKeyError(sealed);
  return plainSecretBox;
};

/** Counts the secrets that were encrypted with another data key than that of the store. Throws SecretsKeyError when `key` does not open it. */
export const countForeignSecrets = async (sql: Sql, key: Buffer): Promise<number> => {
  const rows = await listWrapped(sql);
  return rows.length === 0 ? 0 : countSealed(sql, toSealedPrefix(unwrap(rows, key)));
};

/** Does work in a transaction while no other process changes the keys: two at the same time would create two data keys, or delete both keys. */
export const withLockedKeys = async <T>(
  db: Database,
  work: (sql: Sql, rows: readonly WrappedRow[]) => Promise<T>,
): Promise<T> => {
  const { result } = await db.begin(async (sql) => {
    await sql`lock table secret_key in share row exclusive mode`;
    return { result: await work(sql, await listWrapped(sql)) };
  });
  return result;
};

/** Creates the data key of a store without encrypted secrets: another data key would open none of these. */
export const createDataKey = async (sql: Sql, key: Buffer): Promise<Buffer> => {
  const sealed = await countSealed(sql);
  if (sealed > 0) throw new LostSecretsKeyError(sealed);
  const dataKey = randomBytes(SECRETS_KEY_BYTES);
  await insertWrapped(sql, key, dataKey);
  return dataKey;
};

/**
 * Returns the box of the secrets of a store. With a first `key`, creates the data key; with any valid key, encrypts what is not encrypted yet.
 * Without a key, the secrets of a store that has none are stored as they are. Throws SecretsKeyError when the key does not open the store.
 */
export const openSecretBox = async (db: Database, key: Buffer | undefined): Promise<SecretBox> => {
  if (!key) return readSecretBox(db, key);
  return withLockedKeys(db, async (sql, rows) => {
    const box = createSecretBox(rows.length === 0 ? await createDataKey(sql, key) : unwrap(rows, key));
    await sealPlainSecrets(sql, box);
    return box;
  });
};

/** Lets a further key open the secrets of a store. Secrets stay as they are. Throws SecretsKeyError when `key` does not open the store. */
export const addSecretsKey = (
  db: Database,
  { key, newKey }: { readonly key: Buffer; readonly newKey: Buffer },
): Promise<void> => withLockedKeys(db, (sql, rows) => insertWrapped(sql, newKey, unwrap(rows, key)));

/** Makes `key` the only one that opens the secrets of a store; returns the IDs of the others. Throws SecretsKeyError when it does not open it. */
export const retireOtherSecretsKeys = (db: Database, key: Buffer): Promise<readonly string[]> =>
  withLockedKeys(db, async (sql, rows) => {
    unwrap(rows, key);
    const retired = await sql<{ keyId: string }[]>`
      delete from secret_key where key_id <> ${toKeyId(key)} returning key_id as "keyId"`;
    return retired.map(({ keyId }) => keyId);
  });
