/** The faults of a request by parameter or member; the empty name holds those that concern several together. */
export type ProblemErrors = Readonly<Record<string, readonly string[]>>;

type Told = {
  readonly kind: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: ProblemErrors;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
};

/** The service refused a request, or failed to answer it. */
export class FlightDataProblem extends Error {
  override readonly name = 'FlightDataProblem';
  /** The last part of the problem's `type`, e.g. `invalid-parameter`: compare this. `unknown` when the answer was no problem document. */
  readonly kind: string;
  /** The HTTP status. */
  readonly status: number;
  /** The kind in a few words. */
  readonly title: string;
  /** What went wrong this time. */
  readonly detail: string;
  readonly errors: ProblemErrors;
  /** Names the request in the log of the service. */
  readonly requestId: string | undefined;
  /** How long the service asked to wait before the next try, milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor({ kind, status, title, detail, errors, requestId, retryAfterMs }: Told) {
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

/** Why there is no answer: none came; none came in time; a stream fell silent; what came is not what the service answers. */
export type ConnectionFailure = 'connection' | 'timeout' | 'silent' | 'unreadable';

/** There was no answer that could be read. `cause` is what the platform said of it. */
export class FlightDataConnectionError extends Error {
  override readonly name = 'FlightDataConnectionError';
  readonly failure: ConnectionFailure;

  constructor(failure: ConnectionFailure, place: string, options?: ErrorOptions) {
    super(`${place}: ${reasons[failure]}`, options);
    this.failure = failure;
  }
}

const reasons: Readonly<Record<ConnectionFailure, string>> = {
  connection: 'the connection failed',
  timeout: 'no answer in time',
  silent: 'the stream fell silent',
  unreadable: 'the answer is not one of this service',
};

/** What was asked for has one of the tags sent in `If-None-Match`: what you have is still right. */
export class NotModified extends Error {
  override readonly name = 'NotModified';
}

/** A link to a next page leads elsewhere than to the base URL. It was not followed, for the key would have gone with it. */
export class ForeignLinkError extends Error {
  override readonly name = 'ForeignLinkError';
}

/** Seconds or an HTTP date of `Retry-After` as milliseconds from now on, 0 for what is past; undefined for what is neither. */
export const retryAfterMs = (text: string | null, now: number): number | undefined => {
  if (text === null) return undefined;
  if (/^\d+$/.test(text.trim())) return Number(text) * 1000;
  const at = /GMT$/.test(text.trim()) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const errorsOf = (value: unknown): ProblemErrors =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, messages]) => [name, Array.isArray(messages) ? messages.map(String) : []]),
      )
    : {};

/** The problem an answer tells; one without a problem document, as proxies give, is of the kind `unknown`. */
export const problemOf = (
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
  now: number,
): FlightDataProblem => {
  const { type, title, detail, errors, traceId } = parsed(text);
  return new FlightDataProblem({
    kind: textOf(type).split(/[#/]/).at(-1) || 'unknown',
    status,
    title: textOf(title) || `The service answered ${status}`,
    detail: textOf(detail),
    errors: errorsOf(errors),
    requestId: textOf(traceId) || (headers.get('x-request-id') ?? undefined),
    retryAfterMs: retryAfterMs(headers.get('retry-after'), now),
  });
};
