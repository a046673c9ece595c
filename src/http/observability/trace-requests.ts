import { startTrace, currentSpan, runWithin, type Attributes, type Trace } from '../../telemetry/span.ts';
import type { AccessEntry, AccessLog } from './access-log.ts';
import type { FetchHandler } from '../request/request-context.ts';
import { parseTraceParent } from '../request/request-id.ts';

/** Called with each finished trace; `isSampledByClient` is undefined where the client sent no trace. */
export type OnTrace = (trace: Trace, isSampledByClient?: boolean) => void;

/** Attributes of the OpenTelemetry semantic conventions for HTTP, and our own. The query is omitted, because some clients send keys in it. */
const attributesOf = (entry: AccessEntry): Attributes => ({
  'http.request.method': entry.method,
  'http.response.status_code': entry.status,
  'url.scheme': 'http',
  'url.path': entry.path.slice(0, 256),
  ...(entry.route !== undefined && { 'http.route': entry.route }),
  ...(entry.bytes !== undefined && { 'http.response.body.size': entry.bytes }),
  ...(entry.product !== undefined && { 'flightdata.product': entry.product }),
  ...(entry.version !== undefined && { 'flightdata.version': entry.version }),
  ...(entry.subscriptionId !== undefined && { 'flightdata.subscription_id': entry.subscriptionId }),
  ...(entry.problem !== undefined && { 'flightdata.problem': entry.problem }),
});

/** Returns an access log that also writes each entry to the span of its request; the request ID becomes the trace ID. */
export const logToSpans = (log: AccessLog): AccessLog => ({
  ...log,
  request: (entry) => {
    const span = currentSpan();
    span?.setTraceId(entry.requestId);
    span?.update({
      name: entry.route === undefined ? entry.method : `${entry.method} ${entry.route}`,
      attributes: attributesOf(entry),
      ...(entry.status >= 500 && { error: entry.problem ?? String(entry.status) }),
    });
    log.request(entry);
  },
});

/** Runs each request in a span, as part of the client's trace if there is one. The span ends when the response is ready to be sent. */
export const traceRequests =
  (fetch: FetchHandler, onTrace: OnTrace): FetchHandler =>
  async (request, peer) => {
    const parent = parseTraceParent(request.headers.get('traceparent'));
    const span = startTrace({
      name: request.method,
      kind: 'server',
      parentId: parent?.parentId,
      onEnd: (trace) => onTrace(trace, parent?.isSampled),
    });
    try {
      return await runWithin(span, () => fetch(request, peer));
    } finally {
      span.end();
    }
  };
