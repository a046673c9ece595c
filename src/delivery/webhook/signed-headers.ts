import { createHmac, createSecretKey, sign } from 'node:crypto';
import { readKey } from './signing-keys.ts';

/** An event as it is sent: the same id and the same bytes at every attempt. */
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

const newSigner = (text: string): Signer => {
  const key = readKey(text);
  if (key.scheme === 'v1a')
    return (content) => `v1a,${sign(null, Buffer.from(content), key.privateKey).toString('base64')}`;
  const secret = createSecretKey(key.secret);
  return (content) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`;
};

/** How many keys are kept as they are used, and for how long, milliseconds: to make one takes four times as long as to sign with it. */
const KEPT = { most: 2000, forMs: 60_000 } as const;

let kept = { signers: new Map<string, Signer>(), since: 0 };

const signerOf = (text: string): Signer => {
  const now = performance.now();
  if (now - kept.since > KEPT.forMs || kept.signers.size >= KEPT.most) kept = { signers: new Map(), since: now };
  const known = kept.signers.get(text);
  if (known) return known;
  const made = newSigner(text);
  kept.signers.set(text, made);
  return made;
};

/**
 * The headers of Standard Webhooks 1.0.0 for an attempt at a time: one signature for each key, separated by spaces, so that a
 * receiver is understood by its old key as well as by its new one. Throws a RangeError for an id or a key that is none.
 */
export const signedHeaders = (event: OutgoingEvent, keys: readonly string[], at: Date): SignedHeaders => {
  if (!/^[\w-]+$/.test(event.id)) throw new RangeError(`an event id has letters, digits, - and _, not '${event.id}'`);
  if (keys.length === 0) throw new RangeError('an event is signed with one key at least');
  const seconds = String(Math.floor(at.getTime() / 1000));
  const content = `${event.id}.${seconds}.${event.body}`;
  return {
    'webhook-id': event.id,
    'webhook-timestamp': seconds,
    'webhook-signature': keys.map((key) => signerOf(key)(content)).join(' '),
  };
};
