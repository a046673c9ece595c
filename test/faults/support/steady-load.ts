import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

type Headers = Readonly<Record<string, string>>;

export type LoadResult = {
  readonly path: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body, empty under a load that does not keep bodies; without a response the error, e.g. `ECONNREFUSED`. */
  readonly body: string;
  readonly ms: number;
  /** When it ended, by `performance.now()`. */
  readonly at: number;
  /** Whether it was sent on a connection that an earlier request had used. */
  readonly isReused: boolean;
};

type LoadRequest = {
  readonly base: string;
  readonly path: string;
  readonly headers: Headers;
  /** The persistent connection; false opens a new one. */
  readonly agent?: Agent | false;
  readonly keepsBody?: boolean;
};

/** A request without a response fails after this time, milliseconds. */
const REQUEST_TIMEOUT_MS = 60_000;

/** Sends a GET request; never rejects. */
export const sendRequest = ({ base, path, headers, agent = false, keepsBody = true }: LoadRequest) =>
  new Promise<LoadResult>((resolve) => {
    const startedAt = performance.now();
    const finish = (result: Omit<LoadResult, 'path' | 'ms' | 'at' | 'isReused'>): void => {
      const at = performance.now();
      resolve({ path, ...result, ms: at - startedAt, at, isReused: request.reusedSocket });
    };
    const fail = (error: NodeJS.ErrnoException): void =>
      finish({ status: 0, headers: {}, body: error.code ?? error.message });
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const request = get(new URL(path, base), { agent, headers: { ...headers }, signal }, (response) => {
      let body = '';
      if (keepsBody) response.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      else response.resume();
      response.once('end', () => finish({ status: response.statusCode ?? 0, headers: response.headers, body }));
      response.once('error', fail);
    });
    request.once('error', fail);
  });

/** Whether a response announces that its connection closes. */
export const closesConnection = ({ headers }: LoadResult): boolean => headers.connection === 'close';

/** Whether a request was rejected as documented while the database is unavailable. */
export const isUnavailable = ({ status, headers }: LoadResult): boolean =>
  status === 503 &&
  /^application\/(problem\+)?json$/.test(headers['content-type'] ?? '') &&
  Number(headers['retry-after']) > 0;

export type SteadyLoadOptions = {
  readonly base: string;
  /** Requested in turn. */
  readonly paths: readonly string[];
  readonly headers: Headers;
  /** Persistent connections, each with one request at a time. */
  readonly keepAliveConnections: number;
  /** Callers that open a new connection for each request; default 0. */
  readonly singleUseConnections?: number;
  /** The pause of each caller after a response, milliseconds; default 0. */
  readonly pauseMs?: number;
  /** Whether a caller stops after `Connection: close`; otherwise it opens another connection. */
  readonly stopAtClose?: boolean;
  readonly keepsBodies?: boolean;
};

/** Sends requests continuously on persistent and new connections until stopped or until the server no longer listens. */
export const startSteadyLoad = ({
  base,
  paths,
  headers,
  keepAliveConnections,
  singleUseConnections = 0,
  pauseMs = 0,
  stopAtClose = false,
  keepsBodies = false,
}: SteadyLoadOptions) => {
  const results: LoadResult[] = [];
  let [isOver, next] = [false, 0];
  const listeners = new Set<(result: LoadResult) => void>();
  const sendRepeatedly = async (agent: Agent | false): Promise<void> => {
    while (!isOver) {
      const path = paths[next++ % paths.length] ?? '/';
      const result = await sendRequest({ base, path, headers, agent, keepsBody: keepsBodies });
      results.push(result);
      for (const listener of listeners) listener(result);
      if (result.body === 'ECONNREFUSED' || (stopAtClose && closesConnection(result))) return;
      if (pauseMs > 0) await delay(pauseMs);
    }
  };
  const agents = Array.from({ length: keepAliveConnections }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const running = Promise.all(
    [...agents, ...Array.from({ length: singleUseConnections }, () => false as const)].map(sendRepeatedly),
  );
  return {
    results: results as readonly LoadResult[],
    /** Resolves when this many more results fulfil the condition. */
    waitForMore: async (count: number, condition: (result: LoadResult) => boolean = () => true): Promise<void> => {
      const reached = Promise.withResolvers<void>();
      let missing = count;
      const listener = (result: LoadResult): void => {
        missing -= Number(condition(result));
        if (missing <= 0) reached.resolve();
      };
      listeners.add(listener);
      await reached.promise;
      listeners.delete(listener);
    },
    /** Resolves when all callers have stopped; with `stop`, after their requests in progress. */
    finished: running.then(() => results),
    stop: async (): Promise<readonly LoadResult[]> => {
      isOver = true;
      await running;
      for (const agent of agents) agent.destroy();
      return results;
    },
  };
};
