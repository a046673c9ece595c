import { type Span, SpanKind, type SpanOptions, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Config } from '#config.ts';
import type { Deliverer } from '#delivery/webhook/deliverer.ts';
import type { Sql } from '#store/pool/database.ts';
import { observeQueries } from '#store/pool/driver/driver.ts';
import type { Observe } from '#telemetry/metric.ts';
import { startTracingSdk } from '#telemetry/tracing-sdk.ts';

/** Traces of this process. */
export type Tracing = {
  /** Whether a collector is configured. */
  readonly isTraced: boolean;
  /** Adds the queries of this process, in all its pools, to traces from now on; does nothing without a collector. */
  readonly traceQueries: (sql: Sql) => void;
  readonly observe: Observe;
  /** Sends the remaining spans. */
  readonly close: () => Promise<void>;
};

/** Limit of queries in a trace: a load executes a hundred thousand statements. */
const MAX_QUERIES = 200;

const getTracer = () => trace.getTracer('flightdata');

const toErrorName = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.name) : 'error';

const setError = (span: Span, message: string): void => void span.setStatus({ code: SpanStatusCode.ERROR, message });

/** Only the host: the path and the query of an endpoint can contain a secret. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

/** Runs work as a trace of its own. */
export const runTraced = <T>(name: string, work: (span: Span) => Promise<T>, options: SpanOptions = {}): Promise<T> =>
  getTracer().startActiveSpan(name, { ...options, root: true }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      setError(span, toErrorName(error));
      throw error;
    } finally {
      span.end();
    }
  });

/** Returns a deliverer whose deliveries are traces. */
export const traceDeliveries = (deliverer: Deliverer): Deliverer => ({
  ...deliverer,
  deliver: (endpoint, event) => {
    const attributes = { 'http.request.method': 'POST', 'server.address': hostOf(endpoint.url) };
    return runTraced(
      'POST',
      async (span) => {
        const outcome = await deliverer.deliver(endpoint, event);
        if (outcome.status !== undefined) span.setAttribute('http.response.status_code', outcome.status);
        if (outcome.kind !== 'delivered') setError(span, outcome.kind === 'failed' ? outcome.reason : outcome.kind);
        return outcome;
      },
      { kind: SpanKind.CLIENT, attributes },
    );
  },
});

/** Adds queries to the active span as children, each with its text and without values. */
const observeTracedQueries = (sql: Sql): (() => void) => {
  const counts = new WeakMap<Span, number>();
  return observeQueries(sql, (text) => {
    const parent = trace.getActiveSpan();
    if (!parent?.isRecording()) return undefined;
    const count = (counts.get(parent) ?? 0) + 1;
    counts.set(parent, count);
    if (count > MAX_QUERIES) {
      parent.setAttribute('flightdata.spans_left_out', count - MAX_QUERIES);
      return undefined;
    }
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
    const name = text.split(' ', 1)[0]?.toUpperCase() ?? 'query';
    const span = getTracer().startSpan(name, { kind: SpanKind.CLIENT, attributes });
    return (error) => {
      if (error !== undefined) setError(span, toErrorName(error));
      span.end();
    };
  });
};

/** Starts to send traces if a collector is configured. `onError` is called when the collector rejects traces or is unreachable. */
export const openTracing = async (
  { tracing }: Pick<Config, 'tracing'>,
  onError: (error: unknown) => void,
): Promise<Tracing> => {
  if (!tracing) return { isTraced: false, traceQueries: () => {}, observe: () => [], close: async () => {} };
  const { observe, close } = await startTracingSdk(tracing, onError);
  let stopQueries: (() => void) | undefined;
  return {
    isTraced: true,
    traceQueries: (sql) => void (stopQueries ??= observeTracedQueries(sql)),
    observe,
    close: () => {
      stopQueries?.();
      return close();
    },
  };
};
