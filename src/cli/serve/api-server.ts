import { createApp } from '../../app.ts';
import type { Config } from '../../config.ts';
import type { AccessLog } from '../../http/observability/access-log.ts';
import { createClientIdentifier } from '../../http/auth/client-address.ts';
import { createPageCacheMetrics } from '../../http/cache/page-cache.ts';
import { logRejections } from '../../http/server/rejected-requests.ts';
import { openHttpServer } from '../../http/server/server.ts';
import { openLimitedDatabase, type Database } from '../../store/pool/database.ts';
import { getOrCreateSecret } from '../../store/access/secrets.ts';
import type { Observe } from '../../telemetry/metric.ts';
import { watchConnections } from '../../jobs/connections/watch-connections.ts';
import { type LoadedMasterData, readWarmMasterData, startMasterDataCache } from '../../jobs/cache/master-data-cache.ts';
import type { BackgroundDriver } from '../../jobs/driver.ts';
import { monitorReplicas } from '../../jobs/cache/replica-monitor.ts';
import { AccountEventWatcher } from '../../jobs/events/account-event-watcher.ts';
import { readChangeLogs } from '../shared/change-logs.ts';
import { findConfiguredHub } from '../shared/configured-hub.ts';
import type { Tracer } from '../shared/tracing.ts';
import type { WebhookDeliverer } from './webhook-deliverer.ts';
import { readDocuments, readPortal } from '../shared/published-files.ts';
import { createThrottledErrorLog } from './throttled-error-log.ts';
import { toServerUrl } from '../shared/server-url.ts';

/** How long open requests have to finish after draining. */
const GRACE_MS = 10_000;
/** How long idle connections stay open after draining: a request that was sent already arrives within this time. */
const IDLE_MS = 500;

export type ApiServerOptions = {
  /** The URL of the database, and the `application_name` of its connections. */
  readonly url: string;
  readonly applicationName: string;
  readonly config: Config;
  readonly clock: () => Date;
  readonly log: AccessLog;
  /** Adds a source of metrics. */
  readonly addMetrics: (observe: Observe) => void;
  readonly webhooks: WebhookDeliverer;
  readonly tracing: Tracer;
  readonly hostname: string;
  /** 0 lets the operating system choose one. */
  readonly port: number;
  /** Runs the tasks that keep caches up to date. */
  readonly driver: BackgroundDriver;
};

/** A running HTTP server. */
export type ApiServer = {
  /** The port in use. */
  readonly port: number;
  /** Returns the present master data. */
  readonly masterData: () => LoadedMasterData;
  /** Serves for `waitMs` with `Connection: close`, then stops accepting and finishes open requests. */
  readonly drain: (waitMs: number) => Promise<void>;
  /** Closes caches and connection pools; call it after `drain`. */
  readonly release: () => Promise<void>;
};

/** Starts to serve requests from a migrated database. Several processes may share a port. */
export const startApiServer = async (
  db: Database,
  {
    url,
    applicationName,
    config,
    clock,
    log,
    addMetrics,
    webhooks,
    tracing,
    hostname,
    port: requestedPort,
    driver,
  }: ApiServerOptions,
): Promise<ApiServer> => {
  const { publicUrl } = config;
  const pool = { url, applicationName, queryTimeoutMs: config.queryTimeoutMs };
  const queryPool = openLimitedDatabase(pool);
  // Separate, so that keys can be checked while all query connections are busy.
  const authPool = openLimitedDatabase({ ...pool, max: 2 });
  const pageMetrics = config.cacheMegabytes > 0 ? createPageCacheMetrics() : undefined;
  if (pageMetrics) addMetrics(pageMetrics.observe);
  const pageCache = pageMetrics && {
    sql: openLimitedDatabase({ ...pool, max: 1 }),
    maxBytes: config.cacheMegabytes * 2 ** 20,
    observer: pageMetrics.observer,
  };
  const masterData = await startMasterDataCache(db, {
    read: (sql) => readWarmMasterData(sql, clock),
    onError: (error) => log.failure(error, clock(), 'master-data'),
    driver,
  });
  const connections = await watchConnections(db, {
    clock,
    onError: (error) => log.failure(error, clock(), 'connections'),
    driver,
  });
  const accountEvents = new AccountEventWatcher(db, {
    onError: createThrottledErrorLog((error) => log.failure(error, clock(), 'account events'), clock),
    driver,
  });
  const hub = await findConfiguredHub(config, db);
  const replicas = config.replicaUrls.map((replica) => openLimitedDatabase({ ...pool, url: replica }));
  const app = createApp({
    sql: queryPool,
    replicas: monitorReplicas(queryPool, {
      replicas,
      onError: createThrottledErrorLog((error) => log.failure(error, clock(), 'replicas'), clock),
    }),
    accessSql: authPool,
    accountEvents,
    masterData: masterData.current,
    getConnections: connections.current,
    getConnectionsById: connections.find,
    cursorSecret: await getOrCreateSecret(db, 'cursor'),
    mapSecret: await getOrCreateSecret(db, 'map'),
    clock,
    changes: readChangeLogs(),
    published: [...readDocuments(), ...readPortal(publicUrl ?? toServerUrl(hostname, requestedPort))],
    log,
    publicUrl,
    guard: webhooks.guard,
    deliverer: webhooks.deliverer,
    hub: hub?.giveAccess,
    pageCache,
    defaultLimits: config.limits,
    failedKeysPerMinute: config.limits.wrongKeysPerMinute,
    getClientId: createClientIdentifier(config.trustedProxies),
  });
  tracing.traceQueries(queryPool);
  const server = openHttpServer({
    fetch: tracing.wrapFetch(app),
    port: requestedPort,
    hostname,
    onRejected: logRejections(log, clock),
  });
  const { port } = await server.listening;
  return {
    port,
    masterData: masterData.current,
    drain: async (waitMs) => {
      await server.drain(waitMs);
      const closed = server.close(GRACE_MS, IDLE_MS);
      // Event streams stay open until they are stopped.
      await accountEvents.stop();
      await closed;
    },
    release: async () => {
      await connections.stop();
      await masterData.stop();
      const pools = [queryPool, authPool, ...(pageCache ? [pageCache.sql] : []), ...replicas];
      await Promise.all(pools.map((sql) => sql.end({ timeout: 1 })));
    },
  };
};
