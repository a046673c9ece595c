import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { openTracing } from '#cli/shared/tracing.ts';
import { parseTracing } from '#telemetry/tracing-options.ts';

const zHex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const zTime = z.string().regex(/^\d{19}$/);
const zValue = z.strictObject({
  stringValue: z.string().optional(),
  intValue: z.int().optional(),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
});
const zAttributes = z.array(z.strictObject({ key: z.string(), value: zValue }));
const zSpan = z.strictObject({
  traceId: zHex(32),
  spanId: zHex(16),
  parentSpanId: zHex(16).optional(),
  traceState: z.string().optional(),
  flags: z.int(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: zTime,
  endTimeUnixNano: zTime,
  attributes: zAttributes,
  droppedAttributesCount: z.literal(0),
  events: z.tuple([]),
  droppedEventsCount: z.literal(0),
  links: z.tuple([]),
  droppedLinksCount: z.literal(0),
  status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }),
});
/** The OTLP 1.x request in JSON, as strict as the service writes it. */
const zRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: zAttributes, droppedAttributesCount: z.literal(0) }),
      scopeSpans: z.array(z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(zSpan) })),
    }),
  ),
});

export type CollectedSpan = Omit<z.infer<typeof zSpan>, 'attributes'> & {
  readonly attributes: Readonly<Record<string, unknown>>;
};

const plain = (attributes: z.infer<typeof zAttributes>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, boolValue, doubleValue, intValue } }) => [
      key,
      stringValue ?? boolValue ?? doubleValue ?? intValue,
    ]),
  );

/**
 * Starts a trace collector that reports invalid requests. `setStatuses` sets the statuses of the next responses; the last one remains. A sender
 * may retry immediately.
 */
export const openCollector = async () => {
  const spans: CollectedSpan[] = [];
  const requests: { readonly path: string; readonly headers: unknown; readonly resource: unknown }[] = [];
  const faults: unknown[] = [];
  let statuses: readonly number[] = [200];
  const server = createServer((request, response) => {
    const [status = 200, ...next] = statuses;
    if (next.length > 0) statuses = next;
    void json(request)
      .then((body) => {
        for (const { resource, scopeSpans } of zRequest.parse(body).resourceSpans) {
          requests.push({ path: request.url ?? '', headers: request.headers, resource: plain(resource.attributes) });
          for (const span of status === 200 ? scopeSpans.flatMap((scope) => scope.spans) : [])
            spans.push({ ...span, attributes: plain(span.attributes) });
        }
      })
      .catch((error: unknown) => faults.push(error))
      .finally(() => response.writeHead(status, { 'retry-after': new Date(0).toUTCString() }).end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    requests,
    faults,
    setStatuses: (...next: readonly number[]): void => void (statuses = next),
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Opens tracing to a collector with these variables of OpenTelemetry, and collects its errors. Close it before the next one is opened. */
export const openTracingTo = async (url: string, variables: Readonly<Record<string, string>> = {}) => {
  const errors: unknown[] = [];
  const tracing = parseTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...variables });
  return { ...(await openTracing({ tracing }, (error) => void errors.push(error))), errors };
};
