import type { Event as AlertEvent } from '../../generated/flight-info-alerts/v1/types.gen.ts';
import {
  createPolledEvents,
  createStreamedEvents,
  type EventReaderOptions,
  type StreamState,
} from './event-sources.ts';
import { FlightDataConnectionError, FlightDataProblem } from './problem.ts';
import type { ServiceConnection } from './product.ts';
import { computeBackoffMs } from './retry.ts';

export type EventsOptions = {
  readonly accountId: string;
  /**
   * The position of the last processed event; 0 is before the first event ever, `end` after the newest one. Without it, reading starts
   * with the oldest stored event.
   */
  readonly after?: number | 'end';
  /** Ends the loop immediately, without an error. */
  readonly signal?: AbortSignal;
  /** `stream` (the default) keeps one connection open; `poll` uses long polling, for networks that block streams. */
  readonly mode?: 'stream' | 'poll';
  /** A stream without any data for this long is treated as broken, milliseconds: 60,000 by default. The service sends a comment every 15 s. */
  readonly silentMs?: number;
  /** Called with the error before each reconnect. */
  readonly onReconnect?: (error: unknown) => void;
};

/** Reads the events of an account in the order of their positions, each once, until the caller stops. */
export type Events = (options: EventsOptions) => AsyncGenerator<AlertEvent, void, undefined>;

const never = new AbortController().signal;

/** Returns whether to reconnect; other errors, e.g. `cursor-expired`, are thrown. */
const isTransient = (error: unknown): boolean =>
  error instanceof FlightDataProblem
    ? error.status === 408 || error.status === 429 || error.status >= 500
    : error instanceof FlightDataConnectionError;

/** Returns whether the network blocks streams: something else arrived, or nothing at all. */
const isStreamBlocked = (error: unknown, { hasData }: StreamState): boolean => {
  if (error instanceof FlightDataProblem) return error.status === 406;
  const failure = error instanceof FlightDataConnectionError ? error.failure : undefined;
  return !hasData && (failure === 'unreadable' || failure === 'silent');
};

/** Creates the events reader of a client. */
export const createEvents = ({ baseUrl, subscriptionKey, transport }: ServiceConnection): Events =>
  async function* (options) {
    const { accountId, after: startAfter, signal = never, mode = 'stream', silentMs = 60_000 } = options;
    const { onReconnect } = options;
    const readerOptions: EventReaderOptions = { baseUrl, subscriptionKey, transport, accountId, signal, silentMs };
    let after = startAfter === undefined ? undefined : String(startAfter);
    let last = typeof startAfter === 'number' ? startAfter : 0;
    let canStream = mode === 'stream';
    for (let failures = 0; !signal.aborted; failures += 1) {
      const state: StreamState = { hasData: false, retryMs: 3000 };
      let waitMs: number | undefined;
      try {
        const source = canStream ? createStreamedEvents(readerOptions, state) : createPolledEvents(readerOptions);
        for await (const step of source(after)) {
          failures = 0;
          for (const event of step.events) {
            if (event.position <= last) continue;
            last = event.position;
            yield event;
            if (signal.aborted) return;
          }
          after = step.position;
        }
        waitMs = state.retryMs;
      } catch (error) {
        if (signal.aborted) return;
        if (canStream && isStreamBlocked(error, state)) {
          canStream = false;
          continue;
        }
        if (!isTransient(error)) throw error;
        onReconnect?.(error);
        if (error instanceof FlightDataProblem) waitMs = error.retryAfterMs;
      }
      // Rejects when the caller aborts, which the loop condition checks.
      await transport.timing
        .wait(waitMs ?? computeBackoffMs(failures, transport.timing.random()), signal)
        .catch(() => undefined);
    }
  };
