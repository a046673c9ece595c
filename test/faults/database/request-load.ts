import { setTimeout as delay } from 'node:timers/promises';

/** The result of a request; status 0 when there was no response. */
export type LoadResult = {
  readonly path: string;
  readonly status: number;
  readonly type: string | null;
  readonly retryAfter: string | null;
  readonly body: string;
  readonly ms: number;
};

type LoadRequest = {
  readonly base: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** The timeout of a request. */
const REQUEST_TIMEOUT_MS = 20_000;

/** Sends a request; one that fails or times out has status 0 and the error as its body. */
export const sendRequest = async ({ base, path, headers }: LoadRequest): Promise<LoadResult> => {
  const startedAt = performance.now();
  const toResult = (rest: Omit<LoadResult, 'path' | 'ms'>): LoadResult => ({
    path,
    ...rest,
    ms: performance.now() - startedAt,
  });
  try {
    const response = await fetch(`${base}${path}`, { headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    return toResult({
      status: response.status,
      type: response.headers.get('content-type'),
      retryAfter: response.headers.get('retry-after'),
      body: await response.text(),
    });
  } catch (error) {
    return toResult({ status: 0, type: null, retryAfter: null, body: String(error) });
  }
};

export type RequestLoadOptions = Omit<LoadRequest, 'path'> & {
  readonly paths: readonly string[];
  /** Concurrent callers, and the pause of each between two requests, milliseconds. */
  readonly callers: number;
  readonly pauseMs: number;
};

/** Requests the paths in turn until stopped; `stop` returns all results. */
export const startLoad = ({
  base,
  paths,
  headers,
  callers,
  pauseMs,
}: RequestLoadOptions): {
  readonly stop: () => Promise<readonly LoadResult[]>;
  /** The number of results so far. */
  readonly count: () => number;
} => {
  const responses: LoadResult[] = [];
  let isOver = false;
  let next = 0;
  const run = async (): Promise<void> => {
    while (!isOver) {
      responses.push(await sendRequest({ base, path: paths[next++ % paths.length] ?? '/', headers }));
      await delay(pauseMs);
    }
  };
  const running = Promise.all(Array.from({ length: callers }, run));
  return {
    stop: async () => {
      isOver = true;
      await running;
      return responses;
    },
    count: () => responses.length,
  };
};
