import { readdirSync } from 'node:fs';
import { constants, monitorEventLoopDelay, performance, PerformanceObserver } from 'node:perf_hooks';
import { newHistogram, type Histogram } from './histogram.ts';
import { counter, gauge, type Metric, type Observe } from './metric.ts';

/** How fine delays of the event loop are measured, milliseconds: a wait as long as this is none. */
const RESOLUTION_MS = 20;

/** Delays are those of this long at most, so that one bad minute is not seen for ever. */
const WINDOW_MS = 60_000;

const gcKinds: ReadonlyMap<unknown, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak callbacks'],
]);

/** Node gives its own entries a detail, of which the type of the web knows nothing. */
const kindOf = (entry: object): string => {
  const detail = 'detail' in entry ? entry.detail : undefined;
  const isTold = typeof detail === 'object' && detail !== null && 'kind' in detail;
  return (isTold ? gcKinds.get(detail.kind) : undefined) ?? 'other';
};

/** Only where the system tells; elsewhere there is no such metric. */
const openFiles = (): number | undefined => {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
};

const greatest = (metric: Metric): Metric => ({ ...metric, across: 'max' });

/** Watches this process: processor, memory, files, the event loop and the collector. Answers how to read it and how to stop. */
export const watchProcess = (): { readonly observe: Observe; readonly stop: () => void } => {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let windowFrom = performance.now();
  const collections = new Map<string, Histogram>();
  const collector = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const kind = kindOf(entry);
      const histogram = collections.get(kind) ?? newHistogram([0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1]);
      collections.set(kind, histogram);
      histogram.observe(entry.duration / 1000);
    }
  });
  collector.observe({ entryTypes: ['gc'] });

  const delayMetrics = (): readonly Metric[] => {
    const help = 'How much later than due the event loop came to a timer, within the last minute';
    const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
    const quantiles = [0.5, 0.9, 0.99].map((quantile) => ({
      labels: { quantile: String(quantile) },
      value: seconds(delays.percentile(quantile * 100)),
    }));
    const most = gauge('nodejs_eventloop_lag_max_seconds', `${help}: the longest`, seconds(delays.max));
    if (performance.now() - windowFrom > WINDOW_MS) {
      delays.reset();
      windowFrom = performance.now();
    }
    return [
      { name: 'nodejs_eventloop_lag_seconds', help, type: 'gauge', across: 'max', samples: quantiles },
      greatest(most),
    ];
  };

  const observe = (): readonly Metric[] => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    const { active, idle } = performance.eventLoopUtilization();
    return [
      counter('process_cpu_seconds_total', 'Processor time', (user + system) / 1e6),
      greatest(gauge('process_start_time_seconds', 'When the process was started', performance.timeOrigin / 1000)),
      gauge('process_resident_memory_bytes', 'Memory in use, of threads too', rss),
      gauge('process_open_fds', 'Open files and connections', openFiles()),
      gauge('nodejs_heap_used_bytes', 'What is in use of the heap', heapUsed),
      gauge('nodejs_heap_total_bytes', 'The heap', heapTotal),
      gauge('nodejs_external_memory_bytes', 'Buffers beside the heap', external),
      counter('nodejs_eventloop_active_seconds_total', 'How long the event loop had something to do', active / 1000),
      counter('nodejs_eventloop_idle_seconds_total', 'How long the event loop waited', idle / 1000),
      ...delayMetrics(),
      {
        name: 'nodejs_gc_duration_seconds',
        help: 'How long collections of garbage took, by kind',
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
