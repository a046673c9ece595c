import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What one connection may cost, and how many there may be. Times in milliseconds. */
export type ConnectionLimits = {
  /** Request line and headers together. */
  readonly maxHeaderBytes: number;
  /** For the headers to arrive. */
  readonly headersTimeoutMs: number;
  /** For the whole request to arrive. */
  readonly requestTimeoutMs: number;
  /** For an idle connection; longer than the minute that load balancers commonly keep theirs, so that they close first. */
  readonly keepAliveTimeoutMs: number;
  /** How often the timeouts above and below are looked at. */
  readonly checkIntervalMs: number;
  /** For a connection on which nothing moves, in either direction, while an answer is due: whoever does not read it is cut off. */
  readonly inactivityTimeoutMs: number;
  /** For an answer that is finished to be taken whole, however slowly: it lies in memory until then. */
  readonly responseReadTimeoutMs: number;
  /** Connections at once; one more is closed at once, and so are those that are idle. */
  readonly maxConnections: number;
};

/** Connections that a process can hold: each is a file, and the database, receivers and logs need some as well. */
const affordableConnections = (): number => {
  // Otherwise it looks up the names of whoever is connected.
  Object.assign(process.report, { excludeNetwork: true });
  const report: { userLimits?: { open_files?: { soft?: unknown } } } = Object(process.report.getReport());
  const files = Number(report.userLimits?.open_files?.soft);
  return Math.min(10_000, Number.isFinite(files) ? Math.floor(files / 2) : 10_000);
};

export const getDefaultLimits = (): ConnectionLimits => ({
  maxHeaderBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  checkIntervalMs: 2_000,
  // Longer than any answer is silent: a request waits for events for 30 s at most.
  inactivityTimeoutMs: 120_000,
  responseReadTimeoutMs: 120_000,
  maxConnections: affordableConnections(),
});

/** What may still arrive of a body that nobody wants once its request is answered, and how long it is let arrive. */
const unwanted = { bytes: 1024 * 1024, withinMs: 500, lookEveryMs: 5 } as const;

/**
 * Ends a connection that was answered while something was still arriving. A little more is read, since a connection that is cut at once
 * can take the answer with it; but not a hundred megabytes. Where all of it has arrived by then, as `isWhole` tells, the connection goes on.
 */
export const closeAfterRejection = (socket: Duplex, isWhole = (): boolean => false): void => {
  const read = (): number => (socket instanceof Socket ? socket.bytesRead : 0);
  const from = read();
  const until = performance.now() + unwanted.withinMs;
  const timer = setInterval(() => {
    if (isWhole()) return clearInterval(timer);
    if (read() - from > unwanted.bytes || performance.now() > until) socket.destroy();
    if (socket.destroyed) clearInterval(timer);
  }, unwanted.lookEveryMs);
};

/** Cuts off whoever takes longer than `withinMs` to take one of the answers that are under way once it is finished; looks every `everyMs`. Answers how to stop. */
export const startSlowReaderCheck = (
  answers: () => readonly ServerResponse[],
  { withinMs, everyMs }: { readonly withinMs: number; readonly everyMs: number },
): (() => void) => {
  const seenAt = new WeakMap<ServerResponse, number>();
  const look = (): void => {
    const now = performance.now();
    for (const answer of answers()) {
      if (!answer.writableEnded) continue;
      const since = seenAt.get(answer);
      if (since === undefined) seenAt.set(answer, now);
      else if (now - since >= withinMs) answer.socket?.destroy();
    }
  };
  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
};
