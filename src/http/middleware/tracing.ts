import { createMiddleware } from 'hono/factory';
import { runWithin, startTrace, type Trace } from '../../telemetry/span.ts';
import type { Env } from '../context/env.ts';
import { parseTraceParent } from '../request/request-id.ts';

/** Called with each finished trace; `isSampledByClient` is undefined where the client sent no trace. */
export type OnTrace = (trace: Trace, isSampledByClient?: boolean) => void;

/**
 * Runs each request in a span, as part of the client's trace if there is one. The span ends when the response is ready to be sent.
 *
 * @example app.use(tracing((trace) => sender.add(trace)))
 */
export const tracing = (onTrace: OnTrace) =>
  createMiddleware<Env>(async (c, next) => {
    const { raw } = c.req;
    const parent = parseTraceParent(raw.headers.get('traceparent'));
    const span = startTrace({
      name: raw.method,
      kind: 'server',
      parentId: parent?.parentId,
      onEnd: (trace) => onTrace(trace, parent?.isSampled),
    });
    try {
      await runWithin(span, next);
    } finally {
      span.end();
    }
  });
