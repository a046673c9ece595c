import type { Config } from '../../config.ts';
import type { Deliverer } from '../../delivery/webhook/deliverer.ts';
import type { AccessLog } from '../../http/observability/access-log.ts';
import type { OnTrace } from '../../http/middleware/tracing.ts';
import { logToSpans } from '../../http/observability/trace-requests.ts';
import type { Sql } from '../../store/pool/database.ts';
import { observeQueries } from '../../store/pool/driver/driver.ts';
import { isSampled } from '../../telemetry/sampler.ts';
import { createTraceSender } from '../../telemetry/trace-sender.ts';
import { startTrace, currentSpan, runWithin, type SpanKind, type Trace } from '../../telemetry/span.ts';
import type { Observe } from '../../telemetry/metric.ts';

/** Adds tracing to parts of the program; does nothing when no collector is configured. */
export type Tracer = {
  readonly wrapLog: (log: AccessLog) => AccessLog;
  /** Receives the traces of requests; undefined without a collector. */
  readonly onTrace: OnTrace | undefined;
  readonly wrapDeliverer: (deliverer: Deliverer) => Deliverer;
  /** Runs work as a trace of its own. */
  readonly trace: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Adds the queries of this process, in all its pools, to traces from now on. */
  readonly traceQueries: (sql: Sql) => void;
  readonly observe: Observe;
  /** Sends the remaining traces. */
  readonly close: () => Promise<void>;
};

const MAX_QUERY_TEXT = 1000;

const noopTracer: Tracer = {
  wrapLog: (log) => log,
  onTrace: undefined,
  wrapDeliverer: (deliverer) => deliverer,
  trace: (_, work) => work(),
  traceQueries: () => {},
  observe: () => [],
  close: async () => {},
};

const toErrorName = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.name) : 'error';

/** Only the host: the path and the query of an endpoint can contain a secret. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

/** Opens the connection to the configured trace collector. `onError` is called when the collector rejects traces or is unreachable. */
export const openTracing = ({ tracing }: Pick<Config, 'tracing'>, onError: (error: unknown) => void): Tracer => {
  if (!tracing) return noopTracer;
  const sender = createTraceSender(tracing, onError);
  const onTrace = (trace: Trace, isSampledByCaller?: boolean): void => {
    if (isSampled(tracing.sampling, trace.traceId, isSampledByCaller)) sender.add(trace);
  };
  const trace = async <T>(name: string, kind: SpanKind, work: () => Promise<T>): Promise<T> => {
    const span = startTrace({ name, kind, onEnd: onTrace });
    try {
      return await runWithin(span, work);
    } catch (error) {
      span.update({ error: toErrorName(error) });
      throw error;
    } finally {
      span.end();
    }
  };
  let stopQueries: (() => void) | undefined;
  return {
    wrapLog: logToSpans,
    onTrace,
    wrapDeliverer: (deliverer) => ({
      ...deliverer,
      deliver: (endpoint, event) =>
        trace('POST', 'client', async () => {
          const outcome = await deliverer.deliver(endpoint, event);
          const span = currentSpan();
          span?.update({ attributes: { 'http.request.method': 'POST', 'server.address': hostOf(endpoint.url) } });
          if (outcome.status !== undefined)
            span?.update({ attributes: { 'http.response.status_code': outcome.status } });
          if (outcome.kind !== 'delivered')
            span?.update({ error: outcome.kind === 'failed' ? outcome.reason : outcome.kind });
          return outcome;
        }),
    }),
    trace: (name, work) => trace(name, 'internal', work),
    traceQueries: (sql) => {
      stopQueries ??= observeQueries(sql, (text) => {
        const span = currentSpan()?.startChild(text.split(' ', 1)[0]?.toUpperCase() ?? 'query', 'client', {
          'db.system.name': 'postgresql',
          'db.query.text': text.slice(0, MAX_QUERY_TEXT),
        });
        return (
          span &&
          ((error) => {
            if (error !== undefined) span.update({ error: toErrorName(error) });
            span.end();
          })
        );
      });
    },
    observe: sender.observe,
    close: async () => {
      stopQueries?.();
      await sender.close();
    },
  };
};
