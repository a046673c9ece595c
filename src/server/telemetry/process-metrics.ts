import { readdirSync } from 'node:fs';
import { constants, monitorEventLoopDelay, performance, PerformanceObserver } from 'node:perf_hooks';
import { createHistogram, type Histogram } from './histogram.ts';
import { createCounter, createGauge, type Metric, type Observe } from './metric.ts';

/** Resolution of event loop delays, milliseconds; shorter delays are not measured. */
const RESOLUTION_MS = 20;

/** Delays are reset after this time, so that one bad minute is not reported permanently. */
const WINDOW_MS = 60_000;

const gcKinds: ReadonlyMap<unknown, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak callbacks'],
]);

/** Node adds a `detail` that the web type lacks. */
const readGcKind = (entry: object): string => {
  const detail = 'detail' in entry ? entry.detail : undefined;
  const hasKind = typeof detail === 'object' && detail !== null && 'kind' in detail;
  return (hasKind ? gcKinds.get(detail.kind) : undefined) ?? 'other';
};

/** Available only on systems with /proc. */
const countOpenFiles = (): number | undefined => {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
};

const takeMaximum = (metric: Metric): Metric => ({ ...metric, across: 'max' });

/**
 * Starts measuring processor, memory, files, event loop and garbage collection of this process. Returns functions to read the metrics and to stop.
 */
export const watchProcess = (): { readonly observe: Observe; readonly stop: () => void } => {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let windowFrom = performance.now();
  const collections = new Map<string, Histogram>();
  const collector = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const kind = readGcKind(entry);
      const histogram = collections.get(kind) ?? createHistogram([0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1]);
      collections.set(kind, histogram);
      histogram.observe(entry.duration / 1000);
    }
  });
  collector.observe({ entryTypes: ['gc'] });

  const delayMetrics = (): readonly Metric[] => {
    const help = 'Event loop delay within the last minute';
    const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
    const quantiles = [0.5, 0.9, 0.99].map((quantile) => ({
      labels: { quantile: String(quantile) },
      value: seconds(delays.percentile(quantile * 100)),
    }));
    const longest = createGauge('nodejs_eventloop_lag_max_seconds', `${help}: maximum`, seconds(delays.max));
    if (performance.now() - windowFrom > WINDOW_MS) {
      delays.reset();
      windowFrom = performance.now();
    }
    return [
      { name: 'nodejs_eventloop_lag_seconds', help, type: 'gauge', across: 'max', samples: quantiles },
      takeMaximum(longest),
    ];
  };

  const observe = (): readonly Metric[] => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    const { active, idle } = performance.eventLoopUtilization();
    return [
      createCounter('process_cpu_seconds_total', 'CPU time', (user + system) / 1e6),
      takeMaximum(
        createGauge('process_start_time_seconds', 'Start time of the process', performance.timeOrigin / 1000),
      ),
      createGauge('process_resident_memory_bytes', 'Resident memory, including threads', rss),
      createGauge('process_open_fds', 'Open files and connections', countOpenFiles()),
      createGauge('nodejs_heap_used_bytes', 'Used V8 heap', heapUsed),
      createGauge('nodejs_heap_total_bytes', 'Total V8 heap', heapTotal),
      createGauge('nodejs_external_memory_bytes', 'Memory outside the V8 heap, such as buffers', external),
      createCounter('nodejs_eventloop_active_seconds_total', 'Time for which the event loop was active', active / 1000),
      createCounter('nodejs_eventloop_idle_seconds_total', 'Time for which the event loop was idle', idle / 1000),
      ...delayMetrics(),
      {
        name: 'nodejs_gc_duration_seconds',
        help: 'Duration of garbage collections, by kind',
        type: 'histogram',
        samples: [...collections].flatMap(([kind, histogram]) => histogram.samples({ kind })),
      },
    ];
  };
  return {
    observe,
    stop: () => {
      delays.disable();
      collector.disconnect();
    },
  };
};
