import { setTimeout as delay } from 'node:timers/promises';

/** How a request was answered; status 0 where it was not. */
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

/** Nobody waits longer than this for an answer. */
const REQUEST_TIMEOUT_MS = 20_000;

/** Asks once; a request that fails or hangs has the status 0, and what was wrong for a body. */
export const sendRequest = async ({ base, path, headers }: LoadRequest): Promise<LoadResult> => {
  const began = performance.now();
  const told = (rest: Omit<LoadResult, 'path' | 'ms'>): LoadResult => ({
    path,
    ...rest,
    ms: performance.now() - began,
  });
  try {
    const response = await fetch(`${base}${path}`, { headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    return told({
      status: response.status,
      type: response.headers.get('content-type'),
      retryAfter: response.headers.get('retry-after'),
      body: await response.text(),
    });
  } catch (error) {
    return told({ status: 0, type: null, retryAfter: null, body: String(error) });
  }
};

export type RequestLoadOptions = Omit<LoadRequest, 'path'> & {
  readonly paths: readonly string[];
  /** How many ask at a time, and how long each rests between two questions, milliseconds. */
  readonly callers: number;
  readonly pauseMs: number;
};

/** Asks for paths in turn until it is stopped, and answers all that was answered. */
export const startLoad = ({
  base,
  paths,
  headers,
  callers,
  pauseMs,
}: RequestLoadOptions): {
  readonly stop: () => Promise<readonly LoadResult[]>;
  /** How many were answered so far. */
  readonly count: () => number;
} => {
  const answers: LoadResult[] = [];
  let isOver = false;
  let turn = 0;
  const run = async (): Promise<void> => {
    while (!isOver) {
      answers.push(await sendRequest({ base, path: paths[turn++ % paths.length] ?? '/', headers }));
      await delay(pauseMs);
    }
  };
  const running = Promise.all(Array.from({ length: callers }, run));
  return {
    stop: async () => {
      isOver = true;
      await running;
      return answers;
    },
    count: () => answers.length,
  };
};
