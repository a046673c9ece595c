import type { Attributes, Span, Trace } from './span.ts';

export type Resource = { readonly serviceName: string; readonly attributes: Readonly<Record<string, string>> };

/** Enumeration values of the protocol (opentelemetry-proto, trace.proto). */
const kinds = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

const toAttributeValue = (value: string | number | boolean): object => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  // The JSON of protocol buffers writes 64-bit integers as strings.
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
};

const toKeyValues = (attributes: Attributes): readonly object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: toAttributeValue(value) }));

const toOtlpSpan = (traceId: string, span: Span): object => ({
  traceId,
  spanId: span.spanId,
  ...(span.parentId !== undefined && { parentSpanId: span.parentId }),
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: String(span.startedAt),
  endTimeUnixNano: String(span.endedAt),
  attributes: toKeyValues(span.attributes),
  status: span.error === undefined ? {} : { code: STATUS_ERROR, message: span.error },
});

/** Formats traces as an OTLP/HTTP request body in JSON, which is stable since version 1.0 of the protocol. */
export const formatOtlp = (traces: readonly Trace[], { serviceName, attributes }: Resource): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toKeyValues({ ...attributes, 'service.name': serviceName }) },
        scopeSpans: [
          {
            scope: { name: 'flightdata' },
            spans: traces.flatMap(({ traceId, spans }) => spans.map((span) => toOtlpSpan(traceId, span))),
          },
        ],
      },
    ],
  });
