import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

/** Encrypts the secrets of a store, and decrypts them. */
export type SecretBox = {
  /** Encrypts a secret for one place, such as `push_key <endpoint>`. Without a key, returns the secret itself. */
  readonly seal: (place: string, secret: string) => string;
  /** Returns the secret of a place. Throws SecretsKeyError for one that was encrypted with another key, for another place, or changed. */
  readonly open: (place: string, stored: string) => string;
};

/** A key for secrets that is absent, malformed or not the key of a store. The message contains no key. */
export class SecretsKeyError extends Error {
  override readonly name = 'SecretsKeyError';
}

/** The bytes of a key for AES-256. */
export const SECRETS_KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Parses a key: 32 bytes as Base64, or as hexadecimal digits; undefined for another text. */
export const parseSecretsKey = (text: string): Buffer | undefined => {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  const bytes = /^[A-Za-z0-9+/]{43}=$/.test(trimmed) ? Buffer.from(trimmed, 'base64') : undefined;
  return bytes?.length === SECRETS_KEY_BYTES ? bytes : undefined;
};

/** Begins an encrypted value. Secrets are header values and texts of printable letters, so none begins with a control character. */
export const SEALED_PREFIX = '\u0001v1:';

/** Returns the ID of a key: eight hexadecimal digits, from which the key cannot be computed. */
export const toKeyId = (key: Buffer): string =>
  hash('sha256', Buffer.concat([Buffer.from('flightdata secrets key\n'), key]), 'hex').slice(0, 8);

/** Encrypts bytes with AES-256-GCM for a place: random initialization vector, ciphertext, authentication tag. */
export const encrypt = (key: Buffer, place: string, bytes: Buffer): Buffer => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
  return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
};

/** Decrypts what `encrypt` returned for the same key and place; throws for anything else. */
export const decrypt = (key: Buffer, place: string, bytes: Buffer): Buffer => {
  const tagFrom = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(tagFrom));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, tagFrom)), decipher.final()]);
};

const isSealed = (stored: string): boolean => stored.startsWith(SEALED_PREFIX);

/** The box of a store without a key: secrets are stored as they are. */
export const plainSecretBox: SecretBox = {
  seal: (_place, secret) => secret,
  open: (place, stored) => {
    if (isSealed(stored)) throw new SecretsKeyError(`${place} is encrypted, and this process has no key for secrets`);
    return stored;
  },
};

/** Returns the beginning of all values that are encrypted with a data key. */
export const toSealedPrefix = (key: Buffer): string => `${SEALED_PREFIX}${toKeyId(key)}:`;

/** Creates the box of a data key. A value that is not encrypted yet is returned as it is. */
export const createSecretBox = (key: Buffer): SecretBox => {
  const prefix = toSealedPrefix(key);
  return {
    seal: (place, secret) => prefix + encrypt(key, place, Buffer.from(secret)).toString('base64'),
    open: (place, stored) => {
      if (!isSealed(stored)) return stored;
      try {
        if (!stored.startsWith(prefix)) throw new SecretsKeyError('another key');
        return decrypt(key, place, Buffer.from(stored.slice(prefix.length), 'base64')).toString();
      } catch (cause) {
        throw new SecretsKeyError(
          `${place} cannot be decrypted: it was changed, moved, or encrypted with another key`,
          {
            cause,
          },
        );
      }
    },
  };
};
