import { createFlightDataClient, type FlightDataClient, type FlightDataClientOptions } from '../../src/client/index.ts';
import { systemTiming, type Timing } from '../../src/client/timing.ts';
import { openHttpServer } from '../../src/http/server/server.ts';
import { TEST_KEY } from '../support/tiny-world.ts';

type Fetch = (request: Request) => Response | Promise<Response>;

/** A service that listens, and clients of it. */
export type OpenService = {
  readonly baseUrl: string;
  readonly port: number;
  readonly client: (options?: Partial<FlightDataClientOptions>) => FlightDataClient;
  readonly close: () => Promise<void>;
};

/** Opens a port for a service, or for what stands before it. */
export const listen = async (fetch: Fetch): Promise<OpenService> => {
  const server = openHttpServer({ fetch, port: 0, hostname: '127.0.0.1' });
  const { port } = await server.listening;
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    port,
    client: (options = {}) => createFlightDataClient({ baseUrl, subscriptionKey: TEST_KEY, ...options }),
    close: () => server.close(0),
  };
};

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const give = (): void => reject(signal.reason);
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });

/** A clock that stands, on which each wait below the time limits of a client is over at once and is written down, milliseconds. */
export const standingClock = (now: string): { readonly timing: Timing; readonly waits: readonly number[] } => {
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

/** All that comes of a walk. */
export const all = async <T>(walk: AsyncIterable<T>): Promise<readonly T[]> => {
  const found: T[] = [];
  for await (const one of walk) found.push(one);
  return found;
};

/** What a promise is rejected with. */
export const failureOf = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    (value) => {
      throw new Error(`it was fulfilled with ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
