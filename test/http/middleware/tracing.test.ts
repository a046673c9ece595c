import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { getPeer, type PageContext } from '#http/context/env.ts';
import { freshDatabase } from '#test/support/database.ts';
import { openCollector, openTracingTo } from '#test/support/trace-collector.ts';
import { createApiOf, serve } from '../tiny-service.ts';

const collector = await openCollector();
const { sql: db, drop } = await freshDatabase();
afterAll(async () => {
  await collector.close();
  await drop();
});
// The driver queries types when it first connects.
await db`select 1`;
beforeEach(() => void collector.spans.splice(0));

const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';

/** Sends a request to a service that is traced, and returns the spans of the collector. */
const traced = async (
  path: string,
  headers: Readonly<Record<string, string>>,
  {
    handler = (c) => c.json({}, 200),
    sampler = 'always_on',
  }: { handler?: (c: PageContext) => Response | Promise<Response>; sampler?: string } = {},
) => {
  const tracing = await openTracingTo(collector.url, { OTEL_TRACES_SAMPLER: sampler });
  tracing.traceQueries(db);
  const { send, lines } = serve({ api: createApiOf(handler), isTraced: tracing.isTraced });
  const response = await send(path, { headers });
  await tracing.close();
  expect([...collector.faults, ...tracing.errors]).toEqual([]);
  return { response, spans: collector.spans, lines };
};

test("a request is a span of the client's trace, with the ID of response and log, and without keys", async () => {
  const { response, spans, lines } = await traced(
    '/flight-instances/2026-04-01/abc?version=v2&subscription-key=secretkey',
    { traceparent: `${parent}-00`, tracestate: 'vendor=1' },
  );
  expect(response.headers.get('x-request-id')).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
  expect(lines.join('')).toContain('4bf92f3577b34da6a3ce929d0e0e4736');
  expect(spans).toEqual([
    {
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      parentSpanId: '00f067aa0ba902b7',
      traceState: 'vendor=1',
      // Sampled here, and the parent is remote.
      flags: 0x3_01,
      kind: 2,
      name: 'GET /flight-instances/{date}/{key}',
      startTimeUnixNano: expect.any(String),
      endTimeUnixNano: expect.any(String),
      attributes: {
        'http.request.method': 'GET',
        'http.response.body.size': 2,
        'http.response.status_code': 200,
        'http.route': '/flight-instances/{date}/{key}',
        'url.scheme': 'http',
        'url.path': '/flight-instances/2026-04-01/abc',
        'flightdata.product': 'flight-info',
        'flightdata.version': 'v2',
        'flightdata.subscription_id': 7,
      },
      droppedAttributesCount: 0,
      events: [],
      droppedEventsCount: 0,
      links: [],
      droppedLinksCount: 0,
      status: { code: 0 },
    },
  ]);
});

test.each([
  ['parentbased_always_on', '01', 1],
  ['parentbased_always_on', '00', 0],
  ['parentbased_always_off', '01', 1],
  ['always_off', '01', 0],
])('%s sends a trace of a client with flags %s %i times, and keeps its ID', async (sampler, flags, count) => {
  const { response, spans } = await traced('/flight-instances', { traceparent: `${parent}-${flags}` }, { sampler });
  expect(spans).toHaveLength(count);
  expect(response.headers.get('x-request-id')).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
});

test('a request without a sampled trace has an ID of its own', async () => {
  const { response, spans } = await traced('/flight-instances', {}, { sampler: 'always_off' });
  expect(spans).toEqual([]);
  expect(response.headers.get('x-request-id')).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
});

test('passes the connection of a request on', async () => {
  const tracing = await openTracingTo(collector.url);
  onTestFinished(tracing.close);
  const { send } = serve({ api: createApiOf((c) => c.json(getPeer(c), 200)), isTraced: true });
  const response = await send('/flight-instances', {}, { incoming: { socket: { remoteAddress: '192.0.2.7' } } });
  expect(await response.json()).toEqual({ remoteAddress: '192.0.2.7' });
});

test('a request without a trace starts one; an internal error is an error of its span', async () => {
  const handler = async () => {
    throw new Error('secret');
  };
  const { response, spans } = await traced('/flight-instances', { traceparent: 'nonsense' }, { handler });
  expect(spans.map(({ traceId, parentSpanId, name, status }) => [traceId, parentSpanId, name, status])).toEqual([
    [response.headers.get('x-request-id'), undefined, 'GET /flight-instances', { code: 2, message: 'internal' }],
  ]);
});

test('a rejection is no error of the span', async () => {
  const { spans } = await traced('/nowhere', {});
  const http = 'http.request.method http.response.status_code url.scheme url.path http.response.body.size'.split(' ');
  expect(spans.map(({ name, status, attributes }) => [name, status, Object.keys(attributes)])).toEqual([
    ['GET', { code: 0 }, [...http, 'flightdata.problem']],
  ]);
});

test('queries are spans of their request, also in transactions, with their text and without values', async () => {
  const part = (value: number) => db`${value}::int`;
  const handler = async (c: PageContext) => {
    await db`select ${1}::int  as one, ${part(2)} as two`;
    await db.unsafe('select $1::text', ['secretvalue']);
    await db.begin(async (sql) => {
      await sql`select 3`;
    });
    await db`select from nowhere`.catch(() => {});
    return c.json({}, 200);
  };
  const { spans } = await traced('/flight-instances', {}, { handler });
  const [root] = spans.filter(({ kind }) => kind === 2);
  const queries = spans.filter(({ kind }) => kind === 3);
  expect(new Set(queries.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([root?.spanId]));
  expect(new Set(queries.map(({ attributes }) => attributes['db.system.name']))).toEqual(new Set(['postgresql']));
  expect(queries.map(({ name, attributes, status }) => [name, attributes['db.query.text'], status])).toEqual([
    ['SELECT', 'select ?::int as one, ? as two', { code: 0 }],
    ['SELECT', 'select $1::text', { code: 0 }],
    ['BEGIN', 'begin', { code: 0 }],
    ['SELECT', 'select 3', { code: 0 }],
    ['COMMIT', 'commit', { code: 0 }],
    ['SELECT', 'select from nowhere', { code: 2, message: '42P01' }],
  ]);
  // Untraced requests pass through.
  expect(await db`select 4 as four`).toEqual([{ four: 4 }]);
});

test('a trace has the first queries and the number of those left out', async () => {
  const handler = async (c: PageContext) => {
    for (let count = 0; count < 203; count += 1) await db`select 1`;
    return c.json({}, 200);
  };
  const { spans } = await traced('/flight-instances', {}, { handler });
  expect(spans).toHaveLength(201);
  expect(spans.at(-1)?.attributes).toMatchObject({ 'flightdata.spans_left_out': 3 });
});
