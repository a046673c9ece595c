import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { AccessLog } from '#http/observability/access-log.ts';
import { openMetricsServer, type MetricsServerOptions } from '#http/observability/metrics-server.ts';
import { Problem } from '#http/response/problem.ts';
import { createRequestMetrics } from '#http/observability/request-metrics.ts';
import { countRequestsInFlight } from '#http/observability/requests-in-flight.ts';
import { openHttpServer } from '#http/server/server.ts';
import { createGauge } from '#telemetry/metric.ts';
import { formatMetrics } from '#telemetry/format-metrics.ts';
import { readMetrics } from '#test/support/read-metrics.ts';
import { createApiOf, serve } from '../tiny-service.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const defaults = {
  port: 0,
  hostname: '127.0.0.1',
  getState: async () => ({ isReady: true, text: 'ready' }),
  onError: () => {},
};

const open = async (options: Partial<MetricsServerOptions> = {}) => {
  const metricsServer = openMetricsServer({ ...defaults, ...options });
  ends.push(metricsServer.close);
  return { metricsServer, base: `http://127.0.0.1:${(await metricsServer.listening).port}` };
};

const counted = () => {
  let counting: ReturnType<typeof createRequestMetrics> | undefined;
  const service = serve({
    log: (log: AccessLog) => {
      counting = createRequestMetrics(log);
      return counting.log;
    },
    isUnavailable: (error) => error instanceof RangeError,
    api: createApiOf((c) => {
      if (c.req.url.includes('broken')) throw new Error('broken');
      if (c.req.url.includes('away')) throw new RangeError('away');
      if (c.req.url.includes('rejected')) throw new Problem('not-found', 'There is no such flight.');
      return c.json({}, 200);
    }),
  });
  const text = async (): Promise<string> => formatMetrics((await counting?.observe()) ?? []);
  return { ...service, text };
};

test('counts requests by operation and status, without values that clients invent', async () => {
  const { send, text, lines } = counted();
  const flight = '/flight-instances/2026-04-01/secretpath';
  for (const path of ['/flight-instances', '/flight-instances?Limit=5', flight, '//flight-instances/'])
    await send(path);
  await send('/flights/health?subscription-key=secretkey', { key: null });
  await send('/flight-instances?version=v2', { method: 'HEAD' });
  await send('/flight-instances', { key: 'secretkey' });
  await send('/flight-instances?version=secretversion');
  await send('/secretpath?Subscription-Key=secretkey', { method: 'DELETE' });
  await send('/flight-instances', { method: 'PATCH' });
  await send('/flight-instances?broken');
  await send('/flight-instances?away');
  await send(`${flight}?rejected`);
  const written = await text();
  expect(written).not.toContain('secret');
  expect(lines.join('')).toContain('/secretpath');
  const read = readMetrics(written);
  /** Returns the values of a metric by its labels, without quotes. */
  const samplesOf = (name: string): object =>
    Object.fromEntries(
      [...(read.get(`flightdata_${name}`)?.samples ?? [])].map(([sample, value]) => [
        sample.replace(`flightdata_${name}`, '').replaceAll(/[{"}]|\w+=/g, ''),
        value,
      ]),
    );
  expect(samplesOf('http_requests_total')).toEqual({
    'flight-info,v3,GET,/flight-instances,200': 3,
    'flight-info,v3,GET,/flight-instances/date/key,200': 1,
    'flight-info,v3,GET,/flights/health,200': 1,
    'flight-info,v2,HEAD,/flight-instances,200': 1,
    'flight-info,v3,GET,/flight-instances,401': 1,
    'flight-info,none,other,other,404': 1,
    'none,none,other,other,404': 1,
    'flight-info,v3,other,other,405': 1,
    'flight-info,v3,GET,/flight-instances,500': 1,
    'flight-info,v3,GET,/flight-instances,503': 1,
    'flight-info,v3,GET,/flight-instances/date/key,404': 1,
  });
  expect([...(read.get('flightdata_http_requests_total')?.samples.keys() ?? [])]).toContain(
    'flightdata_http_requests_total{product="flight-info",version="v3",method="GET",route="/flight-instances/{date}/{key}",status="200"}',
  );
  const durations = [...(read.get('flightdata_http_request_duration_seconds')?.samples.keys() ?? [])];
  const bounds = durations
    .filter((sample) => sample.includes('status="401"'))
    .map((sample) => /le="(.*?)"/.exec(sample)?.[1]);
  expect(bounds.join(' ').trim()).toBe('0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf');
  expect(samplesOf('http_request_duration_seconds')).toMatchObject({
    '_countflight-info,v3,GET,/flight-instances,200': 3,
  });
  expect(samplesOf('http_response_size_bytes')).toMatchObject({ '_sumflight-info,v3,GET,/flight-instances,200': 6 });
  const kinds = ['key-invalid', 'unknown-version', 'unknown-path', 'method-not-allowed', 'internal', 'unavailable'];
  expect(samplesOf('http_problems_total')).toEqual(
    Object.fromEntries([...kinds, 'not-found'].map((kind) => [kind, 1])),
  );
  expect(samplesOf('failures_total')).toEqual({ request: 2 });
});

test('a thousand invented requests create as many samples as one', async () => {
  const { send, text } = counted();
  const size = async (): Promise<number> => (await text()).split('\n').length;
  await send('/nowhere', { key: null });
  const before = await size();
  for (let made = 0; made < 1000; made += 1) await send(`/nowhere-${made}?version=v${made}`, { key: null });
  expect(await size()).toBe(before);
});

test('a request is in flight until its response is sent; requests for metrics are not counted', async () => {
  const { metricsServer, base } = await open();
  const inFlight = countRequestsInFlight(metricsServer.server);
  ends.push(inFlight.stop);
  metricsServer.addSource(inFlight.observe);
  const response = Promise.withResolvers<Response>();
  const server = openHttpServer({ fetch: () => response.promise, port: 0, hostname: '127.0.0.1' });
  ends.push(() => server.close(0));
  const { port } = await server.listening;
  const readGauge = async (): Promise<number | undefined> =>
    readMetrics(await (await fetch(`${base}/metrics`)).text())
      .get('flightdata_http_requests_in_flight')
      ?.samples.get('flightdata_http_requests_in_flight');
  expect(await readGauge()).toBe(0);
  const request = fetch(`http://127.0.0.1:${port}/slow`);
  const gone = connect(port, '127.0.0.1');
  gone.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(readGauge).toBe(2);
  gone.destroy();
  await expect.poll(readGauge).toBe(1);
  response.resolve(new Response('done'));
  expect(await (await request).text()).toBe('done');
  await expect.poll(readGauge).toBe(0);
});

const fetchText = async (url: string, method = 'GET'): Promise<string> => {
  const response = await fetch(url, { method });
  return `${response.status} ${await response.text()}`.trim();
};

test('the operator port serves metrics, liveness and readiness, and nothing else', async () => {
  let state = { isReady: false, text: 'starting' };
  const { metricsServer, base } = await open({ getState: async () => state });
  metricsServer.addSource(() => [createGauge('one', 'A one.', 1)]);
  expect(await fetchText(`${base}/readyz`)).toBe('503 starting');
  state = { isReady: true, text: 'ready' };
  expect(await fetchText(`${base}/readyz`)).toBe('200 ready');
  expect(await fetchText(`${base}/healthz`)).toBe('200 alive');
  const response = await fetch(`${base}/metrics?a=b`);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.text()).toBe('# HELP one A one.\n# TYPE one gauge\none 1\n');
  expect(await fetchText(`${base}/flights/health`)).toBe('404 Available paths: /metrics, /healthz and /readyz.');
  expect(await fetchText(`${base}/metrics`, 'POST')).toBe('405');
});

test('omits and reports a source that cannot be read', async () => {
  const errors: unknown[] = [];
  const { metricsServer, base } = await open({ onError: (error) => void errors.push(error) });
  metricsServer.addSource(() => {
    throw new Error('no such thing');
  });
  metricsServer.addSource(() => [createGauge('one', 'A one.', 1)]);
  expect(await fetchText(`${base}/metrics`)).toContain('one 1');
  expect(errors).toEqual([new Error('no such thing')]);
});

test('rejects `listening` when the port is in use', async () => {
  const { metricsServer } = await open();
  const { port } = await metricsServer.listening;
  const second = openMetricsServer({ ...defaults, port });
  await expect(second.listening).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
