import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import { createLinkedList } from '../../lib/linked-list.ts';
import { MAX_BODY_BYTES } from '../handler/request-body.ts';
import type { Peer } from '../request/fetch-handler.ts';
import { cutSlowReaders, defaultLimits, endSoon, type Limits } from './connection-limits.ts';
import { endingOf, type Ending } from './shutdown.ts';
import { refusalKindOf, refusalOf, refusalText, type RefusalKind, type Refused } from './rejected-requests.ts';

export type ServeOptions = {
  readonly fetch: (request: Request, peer: Peer) => Response | Promise<Response>;
  /** 0 takes any free port. */
  readonly port: number;
  readonly hostname: string;
  readonly limits?: Partial<Limits>;
  /** Told of each request that never reached `fetch`: nobody else hears of it. */
  readonly onRefused?: (refused: Refused) => void;
};

/** A server that has been asked to listen. */
export type OpenServer = Ending & {
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
export const openServer = ({ fetch, port, hostname, limits, onRefused = () => {} }: ServeOptions): OpenServer => {
  const limit = { ...defaultLimits(), ...limits };
  const answers = createLinkedList<ServerResponse>();
  /** Those of a connection, in the order in which it asked: seldom more than one. */
  const due = new WeakMap<Duplex, ServerResponse[]>();
  const firstDue = (socket: Duplex): ServerResponse[] => {
    const none: ServerResponse[] = [];
    due.set(socket, none);
    return none;
  };
  const refused = new WeakSet<Duplex>();
  const refuse = (kind: RefusalKind, of?: { readonly method: string; readonly path: string }) => {
    const refusal = refusalOf(kind, of);
    onRefused(refusal.told);
    return refusal;
  };
  const listener = getRequestListener((request, env) => fetch(request, env.incoming.socket), {
    // Only for HTTP/1.0, as old health checks speak it: there a request need not name its host.
    hostname: 'localhost',
    errorHandler: (error) => {
      const { status, headers, body } = refuse(error instanceof RequestError ? 'malformed-request' : 'internal');
      return new Response(body, { status, headers: { ...headers } });
    },
  });
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { socket, method = '-', url = '-' } = incoming;
    const place = answers.append(outgoing);
    const dueHere = due.get(socket) ?? firstDue(socket);
    dueHere.push(outgoing);
    outgoing.once('finish', () => incoming.complete || endSoon(socket, () => incoming.complete));
    outgoing.once('close', () => {
      answers.remove(place);
      dueHere.splice(dueHere.indexOf(outgoing), 1);
    });
    if (saysHost(incoming)) return void listener(incoming, outgoing);
    const { status, headers, body } = refuse('malformed-request', { method, path: url.split('?', 1)[0] ?? '-' });
    outgoing.writeHead(status, headers).end(body);
  };
  const server = createServer(
    {
      maxHeaderSize: limit.maxHeaderBytes,
      headersTimeout: limit.headersTimeoutMs,
      requestTimeout: limit.requestTimeoutMs,
      keepAliveTimeout: limit.keepAliveTimeoutMs,
      connectionsCheckingInterval: limit.checkEveryMs,
      // Otherwise Node answers a request without a host itself, and with no body.
      requireHostHeader: false,
    },
    handle,
  );
  server.maxConnections = limit.maxConnections;
  // Those who ask nothing make room for those who do: a client finds its idle connection closed, as it may at any time.
  server.on('drop', () => server.closeIdleConnections());
  server.setTimeout(limit.silenceMs);
  const stopCutting = cutSlowReaders(answers.toArray, { withinMs: limit.takenWithinMs, everyMs: limit.checkEveryMs });
  server.on('clientError', (error: unknown, socket: Duplex) => {
    // Of what goes on arriving behind a refusal nothing is read.
    if (refused.has(socket)) return;
    const [first, second] = due.get(socket) ?? [];
    const isAnswering = second !== undefined || first?.headersSent === true || first?.req.complete === true;
    if (!socket.writable || isAnswering) return void socket.destroy();
    refused.add(socket);
    const kind = refusalKindOf(error);
    // Where a body goes wrong the front tells of its request itself.
    socket.end(refusalText(first === undefined ? refuse(kind) : refusalOf(kind)));
    endSoon(socket);
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
    socket.end(refusalText(refuse('method-not-allowed', { method: 'CONNECT', path: '-' })));
    endSoon(socket);
  });
  const listening = new Promise<{ readonly port: number }>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: hostname, backlog: WAITING_CONNECTIONS }, () => {
      const address = server.address();
      resolve({ port: typeof address === 'object' && address !== null ? address.port : port });
    });
  });
  const ending = endingOf(server, answers.toArray);
  const close: Ending['close'] = async (graceMs, idleMs) => {
    await ending.close(graceMs, idleMs);
    stopCutting();
  };
  return { ...ending, listening, close };
};
