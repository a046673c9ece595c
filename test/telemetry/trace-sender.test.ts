import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createTraceSender } from '../../src/telemetry/trace-sender.ts';
import { parseTracing, type TracingOptions } from '../../src/telemetry/tracing-options.ts';
import { startTrace, type Trace } from '../../src/telemetry/span.ts';
import { openCollector } from '../support/trace-collector.ts';

let collector: Awaited<ReturnType<typeof openCollector>>;
beforeEach(async () => {
  collector = await openCollector();
});
afterEach(() => collector.close());

const tracingTo = (url: string): TracingOptions => {
  const tracing = parseTracing({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=flights',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_BSP_SCHEDULE_DELAY: '10',
  });
  if (!tracing) throw new Error('nothing would be traced');
  return tracing;
};

const traceOf = (spans: number): Trace => {
  let ended: Trace | undefined;
  const root = startTrace({ name: 'root', kind: 'internal', onEnd: (trace) => void (ended = trace) });
  for (let begun = 1; begun < spans; begun += 1)
    root.startChild('child', 'client', { 'a.number': begun, half: 0.5 }).end();
  root.update({ attributes: { done: true }, error: 'broken' });
  root.end();
  if (!ended) throw new Error('it has not ended');
  return ended;
};

test('a trace is sent in the format of the protocol', async () => {
  const sender = createTraceSender(tracingTo(collector.url), () => {});
  const trace = traceOf(2);
  sender.add(trace);
  await expect.poll(() => collector.spans.length).toBe(2);
  const [child, root] = collector.spans;
  expect(root).toMatchObject({
    traceId: trace.traceId,
    name: 'root',
    kind: 1,
    attributes: { done: true },
    status: { code: 2, message: 'broken' },
  });
  expect(root?.parentSpanId).toBeUndefined();
  expect(child).toMatchObject({
    traceId: trace.traceId,
    parentSpanId: root?.spanId,
    name: 'child',
    kind: 3,
    attributes: { 'a.number': 1, half: 0.5 },
    status: {},
  });
  expect(Number(root?.endTimeUnixNano) / 1e6).toBeCloseTo(Date.now(), -5);
  expect(collector.requests).toEqual([
    {
      path: '/v1/traces',
      headers: expect.objectContaining({ 'x-team': 'flights', 'content-type': 'application/json' }),
      resource: { 'service.name': 'flightdata', 'deployment.environment.name': 'test' },
    },
  ]);
  expect(collector.faults).toEqual([]);
  await sender.close();
});

test('retries a temporarily rejected batch once; drops a permanently rejected one', async () => {
  const errors: unknown[] = [];
  const sender = createTraceSender(tracingTo(collector.url), (error) => void errors.push(error));
  const readCounts = (): readonly number[] => sender.observe().map(({ samples }) => samples[0]?.value ?? -1);
  collector.setStatus(503);
  sender.add(traceOf(1));
  await expect.poll(() => errors).toEqual([new Error('the trace collector responded with status 503')]);
  collector.setStatus(200);
  sender.add(traceOf(1));
  await expect.poll(readCounts).toEqual([2, 0]);
  collector.setStatus(400);
  sender.add(traceOf(3));
  await expect.poll(readCounts).toEqual([2, 3]);
  await sender.close();
});

test('an unreachable collector costs neither memory nor time', async () => {
  await collector.close();
  const errors: unknown[] = [];
  const sender = createTraceSender(tracingTo(collector.url), (error) => void errors.push(error));
  const trace = traceOf(10);
  for (let added = 0; added < 10_000; added += 1) sender.add(trace);
  await sender.close();
  const [sent, dropped] = sender.observe().map(({ samples }) => samples[0]?.value);
  expect([sent, dropped]).toEqual([0, 100_000]);
  expect(String(errors[0])).toBe('Error: cannot connect to the trace collector');
  collector = await openCollector();
});

test('sends user and password of the collector URL as a header and never reports them', async () => {
  const errors: unknown[] = [];
  const url = collector.url.replace('http://', 'http://team:s%C3%A9cret@');
  const sender = createTraceSender(tracingTo(url), (error) => void errors.push(error));
  sender.add(traceOf(1));
  await sender.close();
  expect(errors).toEqual([]);
  expect(collector.requests).toMatchObject([
    { path: '/v1/traces', headers: { authorization: 'Basic dGVhbTpzw6ljcmV0' } },
  ]);
});

test('a collector without response delays closing for one time-out at most', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
  const sender = createTraceSender({ ...tracingTo(url), timeoutMs: 600_000 }, () => {});
  // The first batch is on its way when closing sends the second one.
  sender.add(traceOf(1));
  await once(silent, 'request');
  sender.add(traceOf(1));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let isClosed = false;
  const closing = sender.close().then(() => (isClosed = true));
  await vi.advanceTimersByTimeAsync(599_999);
  expect(isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await closing;
  expect(sender.observe().map(({ samples }) => samples[0]?.value)).toEqual([0, 2]);
  silent.closeAllConnections();
  silent.close();
});

test('reports the first spans of a large trace and the number of dropped ones', () => {
  const { spans } = traceOf(1000);
  expect(spans.length).toBe(201);
  expect(spans.at(-1)).toMatchObject({ name: 'root', attributes: { 'flightdata.spans_left_out': 799 } });
});
