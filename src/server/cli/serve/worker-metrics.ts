import cluster, { type Worker } from 'node:cluster';
import { createGauge, mergeMetrics, type Metric, type Observe } from '#telemetry/metric.ts';

/** Sent by the first process to each worker, and what a worker returns; beside the messages of `worker-messages.ts`. */
type MetricsRequest = { readonly kind: 'observe'; readonly round: number };
type MetricsResponse = { readonly kind: 'observed'; readonly round: number; readonly metrics: readonly Metric[] };

/** How long to wait for workers: a scraper waits for the response. */
const TIMEOUT_MS = 1000;

const hasKind = (message: unknown, kind: string): boolean =>
  typeof message === 'object' && message !== null && 'kind' in message && message.kind === kind;

const isRequest = (message: unknown): message is MetricsRequest => hasKind(message, 'observe');

const isResponse = (message: unknown): message is MetricsResponse => hasKind(message, 'observed');

/** Sends the metrics of this worker to the first process on request. */
export const sendMetricsOnRequest = (observe: Observe): void => {
  const respond = async ({ round }: MetricsRequest): Promise<void> => {
    const response: MetricsResponse = { kind: 'observed', round, metrics: await observe() };
    // The first process may have ended meanwhile.
    if (process.connected) process.send?.(response);
  };
  process.on('message', (message) => {
    if (isRequest(message)) void respond(message);
  });
};

/** Counters and histograms stay in the sum after a worker ended: a falling total would look like a restart. */
const withoutGauges = (metrics: readonly Metric[]): readonly Metric[] => metrics.filter(({ type }) => type !== 'gauge');

const requestMetrics = (worker: Worker, round: number, signal: AbortSignal): Promise<readonly Metric[] | undefined> =>
  new Promise((resolve) => {
    const end = (metrics: readonly Metric[] | undefined): void => {
      worker.off('message', onMessage);
      resolve(metrics);
    };
    const onMessage = (message: unknown): void => {
      if (isResponse(message) && message.round === round) end(message.metrics);
    };
    worker.on('message', onMessage);
    signal.addEventListener('abort', () => end(undefined));
    worker.send({ kind: 'observe', round } satisfies MetricsRequest, () => {});
  });

/** Returns a source of the summed metrics of all workers. Of one that does not respond within a second it uses the last known values. */
export const collectWorkerMetrics = (): Observe => {
  const lastMetrics = new Map<number, readonly Metric[]>();
  let ofEndedWorkers: readonly Metric[] = [];
  let rounds = 0;
  return async () => {
    const workers = Object.values(cluster.workers ?? {}).flatMap((worker) => (worker?.isConnected() ? [worker] : []));
    rounds += 1;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
    await Promise.all(
      workers.map(async (worker) => {
        const metrics = await requestMetrics(worker, rounds, timeout.signal);
        if (metrics) lastMetrics.set(worker.id, metrics);
      }),
    );
    clearTimeout(timer);
    for (const [id, metrics] of lastMetrics)
      if (!cluster.workers?.[id]) {
        lastMetrics.delete(id);
        ofEndedWorkers = mergeMetrics([ofEndedWorkers, withoutGauges(metrics)]);
      }
    return [
      createGauge('flightdata_workers', 'Worker processes that serve requests', workers.length),
      ...mergeMetrics([ofEndedWorkers, ...lastMetrics.values()]),
    ];
  };
};
