import {
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Env } from '../context/env.ts';
import { readTraceParent } from '../request/request-id.ts';

const headerGetter: TextMapGetter<Headers> = {
  get: (headers, name) => (name === 'traceparent' ? readTraceParent(headers) : headers.get(name)) ?? undefined,
  keys: (headers) => [...headers.keys()],
};

/** Writes the attributes of the semantic conventions for HTTP, and our own. The query is omitted, because some clients send keys in it. */
const describeRequest = (span: Span, c: Context<Env>): void => {
  const { raw } = c.req;
  const { status } = c.res;
  const { target, product, result } = c.get('selected');
  const route = c.get('operation')?.path;
  const { 'content-length': length } = c.get('headers');
  span.setAttributes({
    'http.request.method': raw.method,
    'http.response.status_code': status,
    'url.scheme': 'http',
    'url.path': c.get('maskKeys')(c.get('loggedPath') ?? target.path),
    'http.route': route,
    'http.response.body.size': length === undefined ? undefined : Number(length),
    'flightdata.product': product,
    'flightdata.version': result?.version?.version.version,
    'flightdata.subscription_id': c.get('key')?.subscriptionId,
    'flightdata.problem': c.get('problem'),
  });
  if (route !== undefined) span.updateName(`${raw.method} ${route}`);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR, message: c.get('problem') ?? String(status) });
};

/**
 * Runs each request in a span, as part of the client's trace if there is one. The span ends when the response is ready to be sent. `@hono/otel`
 * (1.1.2) is not used: it writes the query of the URL to the span, and its routes are those of Hono instead of those of the contract.
 *
 * @example app.use(tracing())
 */
export const tracing = () => {
  const tracer = trace.getTracer('flightdata');
  return createMiddleware<Env>((c, next) => {
    const { method, headers } = c.req.raw;
    const parent = propagation.extract(ROOT_CONTEXT, headers, headerGetter);
    return tracer.startActiveSpan(method, { kind: SpanKind.SERVER }, parent, async (span) => {
      try {
        await next();
        if (span.isRecording()) describeRequest(span, c);
      } finally {
        span.end();
      }
    });
  });
};
