import { STATUS_CODES } from 'node:http';
import type { AccessLog } from '../observability/access-log.ts';
import { Problem, renderProblem } from '../response/problem.ts';
import { requestIdOf } from '../request/request-id.ts';

const details = {
  'headers-too-large': 'The request line and headers are longer than this service reads.',
  'request-timeout': 'The request did not arrive in time.',
  'malformed-request': 'The request could not be read as HTTP.',
  'method-not-allowed': 'This service is no proxy: it answers GET, HEAD, POST, PATCH and DELETE.',
  internal: 'The service failed to answer.',
} as const;

export type RefusalKind = keyof typeof details;

/** A request that never reached the front, as the log tells it. */
export type Refused = {
  readonly requestId: string;
  /** `-` where nothing is known of it, as of the path. */
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Of the body of the answer. */
  readonly bytes: number;
  readonly problem: RefusalKind;
};

/** What it is answered with; the connection ends with it. */
export type Refusal = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly told: Refused;
};

/** What Node's parser or its timeouts complain of. */
export const refusalKindOf = (error: unknown): RefusalKind => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request-timeout';
  return 'malformed-request';
};

/** A problem about a request that never became one: its body names no path. */
export const refusalOf = (kind: RefusalKind, { method = '-', path = '-' } = {}): Refusal => {
  const requestId = requestIdOf(null);
  const { headers, status, body } = renderProblem(new Problem(kind, details[kind]), '/', requestId);
  return {
    status,
    body,
    headers: {
      ...headers,
      ...(kind === 'method-not-allowed' && { Allow: 'GET, HEAD, POST, PATCH, DELETE' }),
      'X-Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
      Connection: 'close',
    },
    told: { requestId, method, path, status, bytes: Buffer.byteLength(body), problem: kind },
  };
};

/** The whole answer as it goes over a connection that Node has no response for. */
export const refusalText = ({ status, headers, body }: Refusal): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
};

/** Writes refusals into the log of requests: nothing else tells of a flood of them. */
export const logRefusals =
  (log: AccessLog, clock: () => Date): ((refused: Refused) => void) =>
  (refused) =>
    log.request({
      ...refused,
      at: clock(),
      query: '',
      durationMs: 0,
      product: undefined,
      version: undefined,
      route: undefined,
      subscriptionId: undefined,
      keyHint: undefined,
    });
