import type { ServerResponse } from 'node:http';
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
  /** Concurrent connections; a further one is closed at once, and so are idle ones. */
  readonly maxConnections: number;
};

/** Returns how many connections the process can hold: half of its file descriptors, because database, webhooks and logs need some too. */
const getMaxConnections = (): number => {
  // Without this the report resolves the host names of all peers.
  Object.assign(process.report, { excludeNetwork: true });
  const report: { userLimits?: { open_files?: { soft?: unknown } } } = Object(process.report.getReport());
  const files = Number(report.userLimits?.open_files?.soft);
  return Math.min(10_000, Number.isFinite(files) ? Math.floor(files / 2) : 10_000);
};

export const getDefaultConnectionLimits = (): ConnectionLimits => ({
  maxHeaderBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  checkIntervalMs: 2_000,
  // Longer than long polling, which waits for up to 30 s without traffic.
  inactivityTimeoutMs: 120_000,
  responseReadTimeoutMs: 120_000,
  maxConnections: getMaxConnections(),
});

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
