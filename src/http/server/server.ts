import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import { createLinkedList } from '../../lib/linked-list.ts';
import { MAX_BODY_BYTES } from '../handler/request-body.ts';
import type { Peer } from '../request/fetch-handler.ts';
import {
  startSlowReaderCheck,
  getDefaultLimits,
  closeAfterRejection,
  type ConnectionLimits,
} from './connection-limits.ts';
import { toFetchResponse, type HttpResponse } from '../response/http-response.ts';
import { createGracefulShutdown, type GracefulShutdown } from './shutdown.ts';
import {
  getRejectionKind,
  createRejection,
  formatResponse,
  type RejectionKind,
  type RejectedRequest,
} from './rejected-requests.ts';

export type HttpServerOptions = {
  readonly fetch: (request: Request, peer: Peer) => Response | Promise<Response>;
  /** 0 takes any free port. */
  readonly port: number;
  readonly hostname: string;
  readonly limits?: Partial<ConnectionLimits>;
  /** Told of each request that never reached `fetch`: nobody else hears of it. */
  readonly onRejected?: (refused: RejectedRequest) => void;
};

/** A server that has been asked to listen. */
export type HttpServer = GracefulShutdown & {
  /** The port in use; rejects with Node's error when the port cannot be had. */
  readonly listening: Promise<{ readonly port: number }>;
};

/**
 * Connections that the system keeps for a server that is busy, if it is allowed to keep so many: of one more than that a client that
 * sends nothing is never told, and one that does waits for a second.
 */
const WAITING_CONNECTIONS = 4096;

/** Whether a request names its host, once: two could be read differently by whoever stands before us. In HTTP/1.0 it need not. */
const saysHost = ({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean => {
  if (headers.host === undefined) return httpVersion === '1.0';
  let named = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') named += 1;
  return named === 1;
};

/**
 * Opens a port. What Node refuses by itself (431, 408, 400) is answered as problem+json too, unless an answer is already on its way
 * on that connection: a second one would be taken for the answer to another request.
 */
export const openServer = ({ fetch, port, hostname, limits, onRejected = () => {} }: HttpServerOptions): HttpServer => {
  const limit = { ...getDefaultLimits(), ...limits };
  const answers = createLinkedList<ServerResponse>();
  /** Those of a connection, in the order in which it asked: seldom more than one. */
  const due = new WeakMap<Duplex, ServerResponse[]>();
  const firstDue = (socket: Duplex): ServerResponse[] => {
    const none: ServerResponse[] = [];
    due.set(socket, none);
    return none;
  };
  const refused = new WeakSet<Duplex>();
  const reject = (kind: RejectionKind, from?: { readonly method: string; readonly path: string }): HttpResponse => {
    const { request, response } = createRejection(kind, from);
    onRejected(request);
    return response;
  };
  const listener = getRequestListener((request, env) => fetch(request, env.incoming.socket), {
    // Only for HTTP/1.0, as old health checks speak it: there a request need not name its host.
    hostname: 'localhost',
    errorHandler: (error) => {
      const response = reject(error instanceof RequestError ? 'malformed-request' : 'internal');
      return toFetchResponse(response);
    },
  });
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { socket, method = '-', url = '-' } = incoming;
    const place = answers.append(outgoing);
    const dueHere = due.get(socket) ?? firstDue(socket);
    dueHere.push(outgoing);
    outgoing.once('finish', () => incoming.complete || closeAfterRejection(socket, () => incoming.complete));
    outgoing.once('close', () => {
      answers.remove(place);
      dueHere.splice(dueHere.indexOf(outgoing), 1);
    });
    if (saysHost(incoming)) return void listener(incoming, outgoing);
    const response = reject('malformed-request', { method, path: url.split('?', 1)[0] ?? '-' });
    outgoing.writeHead(response.status, response.headers).end(response.getBytes());
  };
  const server = createServer(
    {
      maxHeaderSize: limit.maxHeaderBytes,
      headersTimeout: limit.headersTimeoutMs,
      requestTimeout: limit.requestTimeoutMs,
      keepAliveTimeout: limit.keepAliveTimeoutMs,
      connectionsCheckingInterval: limit.checkIntervalMs,
      // Otherwise Node answers a request without a host itself, and with no body.
      requireHostHeader: false,
    },
    handle,
  );
  server.maxConnections = limit.maxConnections;
  // Those who ask nothing make room for those who do: a client finds its idle connection closed, as it may at any time.
  server.on('drop', () => server.closeIdleConnections());
  server.setTimeout(limit.inactivityTimeoutMs);
  const stopCutting = startSlowReaderCheck(answers.toArray, {
    withinMs: limit.responseReadTimeoutMs,
    everyMs: limit.checkIntervalMs,
  });
  server.on('clientError', (error: unknown, socket: Duplex) => {
    // Of what goes on arriving behind a refusal nothing is read.
    if (refused.has(socket)) return;
    const [first, second] = due.get(socket) ?? [];
    const isAnswering = second !== undefined || first?.headersSent === true || first?.req.complete === true;
    if (!socket.writable || isAnswering) return void socket.destroy();
    refused.add(socket);
    const kind = getRejectionKind(error);
    // Where a body goes wrong the front tells of its request itself.
    socket.end(formatResponse(first === undefined ? reject(kind) : createRejection(kind).response));
    closeAfterRejection(socket);
  });
  // A body that is refused by what is said of its size need not be sent at all.
  server.on('checkContinue', (incoming, outgoing) => {
    if (!(Number(incoming.headers['content-length']) > MAX_BODY_BYTES)) outgoing.writeContinue();
    handle(incoming, outgoing);
  });
  // Nothing else is expected of a server that anyone knows of; Node would refuse it with no body.
  server.on('checkExpectation', handle);
  server.on('connect', (_, socket) => {
    socket.on('error', () => undefined);
    socket.end(formatResponse(reject('method-not-allowed', { method: 'CONNECT', path: '-' })));
    closeAfterRejection(socket);
  });
  const listening = new Promise<{ readonly port: number }>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: hostname, backlog: WAITING_CONNECTIONS }, () => {
      const address = server.address();
      resolve({ port: typeof address === 'object' && address !== null ? address.port : port });
    });
  });
  const ending = createGracefulShutdown(server, answers.toArray);
  const close: GracefulShutdown['close'] = async (graceMs, idleMs) => {
    await ending.close(graceMs, idleMs);
    stopCutting();
  };
  return { ...ending, listening, close };
};
