import { counter, type Metric } from './metric.ts';
import { otlpText } from './otlp-text.ts';
import type { Tracing } from './read-tracing.ts';
import type { Trace } from './span.ts';

/** Sends traces in the background. */
export type TraceSender = {
  readonly add: (trace: Trace) => void;
  readonly observe: () => readonly Metric[];
  /** Sends what there is, for as long as one attempt may take; then no more. */
  readonly close: () => Promise<void>;
};

/** So many spans at most wait; those that come then are dropped. A collector that is away must not cost the service its memory. */
const MOST_WAITING = 4096;
/** So many are sent at once, and as soon as they are there. */
const BATCH = 512;

/** What the protocol says may be tried again. */
const passing = new Set([429, 502, 503, 504]);

/** An address without what it holds of a user and a password, which `fetch` refuses and tells; they are a header. */
const targetOf = (address: string): { readonly url: string; readonly headers: Readonly<Record<string, string>> } => {
  const url = new URL(address);
  const { username, password } = url;
  [url.username, url.password] = ['', ''];
  if (username + password === '') return { url: address, headers: {} };
  const user = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { url: url.href, headers: { authorization: `Basic ${user.toString('base64')}` } };
};

/** Gathers traces and posts them to a collector. What cannot be sent is tried once more with the next batch, then dropped; `onError` hears of each failure. */
export const sendTraces = (
  { url, headers, serviceName, resource, timeoutMs, delayMs }: Tracing,
  onError: (error: unknown) => void,
): TraceSender => {
  let waiting: Trace[] = [];
  let count = 0;
  let again: readonly Trace[] = [];
  let sent = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  const ending = new AbortController();
  const target = targetOf(url);

  const spansIn = (traces: readonly Trace[]): number => traces.reduce((sum, { spans }) => sum + spans.length, 0);
  /** Undefined when it was taken, else whether to try again. */
  const post = async (traces: readonly Trace[]): Promise<'sent' | 'later' | 'never'> => {
    try {
      const { ok, status, body } = await fetch(target.url, {
        method: 'POST',
        headers: { ...target.headers, ...headers, 'content-type': 'application/json' },
        body: otlpText(traces, { serviceName, attributes: resource }),
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ending.signal]),
      });
      await body?.cancel();
      if (ok) return 'sent';
      onError(new Error(`the collector of traces answered ${status}`));
      return passing.has(status) ? 'later' : 'never';
    } catch (cause) {
      // The address can hold a password: it is not told.
      onError(new Error('the collector of traces cannot be reached', { cause }));
      return 'later';
    }
  };
  const send = async (isLast: boolean): Promise<void> => {
    const [old, fresh] = [again, waiting];
    [again, waiting, count] = [[], [], 0];
    if (old.length + fresh.length === 0) return;
    const outcome = await post([...old, ...fresh]);
    if (outcome === 'sent') sent += spansIn(old) + spansIn(fresh);
    else if (outcome === 'never' || isLast) dropped += spansIn(old) + spansIn(fresh);
    else {
      dropped += spansIn(old);
      again = fresh;
    }
  };
  const begin = (isLast = false): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    sending = sending.then(() => send(isLast));
    return sending;
  };
  return {
    add: (trace) => {
      if (count + trace.spans.length > MOST_WAITING) {
        dropped += trace.spans.length;
        return;
      }
      const before = count;
      waiting.push(trace);
      count += trace.spans.length;
      if (before < BATCH && count >= BATCH) void begin();
      else timer ??= setTimeout(() => void begin(), delayMs).unref();
    },
    observe: () => [
      counter('flightdata_spans_sent_total', 'Spans that the collector of traces took', sent),
      counter('flightdata_spans_dropped_total', 'Spans that the collector of traces could not be given', dropped),
    ],
    close: async () => {
      const late = setTimeout(() => ending.abort(), timeoutMs);
      await begin(true);
      clearTimeout(late);
    },
  };
};
