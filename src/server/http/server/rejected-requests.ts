import { STATUS_CODES } from 'node:http';
import { getErrorCode } from '#lib/error-code.ts';
import { maskKeyForms } from '#lib/mask-keys.ts';
import type { AccessLog } from '../observability/access-log.ts';
import { Problem, problemKinds, renderProblem, type ProblemRequest } from '../response/problem.ts';
import { getRequestId } from '../request/request-id.ts';

const details = {
  'headers-too-large': 'The request line and headers are too large for this service.',
  'request-timeout': 'The request did not arrive in time.',
  'malformed-request': 'The request is not valid HTTP.',
  'method-not-allowed': 'This service is not a proxy. It supports GET, HEAD, POST, PATCH and DELETE.',
  internal: 'An internal error occurred.',
} as const;

export type RejectionKind = keyof typeof details;

/** A request that was rejected before the router, as the access log shows it. */
export type RejectedRequest = {
  readonly requestId: string;
  /** `-` where it is unknown, like the path. */
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Size of the response body. */
  readonly bytes: number;
  readonly problem: RejectionKind;
};

/** The response to a rejected request. */
export type RejectionResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer<ArrayBuffer>;
};

/** A rejected request and its response, which is the last on the connection. */
export type Rejection = { readonly request: RejectedRequest; readonly response: RejectionResponse };

/** Returns the kind of an error of Node's HTTP parser or its timeouts. */
export const getRejectionKind = (error: unknown): RejectionKind => {
  const code = getErrorCode(error);
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request-timeout';
  return 'malformed-request';
};

/** What is known of a rejected request, and the public URL of the service. */
export type RejectionOrigin = Partial<Pick<RejectedRequest, 'method' | 'path'>> & Pick<ProblemRequest, 'publicUrl'>;

/** Creates the response to a request that the router never received. Its `instance` is `/`, because the path may be unknown. */
export const createRejection = (
  kind: RejectionKind,
  { method = '-', path = '-', publicUrl }: RejectionOrigin = {},
): Rejection => {
  const requestId = getRequestId(null);
  const bytes = renderProblem(new Problem(kind, details[kind]), { path: '/', traceId: requestId, publicUrl });
  const { status } = problemKinds[kind];
  const headers = {
    'Content-Type': 'application/problem+json',
    'Content-Length': String(bytes.byteLength),
    'Cache-Control': 'no-store',
    ...(kind === 'method-not-allowed' && { Allow: 'GET, HEAD, POST, PATCH, DELETE' }),
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  };
  const request = { requestId, method, path, status, bytes: bytes.byteLength, problem: kind };
  return { request, response: { status, headers, bytes } };
};

/** Formats a response as HTTP/1.1 text, for a connection that Node has no `ServerResponse` for. */
export const formatResponse = ({ status, headers, bytes }: RejectionResponse): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${bytes.toString()}`;
};

/** Writes rejected requests to the access log; nothing else would show a flood of them. */
export const logRejections =
  (log: AccessLog, clock: () => Date): ((request: RejectedRequest) => void) =>
  (request) =>
    log.request({
      ...request,
      path: maskKeyForms(request.path),
      at: clock(),
      query: '',
      durationMs: 0,
      product: undefined,
      version: undefined,
      route: undefined,
      subscriptionId: undefined,
      keyHint: undefined,
    });
