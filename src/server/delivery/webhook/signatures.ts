import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

/** A key in the form of Standard Webhooks: `whsec_`, shared with the receiver (HMAC-SHA256), or `whsk_`, private (ed25519). */
type WebhookKey =
  | { readonly scheme: 'v1'; readonly secret: Buffer }
  | { readonly scheme: 'v1a'; readonly privateKey: KeyObject };

const SECRET_BYTES = { min: 24, created: 32, max: 64 } as const;

/** The PKCS #8 prefix of a 32-byte ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/** Length of an ed25519 private and public key. */
const KEY_BYTES = 32;

/** Decodes padded base64; undefined for anything else, which `Buffer` would decode in part. */
const decodeBase64 = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
};

/** Creates a secret to share with a receiver: 32 random bytes. */
export const createSecret = (): string => `whsec_${randomBytes(SECRET_BYTES.created).toString('base64')}`;

const exportPublicKey = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);

/** Creates an ed25519 key pair. The private key is stored, with the public key appended as is customary; the receiver gets the public key. */
export const createKeyPair = (): { readonly privateKey: string; readonly publicKey: string } => {
  const pair = generateKeyPairSync('ed25519');
  const seed = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES);
  const publicKey = exportPublicKey(pair.publicKey);
  return {
    privateKey: `whsk_${Buffer.concat([seed, publicKey]).toString('base64')}`,
    publicKey: `whpk_${publicKey.toString('base64')}`,
  };
};

/**
 * Parses a `whsec_` secret of 24 to 64 bytes, or a `whsk_` private key of 32 bytes or 64 with its public key. Throws a RangeError without the text.
 */
export const parseWebhookKey = (text: string): WebhookKey => {
  const [, prefix, encoded = ''] = /^(whsec|whsk)_(.+)$/.exec(text) ?? [];
  const bytes = decodeBase64(encoded);
  if (!prefix || !bytes) throw new RangeError('a webhook key must be whsec_ or whsk_ followed by base64');
  if (prefix === 'whsec') {
    if (bytes.length < SECRET_BYTES.min || bytes.length > SECRET_BYTES.max)
      throw new RangeError(
        `a whsec_ secret must have ${SECRET_BYTES.min} to ${SECRET_BYTES.max} bytes, not ${bytes.length}`,
      );
    return { scheme: 'v1', secret: bytes };
  }
  if (bytes.length !== KEY_BYTES && bytes.length !== 2 * KEY_BYTES)
    throw new RangeError(`a whsk_ key must have ${KEY_BYTES} or ${2 * KEY_BYTES} bytes, not ${bytes.length}`);
  const der = Buffer.concat([PKCS8_PREFIX, bytes.subarray(0, KEY_BYTES)]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  if (bytes.length > KEY_BYTES && !exportPublicKey(createPublicKey(privateKey)).equals(bytes.subarray(KEY_BYTES)))
    throw new RangeError('the public key in the whsk_ key does not match its private key');
  return { scheme: 'v1a', privateKey };
};

/** Returns the public key (`whpk_`) of a `whsk_` key; undefined for a shared secret. */
export const getPublicKey = (text: string): string | undefined => {
  const key = parseWebhookKey(text);
  return key.scheme === 'v1'
    ? undefined
    : `whpk_${exportPublicKey(createPublicKey(key.privateKey)).toString('base64')}`;
};

/** An event to send, with the same id and the same bytes at every attempt. */
export type OutgoingEvent = {
  /** Letters, digits, `-` and `_`: a dot would make the signed text ambiguous. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
};

export type SignedHeaders = {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
};

type Signer = (content: string) => string;

const createSigner = (text: string): Signer => {
  const key = parseWebhookKey(text);
  if (key.scheme === 'v1a')
    return (content) => `v1a,${sign(null, Buffer.from(content), key.privateKey).toString('base64')}`;
  const secret = createSecretKey(key.secret);
  return (content) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`;
};

/** Number of cached signers, and their maximum age in milliseconds: importing a key takes four times as long as signing with it. */
const CACHE = { maxSize: 2000, maxAgeMs: 60_000 } as const;

let cache = { signers: new Map<string, Signer>(), since: 0 };

const getSigner = (text: string): Signer => {
  const now = performance.now();
  if (now - cache.since > CACHE.maxAgeMs || cache.signers.size >= CACHE.maxSize)
    cache = { signers: new Map(), since: now };
  const cached = cache.signers.get(text);
  if (cached) return cached;
  const signer = createSigner(text);
  cache.signers.set(text, signer);
  return signer;
};

/**
 * Creates the headers of Standard Webhooks 1.0.0 for an attempt: one signature for each key, separated by spaces, so that receivers can verify with
 * the old or the new key. Throws a RangeError for an invalid id or key.
 */
export const createSignedHeaders = (event: OutgoingEvent, keys: readonly string[], at: Date): SignedHeaders => {
  if (!/^[\w-]+$/.test(event.id))
    throw new RangeError(`an event ID must have letters, digits, - and _, not '${event.id}'`);
  if (keys.length === 0) throw new RangeError('an event must be signed with at least one key');
  const seconds = String(Math.floor(at.getTime() / 1000));
  const content = `${event.id}.${seconds}.${event.body}`;
  return {
    'webhook-id': event.id,
    'webhook-timestamp': seconds,
    'webhook-signature': keys.map((key) => getSigner(key)(content)).join(' '),
  };
};
