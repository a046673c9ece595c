import type { Attributes, Span, Trace } from './span.ts';

export type Resource = { readonly serviceName: string; readonly attributes: Readonly<Record<string, string>> };

/** Numbers of the protocol (opentelemetry-proto, trace.proto). */
const kinds = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

const valueOf = (value: string | number | boolean): object => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  // 64-bit integers are texts in the JSON of protocol buffers.
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
};

const pairsOf = (attributes: Attributes): readonly object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));

const spanOf = (traceId: string, span: Span): object => ({
  traceId,
  spanId: span.spanId,
  ...(span.parentId !== undefined && { parentSpanId: span.parentId }),
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: String(span.startedAt),
  endTimeUnixNano: String(span.endedAt),
  attributes: pairsOf(span.attributes),
  status: span.error === undefined ? {} : { code: STATUS_ERROR, message: span.error },
});

/** Traces as the body of a request of OTLP over HTTP in its JSON form, which is stable since version 1.0 of the protocol. */
export const otlpText = (traces: readonly Trace[], { serviceName, attributes }: Resource): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: pairsOf({ ...attributes, 'service.name': serviceName }) },
        scopeSpans: [
          {
            scope: { name: 'flightdata' },
            spans: traces.flatMap(({ traceId, spans }) => spans.map((span) => spanOf(traceId, span))),
          },
        ],
      },
    ],
  });
