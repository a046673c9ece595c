import { getErrorCode } from '#lib/error-code.ts';
import { BlockedAddressError } from './target-guard.ts';

/** Why an attempt failed. */
export const failureReasons = [
  // The status is neither success nor temporary.
  'status',
  // A redirect (3xx), which is not followed.
  'redirect',
  // The address is blocked; the name may have resolved to a public address at registration.
  'address-refused',
  // No response.
  'name-unknown',
  'connect-refused',
  'connect-timeout',
  'unreachable',
  'connection-reset',
  'connection-failed',
  'tls-expired',
  'tls-self-signed',
  'tls-untrusted',
  'tls-wrong-host',
  'tls-protocol',
  'tls-handshake-broken',
  'answer-timeout',
  'total-timeout',
  'answer-headers-too-large',
  'answer-not-http',
] as const;
export type FailureReason = (typeof failureReasons)[number];

type AttemptResponse = {
  /** From the start of the attempt until its result was known and its connection released. */
  readonly durationMs: number;
  /** Bytes of the response body that were read. */
  readonly responseBytes: number;
  /** The beginning of the response as one line of text, safe to log. */
  readonly responseText: string;
};

/** The result of one attempt to send an event to a receiver. It contains no secret and nothing of the event. */
export type DeliveryResult = AttemptResponse &
  (
    | { readonly kind: 'delivered'; readonly status: number }
    /** A temporary failure (408, 425, 429, 5xx), with the seconds of Retry-After if given. */
    | { readonly kind: 'retry'; readonly status: number; readonly retryAfterSeconds: number | undefined }
    /** The receiver wants no further events (410). */
    | { readonly kind: 'gone'; readonly status: 410 }
    | { readonly kind: 'failed'; readonly reason: FailureReason; readonly status: number | undefined }
  );

/** Returns the log fields of a result. */
export const toAttemptLogEntry = (result: DeliveryResult) => ({
  outcome: result.kind,
  reason: result.kind === 'failed' ? result.reason : undefined,
  status: result.status,
  durationMs: result.durationMs,
  answer: result.responseText,
});

/** The status and Retry-After header of a response, and when it was received. */
export type ReceivedStatus = { readonly status: number; readonly retryAfter: string | undefined; readonly at: Date };

/** Upper limit of Retry-After. */
const MAX_RETRY_AFTER_SECONDS = 3600;

/** Parses Retry-After, seconds or a date (RFC 9110, 10.2.3), as seconds from now; 0 for the past, undefined when it is neither. */
const parseRetryAfter = (text: string | undefined, now: Date): number | undefined => {
  if (text === undefined) return undefined;
  const isDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text);
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(isDate ? text : '') - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(0, Math.ceil(seconds)));
};

/** Returns the result for a response; its body is irrelevant. */
export const toDeliveryResult = (
  { status, retryAfter, at }: ReceivedStatus,
  attempt: AttemptResponse,
): DeliveryResult => {
  if (status >= 200 && status < 300) return { ...attempt, kind: 'delivered', status };
  if (status === 410) return { ...attempt, kind: 'gone', status };
  if (status >= 300 && status < 400) return { ...attempt, kind: 'failed', reason: 'redirect', status };
  if (status >= 500 || [408, 425, 429].includes(status))
    return { ...attempt, kind: 'retry', status, retryAfterSeconds: parseRetryAfter(retryAfter, at) };
  return { ...attempt, kind: 'failed', reason: 'status', status };
};

/** Bytes of a response body that are used for its text, and the maximum length of the text. */
export const MAX_TEXT_BYTES = 4096;
const TEXT_LENGTH = 512;

/** Options of `toResponseText`. */
type ResponseTextOptions = {
  /** Values that the text must not contain. */
  readonly secrets: readonly string[];
  /** Whether the bytes are the complete response. */
  readonly isComplete: boolean;
};

/** The forms in which a text can contain a value: plain or within JSON. */
const listSpellings = (secret: string): readonly string[] => [secret, JSON.stringify(secret).slice(1, -1)];

/**
 * Returns the beginning of a response as one line without control characters. Receivers may echo the request: secrets are replaced by three
 * asterisks, and where the response was cut off, as many characters are dropped as could be part of a secret.
 */
export const toResponseText = (bytes: Buffer, { secrets, isComplete }: ResponseTextOptions): string => {
  const text = bytes.subarray(0, MAX_TEXT_BYTES).toString();
  const forms = secrets.flatMap(listSpellings).toSorted((a, b) => b.length - a.length);
  const redacted = forms.reduce((before, secret) => before.replaceAll(secret, '***'), text);
  const partLength = isComplete && bytes.length <= MAX_TEXT_BYTES ? 0 : Math.max(0, (forms[0]?.length ?? 0) - 1);
  const line = redacted.slice(0, redacted.length - partLength).replaceAll(/[\p{C}\p{Z}\ufffd]+/gu, ' ');
  // By code point, so that no character is cut in two.
  return Array.from(line.trim()).slice(0, TEXT_LENGTH).join('');
};

/** An attempt was aborted by a time-out or limit, given by `reason`. */
export class AttemptAbortedError extends Error {
  override readonly name = 'AttemptAbortedError';
  readonly reason: FailureReason;

  constructor(reason: FailureReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Error codes of Node, its resolver, OpenSSL and the HTTP parser. */
const reasons: ReadonlyMap<string, FailureReason> = new Map([
  ['ENOTFOUND', 'name-unknown'],
  ['ENODATA', 'name-unknown'],
  ['EAI_AGAIN', 'name-unknown'],
  ['EAI_FAIL', 'name-unknown'],
  ['ECONNREFUSED', 'connect-refused'],
  ['ETIMEDOUT', 'connect-timeout'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['ECONNRESET', 'connection-reset'],
  ['EPIPE', 'connection-reset'],
  ['CERT_HAS_EXPIRED', 'tls-expired'],
  ['CERT_NOT_YET_VALID', 'tls-expired'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls-self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls-self-signed'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls-untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'tls-untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls-untrusted'],
  ['CERT_UNTRUSTED', 'tls-untrusted'],
  ['CERT_REJECTED', 'tls-untrusted'],
  ['CERT_REVOKED', 'tls-untrusted'],
  ['CERT_SIGNATURE_FAILURE', 'tls-untrusted'],
  ['INVALID_CA', 'tls-untrusted'],
  ['INVALID_PURPOSE', 'tls-untrusted'],
  ['PATH_LENGTH_EXCEEDED', 'tls-untrusted'],
  ['CA_MD_TOO_WEAK', 'tls-untrusted'],
  ['EE_KEY_TOO_SMALL', 'tls-untrusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls-wrong-host'],
  ['EPROTO', 'tls-protocol'],
  ['HPE_HEADER_OVERFLOW', 'answer-headers-too-large'],
]);

/** Maps the error that ended an attempt to its reason; `isHandshaking` is true during the TLS handshake. */
export const toFailureReason = (error: Error, isHandshaking: boolean): FailureReason => {
  if (error instanceof AttemptAbortedError) return error.reason;
  if (error instanceof BlockedAddressError) return 'address-refused';
  const code = getErrorCode(error);
  const reason = reasons.get(code);
  if (isHandshaking && reason === 'connection-reset') return 'tls-handshake-broken';
  if (reason) return reason;
  if (code.startsWith('ERR_SSL_')) return 'tls-protocol';
  return code.startsWith('HPE_') ? 'answer-not-http' : 'connection-failed';
};
