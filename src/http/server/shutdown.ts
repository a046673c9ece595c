import type { Server, ServerResponse } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** How a server ends without losing a request. Times in milliseconds. */
export type GracefulShutdown = {
  /** Whether it is about to end, so that nobody should send it anything new. */
  readonly isDraining: () => boolean;
  /** Goes on as before for so long, but for each answer being the last on its connection. */
  readonly drain: (waitMs: number) => Promise<void>;
  /**
   * Takes no new connections, lets answers under way finish for at most `graceMs` (ten seconds), then cuts what is left. A connection that is
   * idle stays for `idleMs` (none), so that a request that is on its way on it is answered too.
   */
  readonly close: (graceMs?: number, idleMs?: number) => Promise<void>;
};

const SWEEP_MS = 50;

/** `answers` are those that are under way. */
export const createGracefulShutdown = (server: Server, answers: () => readonly ServerResponse[]): GracefulShutdown => {
  let isDraining = false;
  // Before any other listener of requests: it settles how an answer begins.
  const sayLast = (_: unknown, outgoing: ServerResponse): void => {
    if (isDraining) outgoing.shouldKeepAlive = false;
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) server.prependListener(event, sayLast);
  const letGo = (): void => {
    isDraining = true;
    for (const outgoing of answers()) if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
  };
  return {
    isDraining: () => isDraining,
    drain: async (waitMs) => {
      letGo();
      if (waitMs > 0) await delay(waitMs);
    },
    close: async (graceMs = 10_000, idleMs = 0) => {
      letGo();
      const beganAt = performance.now();
      // That of HTTP servers would cut at once what is idle, and what has just been asked there.
      const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
      const sweep = (): void => {
        if (performance.now() - beganAt >= idleMs) server.closeIdleConnections();
      };
      sweep();
      // A connection falls idle only when its answer is out: it is looked again until there is none.
      const sweeping = setInterval(sweep, SWEEP_MS);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(sweeping);
      clearTimeout(cut);
    },
  };
};
