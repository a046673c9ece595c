import { afterAll, onTestFinished } from 'vitest';
import { createFlightDataClient, type FlightDataClientOptions } from '#client/index.ts';
import { systemTiming, type Timing } from '#client/timing.ts';
import { openHttpServer } from '#http/server/server.ts';
import { TEST_KEY } from '../support/tiny-world.ts';

type Fetch = (request: Request) => Response | Promise<Response>;

type TestService = Awaited<ReturnType<typeof listen>>;

const listen = async (fetch: Fetch) => {
  const server = openHttpServer({ fetch, port: 0, hostname: '127.0.0.1' });
  const { port } = await server.listening;
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    port,
    client: (options: Partial<FlightDataClientOptions> = {}) =>
      createFlightDataClient({ baseUrl, subscriptionKey: TEST_KEY, ...options }),
    close: (): Promise<void> => server.close(0),
  };
};

/** Starts an HTTP server for all tests of a file, and creates clients of it. */
export const startSharedService = async (fetch: Fetch): Promise<TestService> => {
  const service = await listen(fetch);
  afterAll(service.close);
  return service;
};

/** Starts an HTTP server for one test, and creates clients of it. */
export const startTestService = async (fetch: Fetch): Promise<TestService> => {
  const service = await listen(fetch);
  onTestFinished(service.close);
  return service;
};

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });

/** Returns a fixed clock without delays. `waits` records each delay below the timeouts of a client, milliseconds. */
export const createFixedTiming = (now: string): { readonly timing: Timing; readonly waits: readonly number[] } => {
  const waits: number[] = [];
  const timing: Timing = {
    ...systemTiming,
    now: () => Date.parse(now),
    random: () => 0,
    wait: (ms, signal) => {
      if (ms >= 20_000) return untilAborted(signal);
      waits.push(ms);
      return Promise.resolve();
    },
  };
  return { timing, waits };
};

export const collectAll = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const collected: T[] = [];
  for await (const one of items) collected.push(one);
  return collected;
};

export const getRejection = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    (value) => {
      throw new Error(`it was fulfilled with ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
