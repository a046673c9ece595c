/** Validation errors by parameter or property; the empty name has those of several together. */
export type ProblemErrors = Readonly<Record<string, readonly string[]>>;

type ProblemContent = {
  readonly kind: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: ProblemErrors;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
};

/** The service rejected a request, or failed. */
export class FlightDataProblem extends Error {
  override readonly name = 'FlightDataProblem';
  /** The last part of the problem `type`, e.g. `invalid-parameter`: compare this. `unknown` without a problem document. */
  readonly kind: string;
  /** The HTTP status. */
  readonly status: number;
  /** A short description of the kind. */
  readonly title: string;
  /** A description of this occurrence. */
  readonly detail: string;
  readonly errors: ProblemErrors;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;
  /** The delay before a retry that the service requested, milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor({ kind, status, title, detail, errors, requestId, retryAfterMs }: ProblemContent) {
    super(`${status} ${kind}: ${detail || title}`);
    this.kind = kind;
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Why there is no response: no connection, a timeout, a stream without data, or a body that is not from this service. */
export type ConnectionFailure = 'connection' | 'timeout' | 'silent' | 'unreadable';

/** There was no valid response. `cause` is the error of the platform. */
export class FlightDataConnectionError extends Error {
  override readonly name = 'FlightDataConnectionError';
  readonly failure: ConnectionFailure;

  constructor(failure: ConnectionFailure, operation: string, options?: ErrorOptions) {
    super(`${operation}: ${reasons[failure]}`, options);
    this.failure = failure;
  }
}

const reasons: Readonly<Record<ConnectionFailure, string>> = {
  connection: 'the connection failed',
  timeout: 'the request timed out',
  silent: 'the event stream timed out',
  unreadable: 'the response does not come from this service',
};

/** The resource has one of the tags in `If-None-Match`: the cached copy is valid (304). */
export class NotModified extends Error {
  override readonly name = 'NotModified';
}

/** A page link is outside the base URL. It was not followed, because the key would have been sent there. */
export class ForeignLinkError extends Error {
  override readonly name = 'ForeignLinkError';
}

/** Parses seconds or an HTTP date of `Retry-After` to milliseconds from now, 0 for the past; undefined when it is neither. */
const parseRetryAfterMs = (text: string | null, now: number): number | undefined => {
  if (text === null) return undefined;
  if (/^\d+$/.test(text.trim())) return Number(text) * 1000;
  const at = /GMT$/.test(text.trim()) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parseObject = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

const toErrors = (value: unknown): ProblemErrors =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, messages]) => [name, Array.isArray(messages) ? messages.map(String) : []]),
      )
    : {};

/** Parses the problem of a response; without a problem document, as from a proxy, its kind is `unknown`. */
export const parseProblem = (
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
  now: number,
): FlightDataProblem => {
  const { type, title, detail, errors, traceId } = parseObject(text);
  return new FlightDataProblem({
    kind: toText(type).split(/[#/]/).at(-1) || 'unknown',
    status,
    title: toText(title) || `The service responded with status ${status}`,
    detail: toText(detail),
    errors: toErrors(errors),
    requestId: toText(traceId) || (headers.get('x-request-id') ?? undefined),
    retryAfterMs: parseRetryAfterMs(headers.get('retry-after'), now),
  });
};
