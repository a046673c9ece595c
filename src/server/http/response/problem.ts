import type { MaskKeys } from '#lib/mask-keys.ts';
import { escapeUriText } from './escape-uri-text.ts';

/** All kinds of problems: each is a problem `type` in the contract and a paragraph in the portal. */
export const problemKinds = {
  'unknown-path': { status: 404, title: 'Unknown path' },
  'unknown-version': { status: 404, title: 'Unknown version' },
  'version-removed': { status: 404, title: 'Version removed' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'origin-not-permitted': { status: 403, title: 'Origin not permitted' },
  'key-missing': { status: 401, title: 'Subscription key missing' },
  'key-invalid': { status: 401, title: 'Invalid subscription key' },
  'key-not-permitted': { status: 403, title: 'Subscription key not permitted' },
  'key-expired': { status: 403, title: 'Subscription key expired' },
  'not-acceptable': { status: 406, title: 'Not acceptable' },
  'invalid-parameter': { status: 400, title: 'Invalid parameter' },
  'invalid-body': { status: 400, title: 'Invalid request body' },
  'already-covered': { status: 400, title: 'Already covered' },
  'cursor-invalid': { status: 400, title: 'Invalid cursor' },
  'cursor-gone': { status: 400, title: 'Cursor no longer valid' },
  'cursor-expired': { status: 410, title: 'Cursor expired' },
  'rate-limited': { status: 429, title: 'Rate limit exceeded' },
  'quota-used': { status: 429, title: 'Monthly quota exceeded' },
  'too-many-at-once': { status: 429, title: 'Too many concurrent requests' },
  'too-many-wrong-keys': { status: 429, title: 'Too many invalid keys' },
  'too-many-streams': { status: 429, title: 'Too many open streams' },
  'no-hub': { status: 404, title: 'No hub' },
  'not-found': { status: 404, title: 'Not found' },
  'limit-reached': { status: 409, title: 'Limit reached' },
  'too-soon': { status: 429, title: 'Too soon' },
  'precondition-failed': { status: 412, title: 'Precondition failed' },
  'idempotency-key-reused': { status: 422, title: 'Idempotency key reused' },
  'body-too-large': { status: 413, title: 'Request body too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'malformed-request': { status: 400, title: 'Malformed request' },
  'request-timeout': { status: 408, title: 'Request timeout' },
  'headers-too-large': { status: 431, title: 'Request headers too large' },
  internal: { status: 500, title: 'Internal error' },
  overloaded: { status: 503, title: 'Service overloaded' },
  unavailable: { status: 503, title: 'Service unavailable' },
} as const;

export type ProblemKind = keyof typeof problemKinds;

/** Messages by parameter name; `''` has those about several parameters together. */
export type ParameterErrors = Readonly<Record<string, readonly string[]>>;

export type ProblemOptions = {
  readonly errors?: ParameterErrors | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Written to the log, never to the response. */
  readonly cause?: unknown;
};

/** An error that the response describes (RFC 9457). `detail` is public: it must contain no secret and no part of a key. */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly errors: ParameterErrors | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: ProblemKind, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'Problem';
    this.kind = kind;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

const RETRY_AFTER_SECONDS = 5;

/** Creates the problem of a request that a dependency, such as the database, keeps from being answered now. */
export const unavailableProblem = (cause?: unknown): Problem =>
  new Problem('unavailable', `The service is temporarily unavailable. Retry in ${RETRY_AFTER_SECONDS} seconds.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    cause,
  });

/** Returns a problem whose texts, and the names and messages of whose errors, are masked. */
export const maskProblem = ({ kind, message, errors, headers, cause }: Problem, mask: MaskKeys): Problem =>
  new Problem(kind, mask(message), {
    errors: errors && Object.fromEntries(Object.entries(errors).map(([name, list]) => [mask(name), list.map(mask)])),
    headers,
    cause,
  });

const endSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Returns the first message and the number of others. */
const summarize = (errors: ParameterErrors, fallback: string): string => {
  const messages = Object.entries(errors).flatMap(([name, list]) =>
    list.map((text) => (name === '' ? text : `${name} ${text}`)),
  );
  const more =
    messages.length > 1
      ? ` There ${messages.length === 2 ? 'is 1 more error' : `are ${messages.length - 1} more errors`}; see errors.`
      : '';
  return `${endSentence(messages[0] ?? fallback)}${more}`;
};

/** Returns the problem of invalid parameters; its detail has the first message and the number of others. */
export const invalidParameters = (errors: ParameterErrors): Problem =>
  new Problem('invalid-parameter', summarize(errors, problemKinds['invalid-parameter'].title), { errors });

/** Returns the problem of an invalid body; errors are by path of the member, `''` for several members together. */
export const invalidBody = (errors: ParameterErrors): Problem =>
  new Problem('invalid-body', summarize(errors, problemKinds['invalid-body'].title), { errors });

/** Returns the `instance`; a reference that starts with two slashes would name a host. */
const toInstance = (path: string): string => escapeUriText(path.slice(0, 2048).replace(/^\/+/, '/'));

/** The rejected request. */
export type ProblemRequest = {
  /** Without its query. */
  readonly path: string;
  /** The request ID. */
  readonly traceId: string;
  /** The public URL of the service; a path prefix in it is part of the `type`, which is otherwise a dead link. */
  readonly publicUrl?: string | undefined;
};

const getPathPrefix = (publicUrl: string): string => publicUrl.replace(/^https?:\/\/[^/]*|\/+$/g, '');

/** Renders the body of a problem response (RFC 9457). */
export const renderProblem = (
  problem: Problem,
  { path, traceId, publicUrl = '' }: ProblemRequest,
): Buffer<ArrayBuffer> => {
  const { status, title } = problemKinds[problem.kind];
  const text = JSON.stringify({
    type: `${getPathPrefix(publicUrl)}/docs/errors#${problem.kind}`,
    title,
    status,
    detail: problem.message,
    // Names that existing clients read.
    statusCode: status,
    message: problem.message,
    instance: toInstance(path),
    traceId,
    errors: problem.errors,
  });
  return Buffer.from(text);
};
