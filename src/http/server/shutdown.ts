import type { Server, ServerResponse } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Stops a server without losing a request. Times in milliseconds. */
export type GracefulShutdown = {
  /** Keeps serving for `waitMs`, but closes each connection after its next response. */
  readonly drain: (waitMs: number) => Promise<void>;
  /**
   * Accepts no new connections, waits up to `graceMs` (10 s) for pending responses, then closes all connections. Idle connections stay open
   * for `idleMs` (0), so that a request already on its way still gets its response.
   */
  readonly close: (graceMs?: number, idleMs?: number) => Promise<void>;
};

const SWEEP_INTERVAL_MS = 50;

export const createGracefulShutdown = (
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
