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
export const MAX_RETRY_AFTER_SECONDS = 3600;

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
