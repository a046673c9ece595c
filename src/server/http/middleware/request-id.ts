import { trace } from '@opentelemetry/api';
import { getRequestId, readTraceParent } from '../request/request-id.ts';
import type { Step } from './in-order.ts';

/**
 * Gives each request an ID: the ID of its trace, where `tracing()` started or joined one; else that of the client's `traceparent`, or a new one.
 * An `X-Request-Id` of the client is not used, because anyone could then write another client's ID to the log. `hono/request-id` only sets
 * the variable too, as an asynchronous middleware.
 *
 * @example app.use(inOrder(requestId()))
 */
export const requestId = (): Step => (c) =>
  c.set('requestId', trace.getActiveSpan()?.spanContext().traceId ?? getRequestId(readTraceParent(c.req.raw.headers)));
