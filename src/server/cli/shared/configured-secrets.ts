import { randomBytes, randomUUID } from 'node:crypto';
import { open, readFile, rm, stat } from 'node:fs/promises';
import type { Config } from '#config.ts';
import { linkExclusively } from '#jobs/schedule-messages/move-file.ts';
import { getErrorCode } from '#lib/error-code.ts';
import {
  parseSecretsKey,
  plainSecretBox,
  SECRETS_KEY_BYTES,
  SecretsKeyError,
  type SecretBox,
} from '#lib/secret-box.ts';
import {
  countForeignSecrets,
  hasSecrets,
  LostSecretsKeyError,
  openSecretBox,
  readSecretBox,
} from '#store/access/secret-keys.ts';
import type { Database, Sql } from '#store/pool/database.ts';

/** What error messages call the key beside an embedded store. */
const EMBEDDED_KEY = 'key for secrets';

/** Reads a key from a file. Throws an error that names the file, and never its content. */
export const readSecretsKeyFile = async (path: string, name: string): Promise<Buffer> => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`${name}: the file '${path}' cannot be read (${getErrorCode(cause)})`, { cause });
  });
  const key = parseSecretsKey(text);
  if (!key)
    throw new RangeError(
      `${name}: the file '${path}' must contain ${SECRETS_KEY_BYTES} bytes as Base64 or hexadecimal digits`,
    );
  return key;
};

/**
 * Writes a new random key to a file that only its owner can read, completely or not at all. Throws an error when the file exists. It is on disk
 * before a secret is encrypted with it.
 */
export const createSecretsKeyFile = async (path: string): Promise<Buffer> => {
  const key = randomBytes(SECRETS_KEY_BYTES);
  const temporary = `${path}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${key.toString('base64')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await linkExclusively(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
  return key;
};

type KeyFile = { readonly path: string; readonly isEmbedded: boolean };

/** Returns the file of the key, if no variable contains it; an embedded store has one beside its data, so that a copy of these lacks it. */
const findKeyFile = ({ secretsKey, secretsKeyFile, databaseUrl, dataDir }: Config): KeyFile | undefined => {
  if (secretsKey) return undefined;
  if (secretsKeyFile !== undefined) return { path: secretsKeyFile, isEmbedded: false };
  return databaseUrl === undefined ? { path: `${dataDir}.key`, isEmbedded: true } : undefined;
};

/** Returns the configured key. Without one, that of an embedded store, if its file exists. */
export const readSecretsKey = async (config: Config): Promise<Buffer | undefined> => {
  const { secretsKey, secretsKeyFile } = config;
  if (secretsKey && secretsKeyFile !== undefined)
    throw new RangeError('SECRETS_KEY and SECRETS_KEY_FILE are both set: set one of them');
  const file = findKeyFile(config);
  if (!file) return secretsKey === 'none' ? undefined : secretsKey;
  const { path, isEmbedded } = file;
  return readSecretsKeyFile(path, isEmbedded ? EMBEDDED_KEY : 'SECRETS_KEY_FILE').catch((error: unknown) => {
    if (isEmbedded && error instanceof Error && getErrorCode(error.cause) === 'ENOENT') return undefined;
    throw error;
  });
};

/** Returns the file that contains the key and its mode, if other users than its owner can read it. */
export const findReadableKeyFile = async (
  config: Config,
): Promise<{ readonly path: string; readonly mode: string } | undefined> => {
  const { path } = findKeyFile(config) ?? {};
  if (path === undefined) return undefined;
  // The error of a file that is absent comes from the command that reads it.
  const mode = await stat(path).then(
    (file) => file.mode,
    () => 0,
  );
  return (mode & 0o044) === 0 ? undefined : { path, mode: (mode & 0o777).toString(8).padStart(4, '0') };
};

/** Creates the key file of an embedded store. Without room for it, secrets stay unencrypted: a warning says so. */
const createEmbeddedKey = async (path: string, warn: (message: string) => void): Promise<Buffer | undefined> => {
  try {
    return await createSecretsKeyFile(path);
  } catch (error) {
    // Another process created it meanwhile.
    if (getErrorCode(error) === 'EEXIST') return readSecretsKeyFile(path, EMBEDDED_KEY);
    warn(`secrets are not encrypted: '${path}' cannot be created (${getErrorCode(error)}); set SECRETS_KEY_FILE`);
    return undefined;
  }
};

const RESTORE =
  "restore this table from a backup, or see 'flightdata secrets discard' (docs/how-to/operate/encrypt-secrets.md#when-the-key-is-lost)";
const SET_KEY = 'set SECRETS_KEY or SECRETS_KEY_FILE';

const adviseOn = (error: SecretsKeyError, config: Config): string => {
  const { databaseUrl, dataDir, secretsKey } = config;
  if (error instanceof LostSecretsKeyError) return RESTORE;
  if (databaseUrl === undefined && secretsKey === 'none')
    return `remove SECRETS_KEY=none, so that the key in the file ${dataDir}.key is used`;
  const file = findKeyFile(config);
  return file?.isEmbedded === true ? `restore the file ${file.path}, or ${SET_KEY}` : `${SET_KEY} to that key`;
};

const withAdvice = (error: unknown, config: Config): unknown =>
  error instanceof SecretsKeyError
    ? new SecretsKeyError(`${error.message}: ${adviseOn(error, config)}`, { cause: error.cause })
    : error;

/** Opens the secrets of a store like `openConfiguredSecrets`, and changes nothing. */
export const readConfiguredSecrets = async (config: Config, sql: Sql): Promise<SecretBox> => {
  try {
    return await readSecretBox(sql, await readSecretsKey(config));
  } catch (error) {
    throw withAdvice(error, config);
  }
};

/** Describes the secrets of a store that the configured key does not open, although it opens others; undefined when there are none. */
export const findLostSecrets = async (config: Config, sql: Sql): Promise<string | undefined> => {
  const key = await readSecretsKey(config);
  const count = key ? await countForeignSecrets(sql, key) : 0;
  if (count === 0) return undefined;
  return `${count} secrets of this store were encrypted with a key that the table secret_key no longer contains: ${RESTORE}`;
};

/** What an operator has to do about a store outside of this service that is not encrypted. */
export type MissingKey = { readonly isRequired: boolean; readonly text: string };

/** Finds what to do about a store that is not encrypted; undefined where the configuration has a key, or says that none is wanted. */
export const findMissingKey = async (config: Config, sql: Sql): Promise<MissingKey | undefined> => {
  const { secretsKey, secretsKeyFile, databaseUrl } = config;
  if (secretsKey !== undefined || secretsKeyFile !== undefined || databaseUrl === undefined) return undefined;
  // Servers create secrets when they start.
  const isRequired = !(await hasSecrets(sql));
  const text = isRequired
    ? `a new store needs a key for its secrets: create one with 'flightdata secrets create-key FILE' and set SECRETS_KEY_FILE, or set SECRETS_KEY=none to store them unencrypted`
    : `the secrets of this store are not encrypted: ${SET_KEY} for all servers, or SECRETS_KEY=none if none is wanted`;
  return { isRequired, text };
};

const isUnencrypted = async (sql: Sql): Promise<boolean> => {
  try {
    return (await readSecretBox(sql, undefined)) === plainSecretBox;
  } catch (error) {
    if (error instanceof SecretsKeyError) return false;
    throw error;
  }
};

/**
 * Opens the secrets of a store with the configured key, and encrypts those that are not encrypted yet. A new embedded store gets a key file. Throws
 * SecretsKeyError when the key is not that of the store, and for a new store outside of this service without a key.
 */
export const openConfiguredSecrets = async (
  config: Config,
  db: Database,
  warn = (message: string): void => void process.stderr.write(`warning: ${message}\n`),
): Promise<SecretBox> => {
  try {
    const file = findKeyFile(config);
    // Before the file is read: a process that starts at the same time creates it first, then the key of the store.
    const isNewEmbedded = file?.isEmbedded === true && (await isUnencrypted(db));
    const configured = await readSecretsKey(config);
    const box = await openSecretBox(
      db,
      configured ?? (isNewEmbedded ? await createEmbeddedKey(file.path, warn) : undefined),
    );
    const missing = await findMissingKey(config, db);
    if (missing?.isRequired === true) throw new RangeError(missing.text);
    const warning = missing?.text ?? (await findLostSecrets(config, db));
    if (warning !== undefined) warn(warning);
    return box;
  } catch (error) {
    throw withAdvice(error, config);
  }
};
