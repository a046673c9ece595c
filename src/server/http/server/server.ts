import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as TcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { createLinkedList } from '#lib/linked-list.ts';
import { MAX_FEED_BYTES } from '../request/body-bytes.ts';
import {
  closeAfterUnreadBody,
  ConnectionReserve,
  type ConnectionLimits,
  getDefaultConnectionLimits,
  startSlowReaderCheck,
} from './connection-limits.ts';
import {
  createRejection,
  formatResponse,
  getRejectionKind,
  type RejectedRequest,
  type Rejection,
  type RejectionKind,
  type RejectionOrigin,
  type RejectionResponse,
} from './rejected-requests.ts';

/** Stops a server without losing a request. Times in milliseconds. */
type GracefulShutdown = {
  /** Keeps serving for `waitMs`, but closes each connection after its next response. */
  readonly drain: (waitMs: number) => Promise<void>;
  /**
   * Accepts no new connections, waits up to `graceMs` (10 s) for pending responses, then closes all connections. Idle connections stay open
   * for `idleMs` (0), so that a request already on its way still gets its response.
   */
  readonly close: (graceMs?: number, idleMs?: number) => Promise<void>;
};

const SWEEP_INTERVAL_MS = 50;

const createGracefulShutdown = (
  server: Server,
  pendingResponses: () => readonly ServerResponse[],
): GracefulShutdown => {
  let isDraining = false;
  const closeConnectionAfter = (_: unknown, response: ServerResponse): void => {
    if (isDraining) response.shouldKeepAlive = false;
  };
  // Before other listeners, because it decides the header `Connection`.
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const)
    server.prependListener(event, closeConnectionAfter);
  const startDraining = (): void => {
    isDraining = true;
    for (const response of pendingResponses()) if (!response.headersSent) response.shouldKeepAlive = false;
  };
  return {
    drain: async (waitMs) => {
      startDraining();
      if (waitMs > 0) await delay(waitMs);
    },
    close: async (graceMs = 10_000, idleMs = 0) => {
      startDraining();
      const startedAt = performance.now();
      // `http.Server.close` would close idle connections at once, also those on which a request has just been sent.
      const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
      const closeIdle = (): void => {
        if (performance.now() - startedAt >= idleMs) server.closeIdleConnections();
      };
      closeIdle();
      // A connection becomes idle only when its response is sent, so idle ones are closed repeatedly.
      const sweepTimer = setInterval(closeIdle, SWEEP_INTERVAL_MS);
      const graceTimer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(sweepTimer);
      clearTimeout(graceTimer);
    },
  };
};

export type HttpServerOptions = {
  readonly fetch: (request: Request, bindings: Pick<HttpBindings, 'incoming'>) => Response | Promise<Response>;
  /** 0 takes any free port. */
  readonly port: number;
  readonly hostname: string;
  readonly limits?: Partial<ConnectionLimits>;
  /** Called for requests rejected before `fetch`; nothing else logs them. */
  readonly onRejected?: (request: RejectedRequest) => void;
  /** Called for each connection that is accepted. */
  readonly onConnection?: (() => void) | undefined;
  /** Scheme, host and any path prefix under which clients reach the service. */
  readonly publicUrl?: string | undefined;
};

/**
 * Length of the accept backlog, if the operating system allows it. A client beyond it retries after a second, and one that sends nothing
 * learns nothing.
 */
const BACKLOG = 4096;

/** Whether a request names its host once: intermediaries could read two differently. HTTP/1.0 requires none. */
const hasOneHost = ({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean => {
  if (headers.host === undefined) return httpVersion === '1.0';
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  return hosts === 1;
};

/** Returns the request as one of HTTP/1, the only version that this server speaks. */
const toHttp1 = (incoming: HttpBindings['incoming'] | object): IncomingMessage => {
  if (incoming instanceof IncomingMessage) return incoming;
  throw new TypeError('not a request of HTTP/1');
};

/** Responses that are not sent completely, of all connections and by connection. */
class PendingResponses {
  readonly #all = createLinkedList<ServerResponse>();
  /** In the order of the requests; more than one only with pipelining. */
  readonly #bySocket = new WeakMap<Duplex, ServerResponse[]>();

  readonly toArray = (): readonly ServerResponse[] => this.#all.toArray();

  ofSocket(socket: Duplex): readonly ServerResponse[] {
    return this.#bySocket.get(socket) ?? [];
  }

  /** Adds a response until its connection has sent it or is closed. */
  add(response: ServerResponse, socket: Duplex): void {
    const node = this.#all.append(response);
    const ofSocket = this.#bySocket.get(socket) ?? [];
    if (ofSocket.length === 0) this.#bySocket.set(socket, ofSocket);
    ofSocket.push(response);
    response.once('close', () => {
      this.#all.remove(node);
      ofSocket.splice(ofSocket.indexOf(response), 1);
    });
  }
}

/**
 * An open port. What Node itself rejects (431, 408, 400) gets a problem+json response too, unless a response is already being sent on that
 * connection: the client would take a second one for the response to another request.
 */
export class HttpServer {
  /** The port in use; rejects with Node's error when the port is not available. */
  readonly listening: Promise<{ readonly port: number }>;
  readonly #server: Server;
  readonly #onRejected: (request: RejectedRequest) => void;
  readonly #publicUrl: string | undefined;
  readonly #handleFetch: (request: IncomingMessage, response: ServerResponse) => unknown;
  readonly #pending = new PendingResponses();
  readonly #connections = new ConnectionReserve();
  readonly #rejectedSockets = new WeakSet<Duplex>();
  readonly #shutdown: GracefulShutdown;
  readonly #stopSlowReaderCheck: () => void;

  constructor({ fetch, port, hostname, limits, onRejected = () => {}, onConnection, publicUrl }: HttpServerOptions) {
    const limit = { ...getDefaultConnectionLimits(), ...limits };
    this.#onRejected = onRejected;
    this.#publicUrl = publicUrl;
    // `serve` has no option for the errors of its listener, so that an invalid URL would get a 400 without a body, and none for the backlog.
    this.#handleFetch = getRequestListener((request, { incoming }) => fetch(request, { incoming: toHttp1(incoming) }), {
      // Only for HTTP/1.0 requests without a host, as old health checks send them.
      hostname: 'localhost',
      errorHandler: (error) => {
        const { status, headers, bytes } = this.#reject(
          error instanceof RequestError ? 'malformed-request' : 'internal',
        );
        return new Response(bytes, { status, headers });
      },
    });
    const listening = Promise.withResolvers<{ readonly port: number }>();
    this.listening = listening.promise;
    this.#server = this.#open({ port, hostname }, limit, listening);
    if (onConnection) this.#server.on('connection', onConnection);
    this.#shutdown = createGracefulShutdown(this.#server, this.#pending.toArray);
    this.#stopSlowReaderCheck = startSlowReaderCheck(this.#pending.toArray, {
      timeoutMs: limit.responseReadTimeoutMs,
      intervalMs: limit.checkIntervalMs,
    });
  }

  /** Keeps serving for `waitMs`, but closes each connection after its next response. */
  drain(waitMs: number): Promise<void> {
    return this.#shutdown.drain(waitMs);
  }

  /** Closes the server; see `GracefulShutdown`. */
  async close(graceMs?: number, idleMs?: number): Promise<void> {
    await this.#shutdown.close(graceMs, idleMs);
    this.#stopSlowReaderCheck();
  }

  #open(
    { port, hostname }: Pick<HttpServerOptions, 'port' | 'hostname'>,
    limit: ConnectionLimits,
    listening: PromiseWithResolvers<{ readonly port: number }>,
  ): Server {
    const handle = (request: IncomingMessage, response: ServerResponse): void => this.#handle(request, response);
    const server = createServer(
      {
        maxHeaderSize: limit.maxHeaderBytes,
        headersTimeout: limit.headersTimeoutMs,
        requestTimeout: limit.requestTimeoutMs,
        keepAliveTimeout: limit.keepAliveTimeoutMs,
        connectionsCheckingInterval: limit.checkIntervalMs,
        // Otherwise Node rejects a request without a host itself, with an empty body.
        requireHostHeader: false,
      },
      handle,
    );
    server.maxConnections = limit.maxConnections;
    this.#connections.watch(server, limit.maxConnections - limit.reservedConnections);
    server.setTimeout(limit.inactivityTimeoutMs);
    server.on('clientError', (error: unknown, socket: Duplex) => this.#handleClientError(error, socket));
    // A client whose body is too large, by its `Content-Length`, need not send it.
    server.on('checkContinue', (request, response) => {
      if (!(Number(request.headers['content-length']) > MAX_FEED_BYTES)) response.writeContinue();
      handle(request, response);
    });
    // Ignores unknown values of `Expect`; Node would reject them with an empty body.
    server.on('checkExpectation', handle);
    server.on('connect', (_, socket) => {
      socket.on('error', () => undefined);
      socket.end(formatResponse(this.#reject('method-not-allowed', { method: 'CONNECT', path: '-' })));
      closeAfterUnreadBody(socket);
    });
    server.once('error', listening.reject);
    server.listen({ port, host: hostname, backlog: BACKLOG }, () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') listening.resolve({ port: address.port });
    });
    return server;
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { socket, method = '-', url = '-' } = request;
    this.#pending.add(response, socket);
    if (this.#connections.isCrowded()) response.shouldKeepAlive = false;
    response.once('finish', () => request.complete || closeAfterUnreadBody(socket, () => request.complete));
    if (hasOneHost(request)) return void this.#handleFetch(request, response);
    const rejection = this.#reject('malformed-request', { method, path: url.split('?', 1)[0] ?? '-' });
    response.writeHead(rejection.status, rejection.headers).end(rejection.bytes);
  }

  #handleClientError(error: unknown, socket: Duplex): void {
    // What arrives after a rejection is not read.
    if (this.#rejectedSockets.has(socket)) return;
    const [first, second] = this.#pending.ofSocket(socket);
    const isResponding = second !== undefined || first?.headersSent === true || first?.req.complete === true;
    if (!socket.writable || isResponding) return void socket.destroy();
    this.#rejectedSockets.add(socket);
    const kind = getRejectionKind(error);
    // Where the body is malformed, the router logs the request.
    const response = first === undefined ? this.#reject(kind) : this.#createRejection(kind).response;
    socket.end(formatResponse(response));
    closeAfterUnreadBody(socket);
  }

  #createRejection(kind: RejectionKind, from: RejectionOrigin = {}): Rejection {
    return createRejection(kind, { ...from, publicUrl: this.#publicUrl });
  }

  #reject(kind: RejectionKind, from?: RejectionOrigin): RejectionResponse {
    const { request, response } = this.#createRejection(kind, from);
    this.#onRejected(request);
    return response;
  }
}

/** Opens a port and serves requests on it. */
export const openHttpServer = (options: HttpServerOptions): HttpServer => new HttpServer(options);
