import type { Config } from '#config.ts';
import type { AccessLog } from '#http/observability/access-log.ts';
import { openMetricsServer } from '#http/observability/metrics-server.ts';
import { openLimitedDatabase, type Database } from '#store/pool/database.ts';
import { createReadiness } from '#jobs/health/readiness.ts';
import { createDataHealthObserver } from '#jobs/health/data-health-metrics.ts';
import type { Observe } from '#telemetry/metric.ts';
import type { Store } from '../shared/open-store.ts';
import { toServerUrl } from '../shared/server-url.ts';
import { createServingMetrics } from './serving-metrics.ts';
import { collectWorkerMetrics } from './worker-metrics.ts';

/** The HTTP port for metrics and health checks (METRICS_PORT). */
export type MetricsEndpoint = {
  /** The access log to use: it counts requests and failures. */
  readonly log: AccessLog;
  /** Adds a source of metrics. */
  readonly add: (observe: Observe) => void;
  /** Reports readiness, and adds the metrics of the store and of workers. */
  readonly ready: (store: Pick<Store, 'url' | 'applicationName'>) => void;
  /** Reports that the server is shutting down. */
  readonly draining: () => void;
  readonly close: () => Promise<void>;
};

export type MetricsEndpointOptions = {
  readonly config: Pick<Config, 'metrics' | 'replicaUrls' | 'readStalenessSeconds'>;
  readonly clock: () => Date;
  readonly log: AccessLog;
  readonly printLine: (text: string) => void;
};

/** Query timeout of store metrics: with 3,000,000 flight instances they take 0.1 s. */
const QUERY_TIMEOUT_MS = 5000;

/** Opens the port for metrics; without METRICS_PORT nothing is counted. */
export const openMetricsEndpoint = async ({
  config,
  clock,
  log,
  printLine,
}: MetricsEndpointOptions): Promise<MetricsEndpoint> => {
  const { metrics, replicaUrls, readStalenessSeconds } = config;
  const noop = (): void => {};
  if (!metrics) return { log, add: noop, ready: noop, draining: noop, close: async () => {} };
  const readiness = createReadiness({ maxStalenessMs: readStalenessSeconds * 1000 });
  const server = openMetricsServer({
    port: metrics.port,
    hostname: metrics.host,
    getState: readiness.getState,
    onError: (error) => log.failure(error, clock(), 'metrics'),
  });
  const { port } = await server.listening;
  printLine(`metrics on ${toServerUrl(metrics.host, port)}/metrics`);
  const opened: Database[] = [];
  const serving = createServingMetrics(log, server.server);
  server.addSource(serving.observe);
  return {
    log: serving.log,
    add: serving.add,
    ready: ({ url, applicationName }) => {
      // A separate pool: busy request pools do not delay metrics, and metrics do not delay requests.
      const pool = { applicationName, queryTimeoutMs: QUERY_TIMEOUT_MS };
      const db = openLimitedDatabase({ ...pool, url, max: 2 });
      const replicas = replicaUrls.map((replica) => openLimitedDatabase({ ...pool, url: replica, max: 1 }));
      opened.push(db, ...replicas);
      readiness.setReady(db, replicas);
      server.addSource(createDataHealthObserver(db, { clock }));
      server.addSource(collectWorkerMetrics());
    },
    draining: readiness.setDraining,
    close: async () => {
      serving.stop();
      await server.close();
      await Promise.all(opened.map((sql) => sql.end({ timeout: 1 })));
    },
  };
};
