import { startTrace, currentSpan, runWithin, type Attributes, type Trace } from '../../telemetry/span.ts';
import type { AccessEntry, AccessLog } from './access-log.ts';
import type { FetchHandler } from '../request/fetch-handler.ts';
import { parseTraceParent } from '../request/request-id.ts';

/** Hears of traces; `callerKeeps` is undefined where the caller says nothing. */
export type OnTrace = (trace: Trace, callerKeeps?: boolean) => void;

/** Names of the semantic conventions of OpenTelemetry for HTTP, and our own. The query is not among them: callers put keys into it by mistake. */
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

/** A log that tells the span of a request what is known of it in the end, its trace among that: the id of the request. */
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

/** Answers each request within a span, which is part of the caller's trace where there is one. It lasts until the answer is ready to be sent. */
export const traceRequests =
  (front: FetchHandler, onTrace: OnTrace): FetchHandler =>
  async (request, peer) => {
    const caller = parseTraceParent(request.headers.get('traceparent'));
    const span = startTrace({
      name: request.method,
      kind: 'server',
      parentId: caller?.parentId,
      onEnd: (trace) => onTrace(trace, caller?.isSampled),
    });
    try {
      return await runWithin(span, () => front(request, peer));
    } finally {
      span.end();
    }
  };
