import { HttpResponse } from './http-response.ts';
import { escapeUriText } from '../request/request-url.ts';

/** All kinds of problems: each is a problem `type` in the contract and a paragraph in the portal. */
export const problemKinds = {
  'unknown-path': { status: 404, title: 'There is nothing at this path' },
  'unknown-version': { status: 404, title: 'There is no such version' },
  'version-removed': { status: 404, title: 'This version has been removed' },
  'method-not-allowed': { status: 405, title: 'This path does not answer this method' },
  'key-missing': { status: 401, title: 'A subscription key is needed' },
  'key-invalid': { status: 401, title: 'The subscription key is not valid' },
  'key-expired': { status: 403, title: 'The subscription key has expired' },
  'not-acceptable': { status: 406, title: 'The answer has no form that you accept' },
  'invalid-parameter': { status: 400, title: 'The parameters are not valid' },
  'invalid-body': { status: 400, title: 'The request body is not valid' },
  'already-covered': { status: 400, title: 'Another object covers this one' },
  'cursor-invalid': { status: 400, title: 'The cursor is not valid' },
  'cursor-gone': { status: 400, title: 'The item of the cursor is gone' },
  'cursor-expired': { status: 410, title: 'The events after the cursor are no longer kept' },
  'rate-limited': { status: 429, title: 'The requests of this minute are used up' },
  'quota-used': { status: 429, title: 'The requests of this month are used up' },
  'too-many-at-once': { status: 429, title: 'Too many requests at the same time' },
  'too-many-wrong-keys': { status: 429, title: 'Too many wrong keys' },
  'too-many-streams': { status: 429, title: 'Too many streams are open' },
  'no-hub': { status: 404, title: 'The service is run without a hub' },
  'not-found': { status: 404, title: 'There is no such object' },
  'limit-reached': { status: 409, title: 'There are as many as there can be' },
  'too-soon': { status: 429, title: 'It is too soon for another one' },
  'precondition-failed': { status: 412, title: 'The object is not as If-Match says' },
  'idempotency-key-reused': { status: 422, title: 'The idempotency key belongs to another request' },
  'body-too-large': { status: 413, title: 'The request body is too large' },
  'unsupported-media-type': { status: 415, title: 'The request body has an unsupported media type' },
  'malformed-request': { status: 400, title: 'The request is not well-formed HTTP' },
  'request-timeout': { status: 408, title: 'The request took too long to arrive' },
  'headers-too-large': { status: 431, title: 'The request line and headers are too large' },
  internal: { status: 500, title: 'A fault of the service' },
  overloaded: { status: 503, title: 'The service is overloaded' },
  unavailable: { status: 503, title: 'The service is not available' },
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

const endSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Returns the first message and the number of others. */
const summarize = (errors: ParameterErrors, fallback: string): string => {
  const messages = Object.entries(errors).flatMap(([name, list]) =>
    list.map((text) => (name === '' ? text : `${name} ${text}`)),
  );
  const more =
    messages.length > 1
      ? ` There ${messages.length === 2 ? 'is 1 more fault' : `are ${messages.length - 1} more faults`}; see errors.`
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

/** Returns a problem as response (RFC 9457). `path` is that of the request without its query; `traceId` is the request ID. */
export const problemResponse = (problem: Problem, path: string, traceId: string): HttpResponse => {
  const { status, title } = problemKinds[problem.kind];
  const text = JSON.stringify({
    type: `/docs/errors#${problem.kind}`,
    title,
    status,
    detail: problem.message,
    instance: toInstance(path),
    traceId,
    errors: problem.errors,
  });
  const body = Buffer.from(text);
  const headers = {
    'Content-Type': 'application/problem+json',
    'Content-Length': String(body.byteLength),
    'Cache-Control': 'no-store',
    ...problem.headers,
  };
  return new HttpResponse({ status, headers, body });
};
