import type { Event as AlertEvent } from '../../generated/flight-info-alerts/v1/types.gen.ts';
import { newPolledEvents, newStreamedEvents, type Reading, type StreamFate } from './event-sources.ts';
import { FlightDataConnectionError, FlightDataProblem } from './problem.ts';
import type { Connection } from './product.ts';
import { backoffMs } from './retry.ts';

export type EventsOptions = {
  readonly accountId: string;
  /**
   * The position of the last event that was dealt with; 0 is before the first there ever was, `end` after the last there is now. Without it the
   * oldest event that is kept comes first.
   */
  readonly after?: number | 'end';
  /** Ends the loop at once, without an error. */
  readonly signal?: AbortSignal;
  /** `stream` (the default) holds one connection open; `poll` asks again and again, for networks that keep streams back. */
  readonly mode?: 'stream' | 'poll';
  /** After so long without a sign of life a stream is taken for dead, milliseconds: 60,000. It gives one each 15 seconds. */
  readonly silentMs?: number;
  /** Shown why the events cannot be had at the moment, each time before they are asked for again. By default nobody is told. */
  readonly onBreak?: (error: unknown) => void;
};

/** The events of an account, in the order of their positions, each once, for as long as they are taken. */
export type Events = (options: EventsOptions) => AsyncGenerator<AlertEvent, void, undefined>;

const never = new AbortController().signal;

/** Whether it is worth connecting again; all else is the caller's to decide, e.g. `cursor-expired`. */
const isPassing = (error: unknown): boolean =>
  error instanceof FlightDataProblem
    ? error.status === 408 || error.status === 429 || error.status >= 500
    : error instanceof FlightDataConnectionError;

/** Whether streams do not come through here: something else came, or nothing at all. */
const isKeptBack = (error: unknown, { hasSpoken }: StreamFate): boolean => {
  if (error instanceof FlightDataProblem) return error.status === 406;
  const failure = error instanceof FlightDataConnectionError ? error.failure : undefined;
  return !hasSpoken && (failure === 'unreadable' || failure === 'silent');
};

/** Reads the events of accounts over one connection to the service. */
export const newEvents = ({ baseUrl, subscriptionKey, transport }: Connection): Events =>
  async function* (options) {
    const { accountId, after: given, signal = never, mode = 'stream', silentMs = 60_000, onBreak } = options;
    const reading: Reading = { baseUrl, subscriptionKey, transport, accountId, signal, silentMs };
    let after = given === undefined ? undefined : String(given);
    let last = typeof given === 'number' ? given : 0;
    let canStream = mode === 'stream';
    for (let failures = 0; !signal.aborted; failures += 1) {
      const fate: StreamFate = { hasSpoken: false, retryMs: 3000 };
      let waitMs: number | undefined;
      try {
        const source = canStream ? newStreamedEvents(reading, fate) : newPolledEvents(reading);
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
        waitMs = fate.retryMs;
      } catch (error) {
        if (signal.aborted) return;
        if (canStream && isKeptBack(error, fate)) {
          canStream = false;
          continue;
        }
        if (!isPassing(error)) throw error;
        onBreak?.(error);
        if (error instanceof FlightDataProblem) waitMs = error.retryAfterMs;
      }
      // Rejects when the caller has had enough, which is seen at the head of the loop.
      await transport.timing
        .wait(waitMs ?? backoffMs(failures, transport.timing.random()), signal)
        .catch(() => undefined);
    }
  };
