import { createHmac, createSecretKey, sign } from 'node:crypto';
import { parseWebhookKey } from './signing-keys.ts';

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
  if (!/^[\w-]+$/.test(event.id)) throw new RangeError(`an event id has letters, digits, - and _, not '${event.id}'`);
  if (keys.length === 0) throw new RangeError('an event is signed with one key at least');
  const seconds = String(Math.floor(at.getTime() / 1000));
  const content = `${event.id}.${seconds}.${event.body}`;
  return {
    'webhook-id': event.id,
    'webhook-timestamp': seconds,
    'webhook-signature': keys.map((key) => getSigner(key)(content)).join(' '),
  };
};
