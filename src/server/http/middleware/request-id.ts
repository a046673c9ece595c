import { trace } from '@opentelemetry/api';
import { requestId as honoRequestId } from 'hono/request-id';
import { getRequestId, readTraceParent } from '../request/request-id.ts';

/**
 * Gives each request an ID: the ID of its trace, where `tracing()` started or joined one; else that of the client's `traceparent`, or a new one.
 * An `X-Request-Id` of the client is not used, because anyone could then write another client's ID to the log.
 *
 * @example app.use(requestId())
 */
export const requestId = () =>
  honoRequestId({
    headerName: '',
    generator: (c) => trace.getActiveSpan()?.spanContext().traceId ?? getRequestId(readTraceParent(c.req.raw.headers)),
  });
