import { createHmac, sign } from 'node:crypto';
import { readKey, type WebhookKey } from './webhook-keys.ts';

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

const signature = (key: WebhookKey, content: string): string =>
  key.scheme === 'v1'
    ? `v1,${createHmac('sha256', key.secret).update(content).digest('base64')}`
    : `v1a,${sign(null, Buffer.from(content), key.privateKey).toString('base64')}`;

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
    'webhook-signature': keys.map((key) => signature(readKey(key), content)).join(' '),
  };
};
