import { trace } from '@opentelemetry/api';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openCollector, openTracingTo } from '../support/trace-collector.ts';

let collector: Awaited<ReturnType<typeof openCollector>>;
beforeEach(async () => {
  collector = await openCollector();
});
afterEach(() => collector.close());

/** Opens tracing that is closed with the test at the latest. */
const open = async (url: string, variables: Readonly<Record<string, string>> = {}) => {
  const tracing = await openTracingTo(url, { OTEL_BSP_SCHEDULE_DELAY: '10', ...variables });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= tracing.close());
  onTestFinished(close);
  const readCounts = async (): Promise<readonly (number | undefined)[]> =>
    (await tracing.observe()).map(({ samples }) => samples[0]?.value);
  return { ...tracing, close, readCounts };
};

const addSpans = (count: number): void => {
  const tracer = trace.getTracer('flightdata');
  for (let added = 0; added < count; added += 1) tracer.startSpan('work').end();
};

test('spans are sent with the headers and the resource of the environment', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-team=flights%20one, x-region=a=b');
  vi.stubEnv('OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'x-region=north');
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test');
  onTestFinished(() => void vi.unstubAllEnvs());
  const tracing = await open(`${collector.url}/`);
  addSpans(1);
  await expect.poll(() => collector.spans).toMatchObject([{ name: 'work', kind: 1, status: { code: 0 } }]);
  expect(Number(collector.spans[0]?.endTimeUnixNano) / 1e6).toBeCloseTo(Date.now(), -5);
  const headers = { 'x-team': 'flights one', 'x-region': 'north', 'content-type': 'application/json' };
  expect(collector.requests).toEqual([
    {
      path: '/v1/traces',
      headers: expect.objectContaining(headers),
      resource: {
        'service.name': 'flightdata',
        'deployment.environment.name': 'test',
        'telemetry.sdk.language': 'nodejs',
        'telemetry.sdk.name': 'opentelemetry',
        'telemetry.sdk.version': expect.any(String),
      },
    },
  ]);
  await expect.poll(tracing.readCounts).toEqual([1, 0]);
  expect([...collector.faults, ...tracing.errors]).toEqual([]);
});

test('OTEL_SERVICE_NAME names the service', async () => {
  vi.stubEnv('OTEL_SERVICE_NAME', 'flights');
  onTestFinished(() => void vi.unstubAllEnvs());
  const tracing = await open(collector.url);
  addSpans(1);
  await tracing.close();
  expect(collector.requests).toMatchObject([{ resource: { 'service.name': 'flights' } }]);
});

test('sends to the URL of traces', async () => {
  const tracing = await open('http://127.0.0.1:1', {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/custom`,
  });
  addSpans(1);
  await tracing.close();
  expect(collector.requests).toMatchObject([{ path: '/custom' }]);
});

test('retries a temporarily rejected batch; drops and reports a permanently rejected one', async () => {
  const tracing = await open(collector.url);
  collector.setStatuses(503, 200);
  addSpans(2);
  await expect.poll(tracing.readCounts).toEqual([2, 0]);
  expect(tracing.errors).toEqual([]);
  collector.setStatuses(400);
  addSpans(3);
  await expect.poll(tracing.readCounts).toEqual([2, 3]);
  expect(tracing.errors).toMatchObject([
    { message: 'cannot send traces to the collector', cause: { message: 'Bad Request' } },
  ]);
});

test('an unreachable collector costs neither memory nor time', async () => {
  const address = collector.url;
  await collector.close();
  const tracing = await open(address, { OTEL_EXPORTER_OTLP_TIMEOUT: '500' });
  addSpans(100_000);
  await tracing.close();
  expect(await tracing.readCounts()).toEqual([0, 100_000]);
  // One for the batch that was on its way, one for those that closing sends.
  const error = { message: 'cannot send traces to the collector', cause: { code: 'ECONNREFUSED' } };
  expect(tracing.errors).toMatchObject([error, error]);
  collector = await openCollector();
});

test('sends user and password of the collector URL as a header and never reports them', async () => {
  const tracing = await open(collector.url.replace('http://', 'http://team:s%C3%A9cret@'));
  collector.setStatuses(200, 400);
  addSpans(1);
  await expect.poll(tracing.readCounts).toEqual([1, 0]);
  addSpans(1);
  await tracing.close();
  expect(collector.requests[0]).toMatchObject({
    path: '/v1/traces',
    headers: { authorization: 'Basic dGVhbTpzw6ljcmV0' },
  });
  expect(tracing.errors).toHaveLength(1);
  expect(tracing.errors.map((error) => error instanceof Error && [error.stack, error.cause]).join()).not.toMatch(
    /cret|dGVhb/,
  );
});

test('a collector without response delays closing for one time-out at most', async () => {
  const unanswered: ServerResponse[] = [];
  let isOver = false;
  const silent = createServer(
    (_, response) => void (isOver ? response.writeHead(400).end() : unanswered.push(response)),
  );
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(async () => {
    // Rejected for good: the exporter would retry a lost connection in the tests that follow.
    isOver = true;
    const rejected = unanswered.map(async (response) => once(response.writeHead(400).end(), 'finish'));
    await Promise.all(rejected);
    silent.close();
    silent.closeIdleConnections();
    await once(silent, 'close');
  });
  const address = silent.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
  const tracing = await open(url, { OTEL_EXPORTER_OTLP_TIMEOUT: '600000' });
  // The first batch is on its way when closing sends the second one.
  addSpans(1);
  await once(silent, 'request');
  addSpans(1);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let isClosed = false;
  const closing = tracing.close().then(() => (isClosed = true));
  await vi.advanceTimersByTimeAsync(599_999);
  expect(isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await closing;
});
