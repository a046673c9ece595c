/** Why an attempt got no answer, or not one that counts. */
export const failureReasons = [
  // The receiver answered with a status that is neither success nor one that asks for patience.
  'status',
  // It sent elsewhere (3xx), where nothing is sent.
  'redirect',
  // The address may not be sent to now; its name may have led to a public one when it was registered.
  'address-refused',
  // There was no answer.
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

type Attempt = {
  /** From the beginning of the attempt until its result was known and its connection was done with. */
  readonly durationMs: number;
  /** Bytes of the body of the answer that were read. */
  readonly answerBytes: number;
  /** The beginning of the answer as one line of text, fit for a log. */
  readonly answer: string;
};

/** How an attempt to send one event to one receiver ended. Nothing in it is secret, and nothing in it is what was sent. */
export type Outcome = Attempt &
  (
    | { readonly kind: 'delivered'; readonly status: number }
    /** Not now: the receiver is there and asks for patience (408, 425, 429, 5xx), perhaps for how many seconds. */
    | { readonly kind: 'retry'; readonly status: number; readonly retryAfterSeconds: number | undefined }
    /** The receiver wants no more events (410). */
    | { readonly kind: 'gone'; readonly status: 410 }
    | { readonly kind: 'failed'; readonly reason: FailureReason; readonly status: number | undefined }
  );

/** An outcome as it is logged. */
export const loggedOutcome = (outcome: Outcome) => ({
  outcome: outcome.kind,
  reason: outcome.kind === 'failed' ? outcome.reason : undefined,
  status: outcome.status,
  durationMs: outcome.durationMs,
  answer: outcome.answer,
});

/** The status and the Retry-After header of an answer, and when they came. */
export type Answered = { readonly status: number; readonly retryAfter: string | undefined; readonly at: Date };

/** The longest wait that a receiver can ask for. */
export const MAX_RETRY_AFTER_SECONDS = 3600;

/** Seconds or a date (RFC 9110, 10.2.3) as seconds from now on, 0 for what is past; undefined for what is neither. */
const secondsOf = (text: string | undefined, now: Date): number | undefined => {
  if (text === undefined) return undefined;
  const isDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text);
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(isDate ? text : '') - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(0, Math.ceil(seconds)));
};

/** What an answer means; its body means nothing. */
export const outcomeOf = ({ status, retryAfter, at }: Answered, attempt: Attempt): Outcome => {
  if (status >= 200 && status < 300) return { ...attempt, kind: 'delivered', status };
  if (status === 410) return { ...attempt, kind: 'gone', status };
  if (status >= 300 && status < 400) return { ...attempt, kind: 'failed', reason: 'redirect', status };
  if (status >= 500 || [408, 425, 429].includes(status))
    return { ...attempt, kind: 'retry', status, retryAfterSeconds: secondsOf(retryAfter, at) };
  return { ...attempt, kind: 'failed', reason: 'status', status };
};
