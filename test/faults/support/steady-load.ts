import { Agent, get as ask } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** How one request ended. */
export type TimedRequest = {
  readonly path: string;
  /** Undefined where no whole answer came. */
  readonly status: number | undefined;
  /** What the connection said instead, e.g. `ECONNRESET`. */
  readonly error: string | undefined;
  /** Whether it went out on a connection that had had an answer before. */
  readonly reusedConnection: boolean;
  /** Whether the answer said that it is the last on its connection. */
  readonly closesConnection: boolean;
  readonly durationMs: number;
};

export type SteadyLoadOptions = {
  readonly base: string;
  /** Asked in turn. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Connections that are kept, each with one request at a time. */
  readonly keepAliveConnections: number;
  /** Callers that open a connection for each request. */
  readonly singleUseConnections: number;
  /** How long each caller waits after an answer, milliseconds; not at all when not given. */
  readonly pauseMs?: number;
  /** Whether a caller stops once it is told that its connection takes nothing more; otherwise it opens another one. */
  readonly stopAtClose?: boolean;
  readonly onResponse?: (asked: TimedRequest) => void;
};

const sendTimedRequest = (
  agent: Agent | false,
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<TimedRequest> =>
  new Promise((resolve) => {
    const beganAt = performance.now();
    const path = url.pathname + url.search;
    const request = ask(url, { agent, headers: { ...headers } }, (response) => {
      const end = (fault?: string): void =>
        resolve({
          path,
          status: fault === undefined ? response.statusCode : undefined,
          error: fault,
          reusedConnection: request.reusedSocket,
          closesConnection: response.headers.connection === 'close',
          durationMs: performance.now() - beganAt,
        });
      response.resume();
      response.once('end', () => end(response.complete ? undefined : 'cut'));
      response.once('error', (error) => end(error.message));
    });
    request.once('error', (error: NodeJS.ErrnoException) =>
      resolve({
        path,
        status: undefined,
        error: error.code ?? error.message,
        reusedConnection: request.reusedSocket,
        closesConnection: false,
        durationMs: performance.now() - beganAt,
      }),
    );
  });

/**
 * Asks a server on and on, on connections that are kept and on new ones, until it is told to stop or nobody listens any more. Answers
 * how to stop, and with what that was asked came to.
 */
export const startSteadyLoad = ({
  base,
  paths,
  headers,
  keepAliveConnections: kept,
  singleUseConnections: fresh,
  pauseMs = 0,
  stopAtClose: untilLast = false,
  onResponse: onAnswer = () => {},
}: SteadyLoadOptions) => {
  const results: TimedRequest[] = [];
  let isOver = false;
  let turn = 0;
  const keep = async (agent: Agent | false): Promise<void> => {
    while (!isOver) {
      const asked = await sendTimedRequest(agent, new URL(paths[turn++ % paths.length] ?? '/', base), headers);
      results.push(asked);
      onAnswer(asked);
      if (asked.error === 'ECONNREFUSED' || (untilLast && asked.closesConnection)) return;
      if (pauseMs > 0) await delay(pauseMs);
    }
  };
  const agents = Array.from({ length: kept }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const running = Promise.all([...agents.map(keep), ...Array.from({ length: fresh }, () => keep(false))]);
  return {
    /** Resolves once nobody asks any more. */
    over: running.then(() => results),
    stop: async (): Promise<readonly TimedRequest[]> => {
      isOver = true;
      await running;
      for (const agent of agents) agent.destroy();
      return results;
    },
  };
};
