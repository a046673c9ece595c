import { createCounter, type Metric } from './metric.ts';
import { formatOtlp } from './format-otlp.ts';
import type { TracingOptions } from './tracing-options.ts';
import type { Trace } from './span.ts';

/** Sends traces in the background. */
export type TraceSender = {
  readonly add: (trace: Trace) => void;
  readonly observe: () => readonly Metric[];
  /** Sends all waiting traces within one request time-out, then stops. */
  readonly close: () => Promise<void>;
};

/** Limit of waiting spans; further ones are dropped, so that an unreachable collector does not exhaust memory. */
const MAX_WAITING_SPANS = 4096;
/** Spans that are sent in one request, as soon as they are available. */
const BATCH_SPANS = 512;

/** Statuses that the OTLP protocol defines as retryable. */
const retryableStatuses = new Set([429, 502, 503, 504]);

/** Moves user and password of a URL to a header: `fetch` rejects such URLs and repeats them in its error. */
const splitCredentials = (
  address: string,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } => {
  const url = new URL(address);
  const { username, password } = url;
  [url.username, url.password] = ['', ''];
  if (username + password === '') return { url: address, headers: {} };
  const user = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { url: url.href, headers: { authorization: `Basic ${user.toString('base64')}` } };
};

/**
 * Creates a sender that posts traces to a collector in batches. A failed batch is retried once with the next one, then dropped; `onError` is called
 * for each failure.
 */
export const createTraceSender = (
  { url, headers, serviceName, resource, timeoutMs, delayMs }: TracingOptions,
  onError: (error: unknown) => void,
): TraceSender => {
  let waiting: Trace[] = [];
  let count = 0;
  let retrying: readonly Trace[] = [];
  let sent = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  const closing = new AbortController();
  const target = splitCredentials(url);

  const spansIn = (traces: readonly Trace[]): number => traces.reduce((sum, { spans }) => sum + spans.length, 0);
  /** Returns whether the traces were sent, may be retried, or were rejected permanently. */
  const post = async (traces: readonly Trace[]): Promise<'sent' | 'retry' | 'drop'> => {
    try {
      const { ok, status, body } = await fetch(target.url, {
        method: 'POST',
        headers: { ...target.headers, ...headers, 'content-type': 'application/json' },
        body: formatOtlp(traces, { serviceName, attributes: resource }),
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), closing.signal]),
      });
      await body?.cancel();
      if (ok) return 'sent';
      onError(new Error(`the trace collector responded with status ${status}`));
      return retryableStatuses.has(status) ? 'retry' : 'drop';
    } catch (cause) {
      // The address may contain a password and is left out.
      onError(new Error('cannot connect to the trace collector', { cause }));
      return 'retry';
    }
  };
  const send = async (isLast: boolean): Promise<void> => {
    const [old, fresh] = [retrying, waiting];
    [retrying, waiting, count] = [[], [], 0];
    if (old.length + fresh.length === 0) return;
    const result = await post([...old, ...fresh]);
    if (result === 'sent') sent += spansIn(old) + spansIn(fresh);
    else if (result === 'drop' || isLast) dropped += spansIn(old) + spansIn(fresh);
    else {
      dropped += spansIn(old);
      retrying = fresh;
    }
  };
  const startSending = (isLast = false): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    sending = sending.then(() => send(isLast));
    return sending;
  };
  return {
    add: (trace) => {
      if (count + trace.spans.length > MAX_WAITING_SPANS) {
        dropped += trace.spans.length;
        return;
      }
      const before = count;
      waiting.push(trace);
      count += trace.spans.length;
      if (before < BATCH_SPANS && count >= BATCH_SPANS) void startSending();
      else timer ??= setTimeout(() => void startSending(), delayMs).unref();
    },
    observe: () => [
      createCounter('flightdata_spans_sent_total', 'Spans accepted by the trace collector', sent),
      createCounter('flightdata_spans_dropped_total', 'Spans that could not be sent to the trace collector', dropped),
    ],
    close: async () => {
      const late = setTimeout(() => closing.abort(), timeoutMs);
      await startSending(true);
      clearTimeout(late);
    },
  };
};
