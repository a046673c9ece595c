import { createServer, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import { Problem, renderProblem, type RenderedProblem } from './problem.ts';
import { requestIdOf } from './request-id.ts';

export type ServeOptions = {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** 0 takes any free port. */
  readonly port: number;
  readonly hostname: string;
  readonly limits?: Partial<Limits>;
};

/** What one connection may cost. Times in milliseconds. */
export type Limits = {
  /** Request line and headers together. */
  readonly maxHeaderBytes: number;
  /** For the headers to arrive. */
  readonly headersTimeoutMs: number;
  /** For the whole request to arrive. */
  readonly requestTimeoutMs: number;
  /** For an idle connection; longer than the minute that load balancers commonly keep theirs, so that they close first. */
  readonly keepAliveTimeoutMs: number;
  /** How often the timeouts above are looked at. */
  readonly checkEveryMs: number;
  /** For a connection on which nothing moves, in either direction, while an answer is due: whoever does not read it is cut off. */
  readonly silenceMs: number;
};

/** A server that has been asked to listen. */
export type OpenServer = {
  /** The port in use; rejects with Node's error when the port cannot be had. */
  readonly listening: Promise<{ readonly port: number }>;
  /** Takes no new connections, lets answers under way finish for at most `graceMs`, then cuts what is left. */
  readonly close: (graceMs?: number) => Promise<void>;
};

const defaults: Limits = {
  maxHeaderBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  checkEveryMs: 2_000,
  // Longer than any answer is silent: a request waits for events for 30 s at most.
  silenceMs: 120_000,
};

const details = {
  'headers-too-large': 'The request line and headers are longer than this service reads.',
  'request-timeout': 'The request did not arrive in time.',
  'malformed-request': 'The request could not be read as HTTP.',
  internal: 'The service failed to answer.',
} as const;

const kindOf = (error: unknown): keyof typeof details => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request-timeout';
  return 'malformed-request';
};

/** A problem about a request that never became one: no path is known of it. */
const refusal = (kind: keyof typeof details): RenderedProblem => {
  const requestId = requestIdOf(null);
  const { headers, ...problem } = renderProblem(new Problem(kind, details[kind]), '/', requestId);
  return {
    ...problem,
    headers: { ...headers, 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff', Connection: 'close' },
  };
};

const refusalText = (kind: keyof typeof details): string => {
  const { status, headers, body } = refusal(kind);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
};

const refusalResponse = (kind: keyof typeof details): Response => {
  const { status, headers, body } = refusal(kind);
  return new Response(body, { status, headers: { ...headers } });
};

/**
 * Opens a port. What Node refuses by itself (431, 408, 400) is answered as problem+json too, unless an answer is already on its way
 * on that connection: a second one would be taken for the answer to another request.
 */
export const openServer = ({ fetch, port, hostname, limits = {} }: ServeOptions): OpenServer => {
  const { maxHeaderBytes, headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, silenceMs, checkEveryMs } = {
    ...defaults,
    ...limits,
  };
  const answering = new WeakSet<Duplex>();
  const listener = getRequestListener(fetch, {
    // Only for HTTP/1.0, as old health checks speak it: there a request need not name its host.
    hostname: 'localhost',
    errorHandler: (error) => refusalResponse(error instanceof RequestError ? 'malformed-request' : 'internal'),
  });
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: checkEveryMs,
      // Otherwise Node answers a request without a host itself, and with no body.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      answering.add(incoming.socket);
      outgoing.once('close', () => answering.delete(incoming.socket));
      if (incoming.headers.host !== undefined || incoming.httpVersion === '1.0')
        return void listener(incoming, outgoing);
      const { status, headers, body } = refusal('malformed-request');
      return outgoing.writeHead(status, headers).end(body);
    },
  );
  server.setTimeout(silenceMs);
  server.on('clientError', (error: unknown, socket: Duplex) => {
    if (!socket.writable || answering.has(socket)) return socket.destroy();
    return socket.end(refusalText(kindOf(error)));
  });
  const listening = new Promise<{ readonly port: number }>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, hostname, () => {
      const address = server.address();
      resolve({ port: typeof address === 'object' && address !== null ? address.port : port });
    });
  });
  const close = async (graceMs = 10_000): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // A connection falls idle only when its answer is out: ask again until there is none.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(cut);
  };
  return { listening, close };
};
