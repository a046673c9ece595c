import { expect, test } from 'vitest';
import { createHistogram } from '#telemetry/histogram.ts';
import { createCounter, createGauge, mergeMetrics, type Metric } from '#telemetry/metric.ts';
import { formatMetrics } from '#telemetry/format-metrics.ts';
import { watchProcess } from '#telemetry/process-metrics.ts';
import { readMetrics } from '../support/read-metrics.ts';

test('a value counts in each bucket whose bound it does not pass', () => {
  const histogram = createHistogram([1, 2]);
  for (const value of [0.5, 1, 1.5, 9]) histogram.observe(value);
  expect(histogram.samples({ a: 'b' })).toEqual([
    { suffix: '_bucket', labels: { a: 'b', le: '1' }, value: 2 },
    { suffix: '_bucket', labels: { a: 'b', le: '2' }, value: 3 },
    { suffix: '_bucket', labels: { a: 'b', le: '+Inf' }, value: 4 },
    { suffix: '_sum', labels: { a: 'b' }, value: 12 },
    { suffix: '_count', labels: { a: 'b' }, value: 4 },
  ]);
});

test('escapes line breaks and quotes, and leaves out unknown values', () => {
  const labels = { name: 'a "b" \\ c\nd' };
  const metric: Metric = { name: 'm', help: 'one\ntwo \\', type: 'gauge', samples: [{ labels, value: 1.5 }] };
  const unknown = createGauge('unknown', 'never measured', undefined);
  const text = formatMetrics([metric, unknown, createCounter('n_total', 'the number', 3)]);
  const written = [
    String.raw`# HELP m one\ntwo \\`,
    '# TYPE m gauge',
    String.raw`m{name="a \"b\" \\ c\nd"} 1.5`,
    '# HELP n_total the number',
    '# TYPE n_total counter',
    'n_total 3\n',
  ];
  expect(text).toBe(written.join('\n'));
  expect([...readMetrics(text).keys()]).toEqual(['m', 'n_total']);
});

test('adds counters of several processes and takes the maximum of shared values', () => {
  const counter = { name: 'requests_total', help: 'the number', type: 'counter' } as const;
  const requestsOf = (status: string, value: number): Metric => ({
    ...counter,
    samples: [{ labels: { status }, value }],
  });
  const up = (value: number): Metric => ({ ...createGauge('up', 'whether', value), across: 'max' });
  const processes = [
    [requestsOf('200', 3), up(0)],
    [requestsOf('200', 4), up(1), requestsOf('500', 1)],
  ];
  expect(mergeMetrics(processes)).toEqual([
    {
      ...counter,
      samples: [
        { labels: { status: '200' }, value: 7 },
        { labels: { status: '500' }, value: 1 },
      ],
    },
    { name: 'up', help: 'whether', type: 'gauge', across: 'max', samples: [{ labels: {}, value: 1 }] },
  ]);
});

test('reports processor time, memory, files, event loop and garbage collections', async () => {
  const watch = watchProcess();
  try {
    const read = readMetrics(formatMetrics(await watch.observe()));
    expect([...read.keys()]).toEqual(
      expect.arrayContaining([
        'process_cpu_seconds_total',
        'process_resident_memory_bytes',
        'nodejs_heap_used_bytes',
        'nodejs_eventloop_active_seconds_total',
        'nodejs_eventloop_lag_seconds',
      ]),
    );
    const of = (name: string): number => read.get(name)?.samples.get(name) ?? Number.NaN;
    expect(of('process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(of('process_start_time_seconds')).toBeCloseTo(performance.timeOrigin / 1000, 3);
  } finally {
    watch.stop();
  }
});
