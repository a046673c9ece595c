import type { Config } from '../config.ts';
import type { Deliverer } from '../delivery/webhook/deliver.ts';
import type { AccessLog } from '../http/observability/access-log.ts';
import type { Front } from '../http/router/router.ts';
import { tellSpans, traceRequests } from '../http/observability/trace-requests.ts';
import type { Sql } from '../store/pool/database.ts';
import { watchQueries } from '../store/pool/query-metrics.ts';
import { isSampled } from '../telemetry/sampler.ts';
import { sendTraces } from '../telemetry/send-traces.ts';
import { beginTrace, currentSpan, runWithin, type SpanKind, type Trace } from '../telemetry/span.ts';
import type { Observe } from '../telemetry/metric.ts';

/** What is traced, where it is. */
export type OpenTracing = {
  readonly log: (log: AccessLog) => AccessLog;
  readonly front: (front: Front) => Front;
  readonly deliverer: (deliverer: Deliverer) => Deliverer;
  /** Does work as a trace of its own. */
  readonly work: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Queries are part of the traces from now on. */
  readonly queries: (sql: Sql) => void;
  readonly observe: Observe;
  /** Sends what was traced so far. */
  readonly close: () => Promise<void>;
};

const MOST_CHARACTERS = 1000;

const nothing: OpenTracing = {
  log: (log) => log,
  front: (front) => front,
  deliverer: (deliverer) => deliverer,
  work: (_, work) => work(),
  queries: () => {},
  observe: () => [],
  close: async () => {},
};

const nameOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.name) : 'error';

/** A path or a query of an address can hold a secret of its receiver. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

/** Sends traces where they are configured; elsewhere nothing is traced, and it costs nothing. `onError` hears of a collector that takes none. */
export const openTracing = ({ tracing }: Pick<Config, 'tracing'>, onError: (error: unknown) => void): OpenTracing => {
  if (!tracing) return nothing;
  const sender = sendTraces(tracing, onError);
  const onTrace = (trace: Trace, callerKeeps?: boolean): void => {
    if (isSampled(tracing.sampling, trace.traceId, callerKeeps)) sender.add(trace);
  };
  const trace = async <T>(name: string, kind: SpanKind, work: () => Promise<T>): Promise<T> => {
    const span = beginTrace({ name, kind, onEnd: onTrace });
    try {
      return await runWithin(span, work);
    } catch (error) {
      span.tell({ error: nameOf(error) });
      throw error;
    } finally {
      span.end();
    }
  };
  let stopQueries: (() => void) | undefined;
  return {
    log: tellSpans,
    front: (front) => traceRequests(front, onTrace),
    deliverer: (deliverer) => ({
      ...deliverer,
      deliver: (endpoint, event) =>
        trace('POST', 'client', async () => {
          const outcome = await deliverer.deliver(endpoint, event);
          const span = currentSpan();
          span?.tell({ attributes: { 'http.request.method': 'POST', 'server.address': hostOf(endpoint.url) } });
          if (outcome.status !== undefined) span?.tell({ attributes: { 'http.response.status_code': outcome.status } });
          if (outcome.kind !== 'delivered')
            span?.tell({ error: outcome.kind === 'failed' ? outcome.reason : outcome.kind });
          return outcome;
        }),
    }),
    work: (name, work) => trace(name, 'internal', work),
    queries: (sql) => {
      stopQueries ??= watchQueries(sql, (text) => {
        const span = currentSpan()?.begin(text.split(' ', 1)[0]?.toUpperCase() ?? 'query', 'client', {
          'db.system.name': 'postgresql',
          'db.query.text': text.slice(0, MOST_CHARACTERS),
        });
        return (
          span &&
          ((error) => {
            if (error !== undefined) span.tell({ error: nameOf(error) });
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
