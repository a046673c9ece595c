import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

const zHex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const zTime = z.string().regex(/^\d{19}$/);
const zValue = z.object({
  stringValue: z.string().optional(),
  intValue: z.optional(z.string().regex(/^-?\d+$/)),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
});
const zAttributes = z.array(z.strictObject({ key: z.string(), value: zValue }));
const zSpan = z.strictObject({
  traceId: zHex(32),
  spanId: zHex(16),
  parentSpanId: zHex(16).optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: zTime,
  endTimeUnixNano: zTime,
  attributes: zAttributes,
  status: z.strictObject({ code: z.literal(2).optional(), message: z.string().optional() }),
});
/** The OTLP 1.x request in JSON, as strict as the service writes it. */
const zRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: zAttributes }),
      scopeSpans: z.array(z.strictObject({ scope: z.object({ name: z.string() }), spans: z.array(zSpan) })),
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
      stringValue ?? boolValue ?? doubleValue ?? Number(intValue),
    ]),
  );

/** Starts a trace collector that rejects invalid requests; `setStatus` sets the status of responses to valid ones. */
export const openCollector = async () => {
  const spans: CollectedSpan[] = [];
  const requests: { readonly path: string; readonly headers: unknown; readonly resource: unknown }[] = [];
  const faults: unknown[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    void json(request)
      .then((body) => {
        for (const { resource, scopeSpans } of zRequest.parse(body).resourceSpans) {
          requests.push({ path: request.url ?? '', headers: request.headers, resource: plain(resource.attributes) });
          for (const span of status === 200 ? scopeSpans.flatMap((scope) => scope.spans) : [])
            spans.push({ ...span, attributes: plain(span.attributes) });
        }
      })
      .catch((error: unknown) => faults.push(error))
      .finally(() => response.writeHead(status).end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    requests,
    faults,
    setStatus: (next: number): void => void (status = next),
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
