import type { ScheduleEvent, StatusEvent, TestEvent } from '../../generated/flight-info-alerts/v1/types.gen.ts';

/** An event posted to an endpoint: a change of a flight, or the test event of a ping. */
export type WebhookEvent = StatusEvent | ScheduleEvent | TestEvent;

type HeaderReader = { readonly get: (name: string) => string | null };

export type WebhookRequest = {
  /** Secrets of the endpoint (`whsec_...`): both the old and the new one during a rotation. */
  readonly secrets?: readonly string[];
  /** Public keys of an endpoint that signs with ed25519 (`whpk_...`). */
  readonly publicKeys?: readonly string[];
  /** `Headers` of the platform or a library, or an object such as `request.headers` of Node. */
  readonly headers: HeaderReader | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body, before any parsing. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** Milliseconds since 1970; by default now. */
  readonly now?: number;
  /** How far the timestamp may be in the past or the future: 300 by default. */
  readonly toleranceSeconds?: number;
};

/** Why a request is not authentic. */
export type WebhookRefusal =
  | 'missing-header'
  | 'malformed-header'
  | 'too-old'
  | 'too-new'
  | 'no-matching-signature'
  | 'malformed-body';

/** A request that is not authentic. Respond with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly refusal: WebhookRefusal;

  constructor(refusal: WebhookRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

const decodeBase64 = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

/** Decodes a key; the error does not contain it. */
const decodeKey = (key: string, prefix: 'whsec_' | 'whpk_'): Uint8Array<ArrayBuffer> => {
  const bytes = key.startsWith(prefix) ? decodeBase64(key.slice(prefix.length)) : undefined;
  if (!bytes || bytes.length === 0 || (prefix === 'whpk_' && bytes.length !== 32))
    throw new TypeError(`a ${prefix === 'whsec_' ? 'secret' : 'public key'} must be ${prefix} followed by base64`);
  return bytes;
};

const isReader = (headers: WebhookRequest['headers']): headers is HeaderReader => typeof headers.get === 'function';

const getHeader = ({ headers }: WebhookRequest, name: string): string => {
  const value = isReader(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = typeof value === 'string' ? value : value?.join(' ');
  if (text !== undefined && text !== '') return text;
  throw new WebhookVerificationError('missing-header', `The request has no ${name}.`);
};

const validateTimestamp = (sentAt: string, { now = Date.now(), toleranceSeconds = 300 }: WebhookRequest): void => {
  if (!/^\d+$/.test(sentAt))
    throw new WebhookVerificationError('malformed-header', 'webhook-timestamp is not a number of seconds.');
  const age = now / 1000 - Number(sentAt);
  if (age > toleranceSeconds)
    throw new WebhookVerificationError('too-old', `The request was signed more than ${toleranceSeconds} s ago.`);
  if (age < -toleranceSeconds)
    throw new WebhookVerificationError('too-new', `The request was signed more than ${toleranceSeconds} s ahead.`);
};

/** Verifies signatures of one key; the platform compares in constant time. */
type Verifier = {
  readonly version: 'v1' | 'v1a';
  readonly verify: (signature: BufferSource, signed: BufferSource) => Promise<boolean>;
};

const createSecretVerifier = async (secret: string): Promise<Verifier> => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', decodeKey(secret, 'whsec_'), algorithm, false, ['verify']);
  return { version: 'v1', verify: (signature, signed) => crypto.subtle.verify('HMAC', key, signature, signed) };
};

const createPublicKeyVerifier = async (publicKey: string): Promise<Verifier> => {
  const algorithm = { name: 'Ed25519' };
  const key = await crypto.subtle.importKey('raw', decodeKey(publicKey, 'whpk_'), algorithm, false, ['verify']);
  return { version: 'v1a', verify: (signature, signed) => crypto.subtle.verify(algorithm, key, signature, signed) };
};

const hasValidSignature = async (
  signed: BufferSource,
  signatures: string,
  verifiers: readonly Verifier[],
): Promise<boolean> => {
  for (const one of signatures.split(' ')) {
    const [version, base64 = ''] = one.split(',', 2);
    const signature = decodeBase64(base64);
    for (const verifier of signature ? verifiers : [])
      if (signature && verifier.version === version && (await verifier.verify(signature, signed))) return true;
  }
  return false;
};

const concatenate = (head: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const start = new TextEncoder().encode(head);
  const all = new Uint8Array(start.length + body.length);
  all.set(start);
  all.set(body, start.length);
  return all;
};

const toBytes = (body: WebhookRequest['body']): Uint8Array => {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  // Frameworks may pass a parsed body, of which the signature cannot be verified.
  if (ArrayBuffer.isView(body)) return body;
  throw new TypeError('body must be the raw text or bytes of the request, not a parsed value');
};

/**
 * Verifies signature and timestamp of a webhook request (Standard Webhooks 1.0.0: `v1` is HMAC-SHA256, `v1a` ed25519) and returns its
 * event. One signature must match one of the keys. Rejects with a WebhookVerificationError, or with a TypeError for a malformed key.
 */
export const verifyWebhook = async (request: WebhookRequest): Promise<WebhookEvent> => {
  const { secrets = [], publicKeys = [] } = request;
  const body = toBytes(request.body);
  if (secrets.length + publicKeys.length === 0) throw new TypeError('verifyWebhook needs a secret or a public key');
  const verifiers = await Promise.all([
    ...secrets.map(createSecretVerifier),
    ...publicKeys.map(createPublicKeyVerifier),
  ]);
  const id = getHeader(request, 'webhook-id');
  const sentAt = getHeader(request, 'webhook-timestamp');
  const signatures = getHeader(request, 'webhook-signature');
  validateTimestamp(sentAt, request);
  // The signed text is joined with dots: an id with a dot could shift its parts.
  if (!/^[\w-]+$/.test(id))
    throw new WebhookVerificationError('malformed-header', 'webhook-id must contain only letters, digits, - and _.');
  if (!(await hasValidSignature(concatenate(`${id}.${sentAt}.`, body), signatures, verifiers)))
    throw new WebhookVerificationError('no-matching-signature', 'No signature matches one of the keys.');
  try {
    // A signed body is from the service and matches its document.
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('malformed-body', 'The body is not JSON.');
  }
};
