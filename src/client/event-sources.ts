import type { Event as AlertEvent, EventPage } from '../../generated/flight-info-alerts/v1/types.gen.ts';
import { onAbort } from './on-abort.ts';
import { FlightDataConnectionError } from './problem.ts';
import { createEventStreamParser, type ServerSentEvent } from './server-sent-events.ts';
import type { ClientRequest, Transport } from './transport.ts';

/** The next events of an account, and the position after them. */
export type EventStep = { readonly position: string; readonly events: readonly AlertEvent[] };

export type EventReaderOptions = {
  readonly baseUrl: string;
  readonly subscriptionKey: string;
  readonly transport: Transport;
  readonly accountId: string;
  readonly signal: AbortSignal;
  /** A stream without any data for this long is treated as broken, milliseconds. */
  readonly silentMs: number;
};

/** Reads events after a position, after `end`, or from the oldest stored event. Ends or throws with the connection. */
export type EventSource = (after: string | undefined) => AsyncGenerator<EventStep, void, undefined>;

const name = { product: 'flight-info-alerts', version: 'v1', operation: 'listEvents' };
const WAIT_SECONDS = 30;
const PAGE_EVENTS = 500;

const createRequest = (
  { baseUrl, subscriptionKey, accountId }: EventReaderOptions,
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): ClientRequest => ({
  url: `${baseUrl}/flight-info-alerts/events?${new URLSearchParams({ version: name.version, ...query }).toString()}`,
  method: 'GET',
  headers: new Headers({ 'Subscription-Key': subscriptionKey, accountId, ...headers }),
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

// Only what is needed to continue is checked; the document guarantees the rest.
const isEvent = (value: unknown): value is AlertEvent => isObject(value) && typeof value['position'] === 'number';
const isPage = (value: unknown): value is EventPage =>
  isObject(value) && typeof value['position'] === 'number' && Array.isArray(value['data']);

const parse = <T>(text: string, isType: (value: unknown) => value is T): T => {
  try {
    const value: unknown = JSON.parse(text);
    if (isType(value)) return value;
  } catch {
    // Not JSON: the same error as below.
  }
  throw new FlightDataConnectionError('unreadable', 'GET /flight-info-alerts/events');
};

/** Creates a source that uses long polling: the service holds each request until there are events. */
export const createPolledEvents = (options: EventReaderOptions): EventSource =>
  async function* (startAfter) {
    const { transport, signal } = options;
    const timeoutMs = transport.timeoutMs + WAIT_SECONDS * 1000;
    for (let after = startAfter; ;) {
      const query = {
        Limit: String(PAGE_EVENTS),
        Wait: String(WAIT_SECONDS),
        ...(after !== undefined && { After: after }),
      };
      const text = await transport.send(createRequest(options, query, {}), { name, signal, timeoutMs, maxRetries: 0 });
      const { data, position } = parse(text, isPage);
      after = String(position);
      yield { position: after, events: data };
    }
  };

/** Yields the chunks of a body. Ends when the signal is aborted; throws when no data arrives for `silentMs`. */
const readChunks = async function* (
  body: ReadableStream<Uint8Array>,
  { signal, silentMs, transport: { timing } }: EventReaderOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  let isSilent = false;
  // Fails only when the stream is already closed.
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  const release = onAbort(signal, cancel);
  try {
    for (;;) {
      const received = new AbortController();
      const onSilence = (): void => {
        isSilent = true;
        cancel();
      };
      void timing.wait(silentMs, received.signal).then(onSilence, () => undefined);
      const { done, value } = await reader.read().finally(() => received.abort());
      if (done) break;
      yield value;
    }
  } catch (cause) {
    throw new FlightDataConnectionError('connection', 'GET /flight-info-alerts/events', { cause });
  } finally {
    release();
    cancel();
  }
  if (isSilent) throw new FlightDataConnectionError('silent', 'GET /flight-info-alerts/events');
};

const toEventStep = ({ id, event, data }: ServerSentEvent): EventStep | undefined => {
  if (id === undefined || data === undefined) return undefined;
  return { position: id, events: event === 'position' ? [] : [parse(data, isEvent)] };
};

/** The state of a stream: whether any data arrived, and the delay before a reconnect. */
export type StreamState = { hasData: boolean; retryMs: number };

/** Creates a source that reads server-sent events; it updates `state`. */
export const createStreamedEvents = (options: EventReaderOptions, state: StreamState): EventSource =>
  async function* (after) {
    // `Last-Event-ID` overrides the query parameter, but cannot be `end`.
    const isPosition = after !== undefined && after !== 'end';
    const headers = { Accept: 'text/event-stream', ...(isPosition && { 'Last-Event-ID': after }) };
    const { transport, signal } = options;
    const response = await transport.open(
      createRequest(options, { ...(after === 'end' && { After: after }) }, headers),
      {
        name,
        signal,
      },
    );
    if (!response.body || !/^text\/event-stream\b/.test(response.headers.get('content-type') ?? '')) {
      await response.body?.cancel();
      throw new FlightDataConnectionError('unreadable', 'GET /flight-info-alerts/events');
    }
    const parseChunk = createEventStreamParser();
    for await (const chunk of readChunks(response.body, options)) {
      state.hasData = true;
      for (const block of parseChunk(chunk)) {
        state.retryMs = block.retryMs ?? state.retryMs;
        const step = toEventStep(block);
        if (step) yield step;
      }
    }
  };
