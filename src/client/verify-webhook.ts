import type { ScheduleEvent, StatusEvent, TestEvent } from '../../generated/flight-info-alerts/v1/types.gen.ts';

/** What is posted to a receiver: a change of a flight, or the test of a ping. */
export type WebhookEvent = StatusEvent | ScheduleEvent | TestEvent;

type HeaderReader = { readonly get: (name: string) => string | null };

export type WebhookRequest = {
  /** Secrets of the endpoint (`whsec_...`): the new one and the old one while one replaces the other. */
  readonly secrets?: readonly string[];
  /** Public keys of an endpoint that signs with ed25519 (`whpk_...`). */
  readonly publicKeys?: readonly string[];
  /** As the platform has them: `Headers`, also those of a library, or an object as Node's `request.headers`. */
  readonly headers: HeaderReader | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it came, before anything was made of it. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** Milliseconds since 1970; by default now. */
  readonly now?: number;
  /** How old, or how far ahead, a request may be: 300. */
  readonly toleranceSeconds?: number;
};

/** Why a request is not believed. */
export type WebhookRefusal =
  | 'missing-header'
  | 'malformed-header'
  | 'too-old'
  | 'too-new'
  | 'no-matching-signature'
  | 'malformed-body';

/** A request to a receiver that must not be believed. Answer 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly refusal: WebhookRefusal;

  constructor(refusal: WebhookRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
};

/** The bytes of a key; the error does not repeat it. */
const keyBytes = (key: string, prefix: 'whsec_' | 'whpk_'): Uint8Array<ArrayBuffer> => {
  const bytes = key.startsWith(prefix) ? bytesOf(key.slice(prefix.length)) : undefined;
  if (!bytes || bytes.length === 0 || (prefix === 'whpk_' && bytes.length !== 32))
    throw new TypeError(`a ${prefix === 'whsec_' ? 'secret' : 'public key'} is ${prefix} and base64 behind it`);
  return bytes;
};

const isReader = (headers: WebhookRequest['headers']): headers is HeaderReader => typeof headers.get === 'function';

const headerOf = ({ headers }: WebhookRequest, name: string): string => {
  const value = isReader(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = typeof value === 'string' ? value : value?.join(' ');
  if (text !== undefined && text !== '') return text;
  throw new WebhookVerificationError('missing-header', `The request has no ${name}.`);
};

const checkTime = (sentAt: string, { now = Date.now(), toleranceSeconds = 300 }: WebhookRequest): void => {
  if (!/^\d+$/.test(sentAt))
    throw new WebhookVerificationError('malformed-header', 'webhook-timestamp is not a number of seconds.');
  const age = now / 1000 - Number(sentAt);
  if (age > toleranceSeconds)
    throw new WebhookVerificationError('too-old', `The request was signed more than ${toleranceSeconds} s ago.`);
  if (age < -toleranceSeconds)
    throw new WebhookVerificationError('too-new', `The request was signed more than ${toleranceSeconds} s ahead.`);
};

/** Tells whether a signature is one of the key; the platform compares in constant time. */
type Verifier = {
  readonly version: 'v1' | 'v1a';
  readonly verify: (signature: BufferSource, signed: BufferSource) => Promise<boolean>;
};

const secretVerifier = async (secret: string): Promise<Verifier> => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyBytes(secret, 'whsec_'), algorithm, false, ['verify']);
  return { version: 'v1', verify: (signature, signed) => crypto.subtle.verify('HMAC', key, signature, signed) };
};

const publicKeyVerifier = async (publicKey: string): Promise<Verifier> => {
  const algorithm = { name: 'Ed25519' };
  const key = await crypto.subtle.importKey('raw', keyBytes(publicKey, 'whpk_'), algorithm, false, ['verify']);
  return { version: 'v1a', verify: (signature, signed) => crypto.subtle.verify(algorithm, key, signature, signed) };
};

const isSigned = async (signed: BufferSource, signatures: string, verifiers: readonly Verifier[]): Promise<boolean> => {
  for (const one of signatures.split(' ')) {
    const [version, base64 = ''] = one.split(',', 2);
    const signature = bytesOf(base64);
    for (const verifier of signature ? verifiers : [])
      if (signature && verifier.version === version && (await verifier.verify(signature, signed))) return true;
  }
  return false;
};

const joined = (head: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const start = new TextEncoder().encode(head);
  const all = new Uint8Array(start.length + body.length);
  all.set(start);
  all.set(body, start.length);
  return all;
};

const bytesOfBody = (body: WebhookRequest['body']): Uint8Array => {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  // Frameworks like to hand over what they have made of a body; from that the signature cannot be told.
  if (ArrayBuffer.isView(body)) return body;
  throw new TypeError('body is the text or the bytes of the request as they came, and not what was made of them');
};

/**
 * The event in a request that was posted to a receiver, once it is sure that the service sent it (Standard Webhooks 1.0.0: `v1` is
 * HMAC-SHA256, `v1a` ed25519), and not long ago. One of its signatures must be by one of the keys. Rejects with a
 * WebhookVerificationError, or with a TypeError for a key that is none.
 */
export const verifyWebhook = async (request: WebhookRequest): Promise<WebhookEvent> => {
  const { secrets = [], publicKeys = [] } = request;
  const body = bytesOfBody(request.body);
  if (secrets.length + publicKeys.length === 0) throw new TypeError('verifyWebhook needs a secret or a public key');
  const verifiers = await Promise.all([...secrets.map(secretVerifier), ...publicKeys.map(publicKeyVerifier)]);
  const id = headerOf(request, 'webhook-id');
  const sentAt = headerOf(request, 'webhook-timestamp');
  const signatures = headerOf(request, 'webhook-signature');
  checkTime(sentAt, request);
  // With a dot in it, the id could take over a part of what else is signed.
  if (!/^[\w-]+$/.test(id))
    throw new WebhookVerificationError('malformed-header', 'webhook-id has other signs than letters, digits, - and _.');
  if (!(await isSigned(joined(`${id}.${sentAt}.`, body), signatures, verifiers)))
    throw new WebhookVerificationError('no-matching-signature', 'No signature is by one of the keys.');
  try {
    // What the service has signed is what its document says it sends.
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('malformed-body', 'The body is not JSON.');
  }
};
