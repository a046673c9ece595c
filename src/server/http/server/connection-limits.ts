import type { Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Limits of a server and of each connection. Times in milliseconds. */
export type ConnectionLimits = {
  /** Size of request line and headers together. */
  readonly maxHeaderBytes: number;
  /** Time for the headers to arrive. */
  readonly headersTimeoutMs: number;
  /** Time for the whole request to arrive. */
  readonly requestTimeoutMs: number;
  /** Lifetime of an idle connection; longer than the 60 s of common load balancers, so that they close first. */
  readonly keepAliveTimeoutMs: number;
  /** Interval at which the timeouts are checked. */
  readonly checkIntervalMs: number;
  /** Time without traffic in either direction while a response is pending. */
  readonly inactivityTimeoutMs: number;
  /** Time for the client to read a finished response, however slowly; it is in memory until then. */
  readonly responseReadTimeoutMs: number;
  /** Concurrent connections; a further one is closed at once. */
  readonly maxConnections: number;
  /** The last of them, which do not stay open while idle: they are for health checks and other new clients. */
  readonly reservedConnections: number;
};

/** Event streams and waiting requests of a subscription in one process: ten accounts with ten each, or a hundred with one each. */
export const SUBSCRIPTION_STREAMS = 100;

/** One connection in this many is reserved. */
const RESERVED_SHARE = 20;

/** Default size of request line and headers together. A parameter of a request cannot be longer. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Returns how many connections the process can hold: half of its file descriptors, because database, webhooks and logs need some too. */
const getMaxConnections = (): number => {
  // Without this the report resolves the host names of all peers.
  Object.assign(process.report, { excludeNetwork: true });
  const report: { userLimits?: { open_files?: { soft?: unknown } } } = Object(process.report.getReport());
  const files = Number(report.userLimits?.open_files?.soft);
  return Math.min(10_000, Number.isFinite(files) ? Math.floor(files / 2) : 10_000);
};

/** Returns the most event streams and waiting requests of a process: half of its connections, so that other requests always find one. */
export const getMaxStreams = (): number => Math.floor(getMaxConnections() / 2);

export const getDefaultConnectionLimits = (maxConnections = getMaxConnections()): ConnectionLimits => ({
  maxHeaderBytes: MAX_HEADER_BYTES,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  checkIntervalMs: 2_000,
  // Longer than long polling, which waits for up to 30 s without traffic.
  inactivityTimeoutMs: 120_000,
  responseReadTimeoutMs: 120_000,
  maxConnections,
  reservedConnections: Math.ceil(maxConnections / RESERVED_SHARE),
});

/** Time between two sweeps for idle connections, milliseconds: a sweep looks at all of them. */
const SWEEP_PAUSE_MS = 50;

/**
 * Counts the connections of a server, and closes idle ones once only the reserve is left. Clients must expect that an idle connection is closed
 * anyway; a connection beyond the limit would be lost without a response.
 */
export class ConnectionReserve {
  #open = 0;
  #limit = Infinity;
  #sweptAt = -Infinity;

  /** Counts the connections of the server; the reserve begins above `limit`. */
  watch(server: Server, limit: number): void {
    this.#limit = limit;
    server.on('connection', (socket) => {
      this.#open += 1;
      socket.once('close', () => {
        this.#open -= 1;
      });
      if (this.isCrowded() && performance.now() - this.#sweptAt > SWEEP_PAUSE_MS) this.#sweep(server);
    });
    server.on('drop', () => this.#sweep(server));
  }

  /** Whether only the reserve is left. */
  isCrowded(): boolean {
    return this.#open > this.#limit;
  }

  #sweep(server: Server): void {
    this.#sweptAt = performance.now();
    server.closeIdleConnections();
  }
}

/** How much of an unread body is still received after its response, and for how long. */
const unreadBody = { maxBytes: 1024 * 1024, maxMs: 500, checkIntervalMs: 5 } as const;

/**
 * Closes a connection whose request was still arriving when it got its response. Closing at once can discard the response, so up to 1 MiB
 * is still received. The connection stays open if the request completes in this time (`isComplete`).
 */
export const closeAfterUnreadBody = (socket: Duplex, isComplete = (): boolean => false): void => {
  const countReceived = (): number => (socket instanceof Socket ? socket.bytesRead : 0);
  const start = countReceived();
  const deadline = performance.now() + unreadBody.maxMs;
  const timer = setInterval(() => {
    if (isComplete()) return clearInterval(timer);
    if (countReceived() - start > unreadBody.maxBytes || performance.now() > deadline) socket.destroy();
    if (socket.destroyed) clearInterval(timer);
  }, unreadBody.checkIntervalMs);
};

/** Starts to disconnect clients that have not read a finished response within `timeoutMs`. Returns a function that stops the check. */
export const startSlowReaderCheck = (
  pendingResponses: () => readonly ServerResponse[],
  { timeoutMs, intervalMs }: { readonly timeoutMs: number; readonly intervalMs: number },
): (() => void) => {
  const finishedAt = new WeakMap<ServerResponse, number>();
  const check = (): void => {
    const now = performance.now();
    for (const response of pendingResponses()) {
      if (!response.writableEnded) continue;
      const since = finishedAt.get(response);
      if (since === undefined) finishedAt.set(response, now);
      else if (now - since >= timeoutMs) response.socket?.destroy();
    }
  };
  const timer = setInterval(check, intervalMs).unref();
  return () => clearInterval(timer);
};
