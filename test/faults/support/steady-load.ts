import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** The result of one request. */
export type TimedRequest = {
  readonly path: string;
  /** Undefined without a complete response. */
  readonly status: number | undefined;
  /** The error of the connection, e.g. `ECONNRESET`. */
  readonly error: string | undefined;
  /** Whether the connection had served a request before. */
  readonly reusedConnection: boolean;
  /** Whether the response has `Connection: close`. */
  readonly closesConnection: boolean;
  readonly durationMs: number;
};

export type SteadyLoadOptions = {
  readonly base: string;
  /** Requested in turn. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Persistent connections, each with one request at a time. */
  readonly keepAliveConnections: number;
  /** Callers that open a new connection for each request. */
  readonly singleUseConnections: number;
  /** The pause of each caller after a response, milliseconds; default 0. */
  readonly pauseMs?: number;
  /** Whether a caller stops after `Connection: close`; otherwise it opens another connection. */
  readonly stopAtClose?: boolean;
  readonly onResponse?: (result: TimedRequest) => void;
};

const sendTimedRequest = (
  agent: Agent | false,
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<TimedRequest> =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const path = url.pathname + url.search;
    const request = get(url, { agent, headers: { ...headers } }, (response) => {
      const finish = (error?: string): void =>
        resolve({
          path,
          status: error === undefined ? response.statusCode : undefined,
          error,
          reusedConnection: request.reusedSocket,
          closesConnection: response.headers.connection === 'close',
          durationMs: performance.now() - startedAt,
        });
      response.resume();
      response.once('end', () => finish(response.complete ? undefined : 'cut'));
      response.once('error', (error) => finish(error.message));
    });
    request.once('error', (error: NodeJS.ErrnoException) =>
      resolve({
        path,
        status: undefined,
        error: error.code ?? error.message,
        reusedConnection: request.reusedSocket,
        closesConnection: false,
        durationMs: performance.now() - startedAt,
      }),
    );
  });

/**
 * Sends requests continuously on persistent and new connections until stopped or until the server no longer listens. `stop` returns
 * the results.
 */
export const startSteadyLoad = ({
  base,
  paths,
  headers,
  keepAliveConnections,
  singleUseConnections,
  pauseMs = 0,
  stopAtClose = false,
  onResponse = () => {},
}: SteadyLoadOptions) => {
  const results: TimedRequest[] = [];
  let isOver = false;
  let next = 0;
  const sendRepeatedly = async (agent: Agent | false): Promise<void> => {
    while (!isOver) {
      const result = await sendTimedRequest(agent, new URL(paths[next++ % paths.length] ?? '/', base), headers);
      results.push(result);
      onResponse(result);
      if (result.error === 'ECONNREFUSED' || (stopAtClose && result.closesConnection)) return;
      if (pauseMs > 0) await delay(pauseMs);
    }
  };
  const agents = Array.from({ length: keepAliveConnections }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const running = Promise.all([
    ...agents.map(sendRepeatedly),
    ...Array.from({ length: singleUseConnections }, () => sendRepeatedly(false)),
  ]);
  return {
    /** Resolves with the results when all callers have stopped. */
    finished: running.then(() => results),
    stop: async (): Promise<readonly TimedRequest[]> => {
      isOver = true;
      await running;
      for (const agent of agents) agent.destroy();
      return results;
    },
  };
};
