import { requestId as honoRequestId } from 'hono/request-id';
import { getRequestId } from '../request/request-id.ts';

/**
 * Gives each request an ID: the trace ID of the client's `traceparent`, else a new one. An `X-Request-Id` of the client is not used, because
 * anyone could then write another client's ID to the log.
 *
 * @example app.use(requestId())
 */
export const requestId = () =>
  honoRequestId({ headerName: '', generator: (c) => getRequestId(c.req.raw.headers.get('traceparent')) });
