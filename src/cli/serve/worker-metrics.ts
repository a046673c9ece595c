import cluster, { type Worker } from 'node:cluster';
import { joinMetrics } from '../../telemetry/join-metrics.ts';
import { gauge, type Metric, type Observe } from '../../telemetry/metric.ts';

/** What the first process asks its workers for, and what they answer, beside the orders and news of `worker-orders.ts`. */
type Question = { readonly kind: 'observe'; readonly round: number };
type Answer = { readonly kind: 'observed'; readonly round: number; readonly metrics: readonly Metric[] };

/** How long workers are waited for: somebody waits for the metrics. */
const PATIENCE_MS = 1000;

const isOf = (message: unknown, kind: string): boolean =>
  typeof message === 'object' && message !== null && 'kind' in message && message.kind === kind;

const isQuestion = (message: unknown): message is Question => isOf(message, 'observe');

const isAnswer = (message: unknown): message is Answer => isOf(message, 'observed');

/** In a worker: tells the first process its metrics whenever that asks. */
export const tellMetrics = (observe: Observe): void => {
  const answer = async ({ round }: Question): Promise<void> => {
    const told: Answer = { kind: 'observed', round, metrics: await observe() };
    // It can be gone by then.
    if (process.connected) process.send?.(told);
  };
  process.on('message', (message) => {
    if (isQuestion(message)) void answer(message);
  });
};

/** What goes on counting when a worker has ended: otherwise a total would fall, and what is left of it look like new. */
const totals = (metrics: readonly Metric[]): readonly Metric[] => metrics.filter(({ type }) => type !== 'gauge');

const ask = (worker: Worker, round: number, signal: AbortSignal): Promise<readonly Metric[] | undefined> =>
  new Promise((resolve) => {
    const end = (metrics: readonly Metric[] | undefined): void => {
      worker.off('message', hear);
      resolve(metrics);
    };
    const hear = (message: unknown): void => {
      if (isAnswer(message) && message.round === round) end(message.metrics);
    };
    worker.on('message', hear);
    signal.addEventListener('abort', () => end(undefined));
    worker.send({ kind: 'observe', round } satisfies Question, () => {});
  });

/** In the first process: reads the metrics of all workers. One that is too busy to answer within a second is told as it was last. */
export const watchWorkers = (): Observe => {
  const last = new Map<number, readonly Metric[]>();
  let ended: readonly Metric[] = [];
  let rounds = 0;
  return async () => {
    const workers = Object.values(cluster.workers ?? {}).flatMap((worker) => (worker?.isConnected() ? [worker] : []));
    rounds += 1;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), PATIENCE_MS);
    await Promise.all(
      workers.map(async (worker) => {
        const told = await ask(worker, rounds, late.signal);
        if (told) last.set(worker.id, told);
      }),
    );
    clearTimeout(timer);
    for (const [id, metrics] of last)
      if (!cluster.workers?.[id]) {
        last.delete(id);
        ended = joinMetrics([ended, totals(metrics)]);
      }
    return [
      gauge('flightdata_workers', 'Processes that answer requests', workers.length),
      ...joinMetrics([ended, ...last.values()]),
    ];
  };
};
