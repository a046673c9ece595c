import type { DeprecationWatcher, OperationName } from './deprecation.ts';
import { FlightDataConnectionError, NotModified, parseProblem, type FlightDataProblem } from './problem.ts';
import { computeBackoffMs, isIdempotent, isRetryable } from './retry.ts';
import { onAbort } from './on-abort.ts';
import type { Timing } from './timing.ts';

/** The status and headers of a response. */
export type ResponseHead = { readonly status: number; readonly headers: Headers };

/** A request that can be sent several times. */
export type ClientRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | undefined;
};

export type SendOptions = {
  readonly name: OperationName;
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt, milliseconds; by default that of the client. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries; by default that of the client. */
  readonly maxRetries?: number | undefined;
  readonly onResponse?: ((response: ResponseHead) => void) | undefined;
};

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type TransportOptions = {
  readonly fetch: Fetch;
  readonly maxRetries: number;
  readonly maxRetryDelayMs: number;
  readonly timeoutMs: number;
  readonly timing: Timing;
  readonly watcher: DeprecationWatcher;
};

/** Sends requests, with timeouts and retries. */
export type Transport = {
  /** Returns the text of a 2xx response. Rejects with a FlightDataProblem, a FlightDataConnectionError, NotModified, or the reason of the signal. */
  readonly send: (request: ClientRequest, options: SendOptions) => Promise<string>;
  /** Returns a 2xx response before its body is read; no retries. */
  readonly open: (request: ClientRequest, options: SendOptions) => Promise<Response>;
  readonly timing: Timing;
  /** Timeout of one attempt, milliseconds. */
  readonly timeoutMs: number;
};

const never = new AbortController().signal;

/** Formats method and path of a request, without its query, for errors. */
const formatOperation = ({ method, url }: ClientRequest): string => `${method} ${new URL(url).pathname}`;

class HttpTransport implements Transport {
  readonly timing: Timing;
  readonly timeoutMs: number;
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.timing = options.timing;
    this.timeoutMs = options.timeoutMs;
    this.#options = options;
  }

  async send(request: ClientRequest, options: SendOptions): Promise<string> {
    const { signal = never, maxRetries = this.#options.maxRetries } = options;
    const canRetry = isIdempotent(request.method, request.headers);
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.#sendOnce(request, options);
      } catch (error) {
        if (failures >= maxRetries || !isRetryable(error, canRetry)) throw error;
        const waitMs = this.#retryDelayMs(error, failures);
        if (waitMs > this.#options.maxRetryDelayMs) throw error;
        await this.timing.wait(waitMs, signal);
      }
    }
  }

  async open(request: ClientRequest, options: SendOptions): Promise<Response> {
    return (await this.#request2xx(request, options, true)).response;
  }

  /** Returns the delay that the server requests (`Retry-After`), or that of exponential backoff. */
  #retryDelayMs(error: unknown, failures: number): number {
    const retryAfterMs = error instanceof Error && 'retryAfterMs' in error ? error.retryAfterMs : undefined;
    return typeof retryAfterMs === 'number' ? retryAfterMs : computeBackoffMs(failures, this.timing.random());
  }

  async #sendOnce(request: ClientRequest, options: SendOptions): Promise<string> {
    const { response, text } = await this.#request2xx(request, options, false);
    if (!/^application\/json\b/.test(response.headers.get('content-type') ?? ''))
      throw new FlightDataConnectionError('unreadable', formatOperation(request));
    return text;
  }

  /** Returns a 2xx response, with its text unless `isOpen`. Error bodies are read within the timeout of the attempt. */
  async #request2xx(
    request: ClientRequest,
    options: SendOptions,
    isOpen: boolean,
  ): Promise<{ readonly response: Response; readonly text: string }> {
    const result = await this.#attempt(request, options, async (response) => ({
      response,
      text: isOpen && response.ok ? '' : await response.text(),
    }));
    this.#reportResponse(request, result.response, options);
    if (!result.response.ok) throw this.#toError(result.response, result.text);
    return result;
  }

  /** Sends a request once, and reads its response within the timeout. */
  async #attempt<T>(
    request: ClientRequest,
    { signal = never, timeoutMs = this.timeoutMs }: SendOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const [cancel, ended] = [new AbortController(), new AbortController()];
    let hasTimedOut = false;
    const release = onAbort(signal, () => cancel.abort(signal.reason));
    const onTimeout = (): void => {
      hasTimedOut = true;
      cancel.abort();
    };
    void this.timing.wait(timeoutMs, ended.signal).then(onTimeout, () => undefined);
    try {
      const { url, ...init } = request;
      const { fetch } = this.#options;
      // `manual`: a redirect would send the key to another server.
      return await read(await fetch(url, { ...init, redirect: 'manual', signal: cancel.signal }));
    } catch (cause) {
      signal.throwIfAborted();
      throw new FlightDataConnectionError(hasTimedOut ? 'timeout' : 'connection', formatOperation(request), { cause });
    } finally {
      ended.abort();
      release();
    }
  }

  #reportResponse({ url }: ClientRequest, { status, headers }: Response, { name, onResponse }: SendOptions): void {
    this.#options.watcher({ url, headers }, name);
    onResponse?.({ status, headers });
  }

  #toError(response: Response, text: string): FlightDataProblem | NotModified {
    return response.status === 304
      ? new NotModified('the stored representation is still current')
      : parseProblem(response, text, this.timing.now());
  }
}

/** Creates the transport of a client. */
export const createTransport = (options: TransportOptions): Transport => new HttpTransport(options);
