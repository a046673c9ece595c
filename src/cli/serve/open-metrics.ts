import type { Config } from '../../config.ts';
import type { AccessLog } from '../../http/observability/access-log.ts';
import { openMetricsDoor } from '../../http/observability/metrics-server.ts';
import { openQuestions, type Database } from '../../store/pool/database.ts';
import { newReadiness } from '../../jobs/health/readiness.ts';
import { watchCondition } from '../../jobs/health/data-health-metrics.ts';
import type { Observe } from '../../telemetry/metric.ts';
import type { Store } from '../open-store.ts';
import { watchServing } from './watch-serving.ts';
import { watchWorkers } from './worker-metrics.ts';

/** The port of the operator while a server runs. */
export type OpenMetrics = {
  /** Counts what it is given. */
  readonly log: AccessLog;
  /** Adds something to read. */
  readonly add: (observe: Observe) => void;
  /** From now on the store is read, and the workers where there are some; requests may be sent. */
  readonly ready: (store: Pick<Store, 'url' | 'applicationName'>) => void;
  /** From now on nothing new should be sent. */
  readonly draining: () => void;
  readonly close: () => Promise<void>;
};

export type MetricsOptions = {
  readonly config: Pick<Config, 'metrics'>;
  readonly clock: () => Date;
  readonly log: AccessLog;
  readonly say: (text: string) => void;
};

/** How long a reading of the store may take, milliseconds: 3,000,000 flight instances take 0.1 s. */
const ANSWER_MS = 5000;

/** Opens the port for metrics where one is configured; where none is, nothing is counted either. */
export const openMetrics = async ({ config, clock, log, say }: MetricsOptions): Promise<OpenMetrics> => {
  const { metrics } = config;
  const nothing = (): void => {};
  if (!metrics) return { log, add: nothing, ready: nothing, draining: nothing, close: async () => {} };
  const readiness = newReadiness();
  const door = openMetricsDoor({
    port: metrics.port,
    hostname: metrics.host,
    unreadyFor: readiness.unreadyFor,
    onError: (error) => log.failure(error, clock(), 'metrics'),
  });
  const { port } = await door.listening;
  say(`metrics on http://${metrics.host.includes(':') ? `[${metrics.host}]` : metrics.host}:${port}/metrics`);
  let db: Database | undefined;
  const watch = watchServing(log, door.server);
  door.add(watch.observe);
  return {
    log: watch.log,
    add: watch.add,
    ready: ({ url, applicationName }) => {
      // A pool of its own: what is told must not depend on how busy the others are, nor hold them up.
      db = openQuestions({ url, applicationName, max: 2, answerMs: ANSWER_MS });
      readiness.ready(db);
      door.add(watchCondition(db, { clock }));
      door.add(watchWorkers());
    },
    draining: readiness.draining,
    close: async () => {
      watch.stop();
      await door.close();
      await db?.end({ timeout: 1 });
    },
  };
};
