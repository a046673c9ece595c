import { afterAll, expect, test } from 'vitest';
import { getPeer, type PageContext } from '../../../src/http/context/env.ts';
import { logToSpans } from '../../../src/http/observability/trace-requests.ts';
import { observeQueries } from '../../../src/store/pool/driver/driver.ts';
import { currentSpan, type Trace } from '../../../src/telemetry/span.ts';
import { freshDatabase } from '../../support/database.ts';
import { createApiOf, serve } from '../tiny-service.ts';

const { sql: db, drop } = await freshDatabase();
afterAll(drop);
// The driver queries types when it first connects.
await db`select 1`;

const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';

const traced = async (
  path: string,
  headers: Readonly<Record<string, string>>,
  handler: (c: PageContext) => Response | Promise<Response> = (c) => c.json({}, 200),
) => {
  const received: { readonly trace: Trace; readonly callerKeeps: boolean | undefined }[] = [];
  const { send, lines } = serve({
    api: createApiOf(handler),
    log: logToSpans,
    onTrace: (trace, callerKeeps) => void received.push({ trace, callerKeeps }),
  });
  const response = await send(path, { headers });
  const [{ trace, callerKeeps } = { trace: { traceId: '', spans: [] }, callerKeeps: undefined }] = received;
  return { response, trace, callerKeeps, lines };
};

test("a request is a span of the client's trace, with the ID of response and log, and without keys", async () => {
  const { response, trace, callerKeeps, lines } = await traced(
    '/flight-instances/2026-04-01/abc?version=v2&subscription-key=secretkey',
    { traceparent: `${parent}-00` },
  );
  expect(response.headers.get('x-request-id')).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
  expect(trace.traceId).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
  expect(lines.join('')).toContain(trace.traceId);
  expect(callerKeeps).toBe(false);
  expect(trace.spans).toEqual([
    {
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      parentId: '00f067aa0ba902b7',
      kind: 'server',
      name: 'GET /flight-instances/{date}/{key}',
      startedAt: expect.any(BigInt),
      endedAt: expect.any(BigInt),
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
      error: undefined,
    },
  ]);
});

test('passes the connection of a request on', async () => {
  const { send } = serve({ api: createApiOf((c) => c.json(getPeer(c), 200)), onTrace: () => {} });
  const response = await send('/flight-instances', {}, { incoming: { socket: { remoteAddress: '192.0.2.7' } } });
  expect(await response.json()).toEqual({ remoteAddress: '192.0.2.7' });
});

test('a request without a trace starts one; an internal error is an error of its span', async () => {
  const { response, trace, callerKeeps } = await traced('/flight-instances', { traceparent: 'nonsense' }, async () => {
    throw new Error('secret');
  });
  expect(trace.traceId).toBe(response.headers.get('x-request-id'));
  expect(callerKeeps).toBeUndefined();
  expect(trace.spans).toMatchObject([{ parentId: undefined, name: 'GET /flight-instances', error: 'internal' }]);
});

test('a rejection is no error of the span', async () => {
  const { trace } = await traced('/nowhere', {});
  const http = 'http.request.method http.response.status_code url.scheme url.path http.response.body.size'.split(' ');
  expect(trace.spans.map(({ name, error, attributes }) => [name, error, Object.keys(attributes)])).toEqual([
    ['GET', undefined, [...http, 'flightdata.problem']],
  ]);
});

test('logs requests without a span', async () => {
  const { send, lines } = serve({ log: logToSpans });
  await send('/flights/health', { key: null });
  expect(lines).toHaveLength(1);
});

test('queries are spans of their request, also in transactions, with their text and without values', async () => {
  const stop = observeQueries(db, (text) => {
    const span = currentSpan()?.startChild('query', 'client', { text });
    return (
      span &&
      ((error) => {
        if (error !== undefined) span.update({ error: 'failed' });
        span.end();
      })
    );
  });
  try {
    const part = (value: number) => db`${value}::int`;
    const { trace } = await traced('/flight-instances', {}, async (c) => {
      await db`select ${1}::int  as one, ${part(2)} as two`;
      await db.unsafe('select $1::text', ['secretvalue']);
      await db.begin(async (sql) => {
        await sql`select 3`;
      });
      await db`select from nowhere`.catch(() => {});
      return c.json({}, 200);
    });
    const [root] = trace.spans.slice(-1);
    const queries = trace.spans.filter(({ name }) => name === 'query');
    expect(new Set(queries.map(({ parentId }) => parentId))).toEqual(new Set([root?.spanId]));
    expect(queries.map(({ attributes, error }) => [attributes['text'], error])).toEqual([
      ['select ?::int as one, ? as two', undefined],
      ['select $1::text', undefined],
      ['begin', undefined],
      ['select 3', undefined],
      ['commit', undefined],
      ['select from nowhere', 'failed'],
    ]);
    // Untraced requests pass through.
    expect(await db`select 4 as four`).toEqual([{ four: 4 }]);
  } finally {
    stop();
  }
});
