import { currentSpan, type Attributes } from '../../telemetry/span.ts';
import type { AccessEntry, AccessLog } from './access-log.ts';

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
