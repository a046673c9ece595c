import type { Event as AlertEvent, EventPage } from '../../generated/flight-info-alerts/v1/types.gen.ts';
import { onAbort } from './on-abort.ts';
import { FlightDataConnectionError } from './problem.ts';
import { newEventStreamReader, type ServerSentEvent } from './server-sent-events.ts';
import type { Question, Transport } from './transport.ts';

/** A step through the stream of an account: the events up to a position. */
export type Step = { readonly position: string; readonly events: readonly AlertEvent[] };

export type Reading = {
  readonly baseUrl: string;
  readonly subscriptionKey: string;
  readonly transport: Transport;
  readonly accountId: string;
  readonly signal: AbortSignal;
  /** After so long without a sign of life a stream is taken for dead, milliseconds. */
  readonly silentMs: number;
};

/** Reads on after a position, `end`, or from the oldest event there is; ends or throws when the connection does. */
export type EventSource = (after: string | undefined) => AsyncGenerator<Step, void, undefined>;

const name = { product: 'flight-info-alerts', version: 'v1', operation: 'listEvents' };
const WAIT_SECONDS = 30;
const PAGE_EVENTS = 500;

const questionOf = (
  { baseUrl, subscriptionKey, accountId }: Reading,
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Question => ({
  url: `${baseUrl}/flight-info-alerts/events?${new URLSearchParams({ version: name.version, ...query }).toString()}`,
  method: 'GET',
  headers: new Headers({ 'Subscription-Key': subscriptionKey, accountId, ...headers }),
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

// The document says what both hold; of it only the position is needed to go on.
const isEvent = (value: unknown): value is AlertEvent => isObject(value) && typeof value['position'] === 'number';
const isPage = (value: unknown): value is EventPage =>
  isObject(value) && typeof value['position'] === 'number' && Array.isArray(value['data']);

const parse = <T>(text: string, isIt: (value: unknown) => value is T): T => {
  try {
    const value: unknown = JSON.parse(text);
    if (isIt(value)) return value;
  } catch {
    // Told below, as of what is JSON and no event.
  }
  throw new FlightDataConnectionError('unreadable', 'GET /flight-info-alerts/events');
};

/** Asks again and again, each question being held back until there are events. */
export const newPolledEvents = (reading: Reading): EventSource =>
  async function* (given) {
    const { transport, signal } = reading;
    const timeoutMs = transport.timeoutMs + WAIT_SECONDS * 1000;
    for (let after = given; ;) {
      const query = {
        Limit: String(PAGE_EVENTS),
        Wait: String(WAIT_SECONDS),
        ...(after !== undefined && { After: after }),
      };
      const text = await transport.send(questionOf(reading, query, {}), { name, signal, timeoutMs, retries: 0 });
      const { data, position } = parse(text, isPage);
      after = String(position);
      yield { position: after, events: data };
    }
  };

/** The pieces of a body as they come. Ends when the signal is aborted; throws when nothing comes for too long. */
const piecesOf = async function* (
  body: ReadableStream<Uint8Array>,
  { signal, silentMs, transport: { timing } }: Reading,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  let isSilent = false;
  // It is cut already when this fails.
  const cut = (): void => void reader.cancel().catch(() => undefined);
  const release = onAbort(signal, cut);
  try {
    for (;;) {
      const heard = new AbortController();
      const giveUp = (): void => {
        isSilent = true;
        cut();
      };
      void timing.wait(silentMs, heard.signal).then(giveUp, () => undefined);
      const { done, value } = await reader.read().finally(() => heard.abort());
      if (done) break;
      yield value;
    }
  } catch (cause) {
    throw new FlightDataConnectionError('connection', 'GET /flight-info-alerts/events', { cause });
  } finally {
    release();
    cut();
  }
  if (isSilent) throw new FlightDataConnectionError('silent', 'GET /flight-info-alerts/events');
};

const stepOf = ({ id, data }: ServerSentEvent): Step | undefined =>
  id === undefined ? undefined : { position: id, events: data === undefined ? [] : [parse(data, isEvent)] };

/** What can be said of a stream when it ends: whether anything came through, and how soon to connect again. */
export type StreamFate = { hasSpoken: boolean; retryMs: number };

/** Connects to the stream; `fate` is written as it is learned. */
export const newStreamedEvents = (reading: Reading, fate: StreamFate): EventSource =>
  async function* (after) {
    // A position goes into the header that counts more; `end` can be said in the query alone.
    const isPosition = after !== undefined && after !== 'end';
    const headers = { Accept: 'text/event-stream', ...(isPosition && { 'Last-Event-ID': after }) };
    const { transport, signal } = reading;
    const response = await transport.open(questionOf(reading, { ...(after === 'end' && { After: after }) }, headers), {
      name,
      signal,
    });
    if (!response.body || !/^text\/event-stream\b/.test(response.headers.get('content-type') ?? '')) {
      await response.body?.cancel();
      throw new FlightDataConnectionError('unreadable', 'GET /flight-info-alerts/events');
    }
    const read = newEventStreamReader();
    for await (const piece of piecesOf(response.body, reading)) {
      fate.hasSpoken = true;
      for (const block of read(piece)) {
        fate.retryMs = block.retryMs ?? fate.retryMs;
        const step = stepOf(block);
        if (step) yield step;
      }
    }
  };
