import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

/** A key as Standard Webhooks writes it: `whsec_` shared with the receiver (HMAC-SHA256), `whsk_` ours alone (ed25519). */
export type WebhookKey =
  | { readonly scheme: 'v1'; readonly secret: Buffer }
  | { readonly scheme: 'v1a'; readonly privateKey: KeyObject };

export const SECRET_BYTES = { least: 24, made: 32, most: 64 } as const;

/** What stands before the 32 bytes of an ed25519 private key in PKCS #8 (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');
/** Length of a private and of a public ed25519 key. */
const KEY_BYTES = 32;

/** Bytes from base64 with its padding; undefined for anything else, which `Buffer` would read as far as it can. */
const bytesOf = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
};

/** A secret to share with a receiver: 32 random bytes. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES.made).toString('base64')}`;

const rawPublic = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);

/** A pair of ed25519 keys: the private one is kept, with the public one behind it as is the custom; the public one is the receiver's. */
export const newKeyPair = (): { readonly privateKey: string; readonly publicKey: string } => {
  const pair = generateKeyPairSync('ed25519');
  const seed = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES);
  const open = rawPublic(pair.publicKey);
  return {
    privateKey: `whsk_${Buffer.concat([seed, open]).toString('base64')}`,
    publicKey: `whpk_${open.toString('base64')}`,
  };
};

/** Reads a `whsec_` secret of 24 to 64 bytes or a `whsk_` private key of 32, or 64 with its public key. Throws a RangeError that does not repeat it. */
export const readKey = (text: string): WebhookKey => {
  const [, prefix, encoded = ''] = /^(whsec|whsk)_(.+)$/.exec(text) ?? [];
  const bytes = bytesOf(encoded);
  if (!prefix || !bytes) throw new RangeError('a key of webhooks is whsec_ or whsk_ with base64 behind it');
  if (prefix === 'whsec') {
    if (bytes.length < SECRET_BYTES.least || bytes.length > SECRET_BYTES.most)
      throw new RangeError(
        `a whsec_ secret has ${SECRET_BYTES.least} to ${SECRET_BYTES.most} bytes, not ${bytes.length}`,
      );
    return { scheme: 'v1', secret: bytes };
  }
  if (bytes.length !== KEY_BYTES && bytes.length !== 2 * KEY_BYTES)
    throw new RangeError(`a whsk_ key has ${KEY_BYTES} or ${2 * KEY_BYTES} bytes, not ${bytes.length}`);
  const der = Buffer.concat([pkcs8, bytes.subarray(0, KEY_BYTES)]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  if (bytes.length > KEY_BYTES && !rawPublic(createPublicKey(privateKey)).equals(bytes.subarray(KEY_BYTES)))
    throw new RangeError('a whsk_ key has the public key of another');
  return { scheme: 'v1a', privateKey };
};

/** The public key (`whpk_`) of a `whsk_` key, for its receiver; undefined for a secret. */
export const publicKeyOf = (text: string): string | undefined => {
  const key = readKey(text);
  return key.scheme === 'v1' ? undefined : `whpk_${rawPublic(createPublicKey(key.privateKey)).toString('base64')}`;
};
