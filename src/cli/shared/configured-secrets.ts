import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import type { Config } from '#config.ts';
import { getErrorCode } from '#lib/error-code.ts';
import { parseSecretsKey, SECRETS_KEY_BYTES, SecretsKeyError, type SecretBox } from '#lib/secret-box.ts';
import { listSecretsKeys, openSecretBox, readSecretBox } from '#store/access/secret-keys.ts';
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

/** Writes a new random key to a file that only its owner can read. Throws an error when the file exists. */
export const createSecretsKeyFile = async (path: string): Promise<Buffer> => {
  const key = randomBytes(SECRETS_KEY_BYTES);
  await writeFile(path, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
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
  if (!file) return secretsKey;
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
    warn(
      `warning: secrets are not encrypted: '${path}' cannot be created (${getErrorCode(error)}); set SECRETS_KEY_FILE`,
    );
    return undefined;
  }
};

const withAdvice = (error: unknown, config: Config): unknown => {
  if (!(error instanceof SecretsKeyError)) return error;
  const file = findKeyFile(config);
  const advice = file?.isEmbedded
    ? `restore the file ${file.path}, or set SECRETS_KEY or SECRETS_KEY_FILE`
    : 'set SECRETS_KEY or SECRETS_KEY_FILE to that key';
  return new SecretsKeyError(`${error.message}: ${advice}`, { cause: error.cause });
};

/** Opens the secrets of a store like `openConfiguredSecrets`, and changes nothing. */
export const readConfiguredSecrets = async (config: Config, sql: Sql): Promise<SecretBox> => {
  try {
    return await readSecretBox(sql, await readSecretsKey(config));
  } catch (error) {
    throw withAdvice(error, config);
  }
};

/**
 * Opens the secrets of a store with the configured key, and encrypts those that are not encrypted yet. A new embedded store gets a key file. Throws
 * SecretsKeyError when the key is not that of the store.
 */
export const openConfiguredSecrets = async (
  config: Config,
  db: Database,
  warn = (message: string): void => void process.stderr.write(`${message}\n`),
): Promise<SecretBox> => {
  try {
    const file = findKeyFile(config);
    // Before the file is read: a process that starts at the same time creates it first, then the key of the store.
    const isNewEmbedded = file?.isEmbedded === true && (await listSecretsKeys(db)).length === 0;
    const configured = await readSecretsKey(config);
    return await openSecretBox(
      db,
      configured ?? (isNewEmbedded ? await createEmbeddedKey(file.path, warn) : undefined),
    );
  } catch (error) {
    throw withAdvice(error, config);
  }
};
