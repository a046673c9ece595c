import { createService, type ServiceOptions } from '#service.ts';
import type { Config } from '#config.ts';
import type { SecretBox } from '#lib/secret-box.ts';
import { releaseOnError } from '#lib/release-on-error.ts';
import type { AccessLog } from '#http/observability/access-log.ts';
import { createClientIdentifier } from '#http/auth/client-address.ts';
import { createPageCacheMetrics } from '#http/cache/page-cache.ts';
import { HealthProber } from '#http/handler/health.ts';
import { createFairQueues } from '#http/rate-limit/fair-admission.ts';
import { LoadShedder } from '#http/rate-limit/load-shedder.ts';
import { logRejections } from '#http/server/rejected-requests.ts';
import { getMaxStreams } from '#http/server/connection-limits.ts';
import { openHttpServer } from '#http/server/server.ts';
import { connectAhead, openLimitedDatabase, type Database, type LimitedDatabase } from '#store/pool/database.ts';
import { getOrCreateSecret } from '#store/access/secrets.ts';
import { createCounter, type Observe } from '#telemetry/metric.ts';
import { watchConnections, type ConnectionsWatch } from '#jobs/connections/watch-connections.ts';
import { startLeasedMasterData, type LeasedMasterData } from '#jobs/cache/leased-master-data.ts';
import type { LoadedMasterData } from '#jobs/cache/master-data-cache.ts';
import type { BackgroundDriver } from '#jobs/driver.ts';
import { PrimaryWatch } from '#jobs/cache/primary-watch.ts';
import { monitorReplicas } from '#jobs/cache/replica-monitor.ts';
import { AccountEventWatcher } from '#jobs/events/account-event-watcher.ts';
import { readChangeLogs } from '../shared/change-logs.ts';
import { formatProxyWarning } from '../shared/deployment-findings.ts';
import { findConfiguredHub } from '../shared/configured-hub.ts';
import type { Tracing } from '../shared/tracing.ts';
import type { WebhookDeliverer } from './webhook-deliverer.ts';
import { findDemoKey } from '#store/access/demo-key.ts';
import { readLivePage } from '../shared/live-page.ts';
import { createPortalReader, readDocuments } from '../shared/published-files.ts';
import { createThrottledErrorLog } from './throttled-error-log.ts';
import { toServerUrl } from '../shared/server-url.ts';

/** How long open requests have to finish after draining. */
const GRACE_MS = 10_000;
/** How long idle connections stay open after draining: a request that was sent already arrives within this time. */
const IDLE_MS = 500;
/** Shorter than the time after which a health check fails, so that the next one does not wait behind it, milliseconds. */
const HEALTH_QUERY_TIMEOUT_MS = 1500;

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
  readonly tracing: Tracing;
  readonly hostname: string;
  /** 0 lets the operating system choose one. */
  readonly port: number;
  /** Runs the tasks that keep caches up to date. */
  readonly driver: BackgroundDriver;
  /** Encrypts and decrypts the secrets of the store. */
  readonly secrets: SecretBox;
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

/** The options with the stack of what has been opened. */
type OpeningOptions = ApiServerOptions & { readonly opened: AsyncDisposableStack };

/** The connection pools for requests. */
type RequestPools = {
  readonly queries: LimitedDatabase;
  /** Separate, so that keys can be checked while all query connections are busy. */
  readonly access: LimitedDatabase;
  /** Separate, so that health does not wait behind requests. */
  readonly health: Database;
  /** For the page cache; undefined without one. */
  readonly pageChanges: LimitedDatabase | undefined;
  /** For the checks of the primary, so that requests do not delay them. */
  readonly watch: LimitedDatabase;
  readonly replicas: readonly LimitedDatabase[];
};

const openRequestPools = ({ url, applicationName, config }: ApiServerOptions): RequestPools => {
  const pool = { url, applicationName, queryTimeoutMs: config.queryTimeoutMs };
  return {
    queries: openLimitedDatabase(pool),
    access: openLimitedDatabase({ ...pool, max: 2 }),
    health: openLimitedDatabase({ ...pool, max: 1, queryTimeoutMs: HEALTH_QUERY_TIMEOUT_MS }),
    pageChanges: config.cacheMegabytes > 0 ? openLimitedDatabase({ ...pool, max: 1 }) : undefined,
    watch: openLimitedDatabase({ ...pool, max: 1, queryTimeoutMs: HEALTH_QUERY_TIMEOUT_MS }),
    replicas: config.replicaUrls.map((replica) => openLimitedDatabase({ ...pool, url: replica })),
  };
};

/** Returns the pools of requests, without that of health checks. */
const listQueryPools = ({
  queries,
  access,
  pageChanges,
  watch,
  replicas,
}: RequestPools): readonly LimitedDatabase[] => [
  queries,
  access,
  watch,
  ...(pageChanges ? [pageChanges] : []),
  ...replicas,
];

const listRequestPools = (pools: RequestPools): readonly Database[] => [...listQueryPools(pools), pools.health];

const closeRequestPools = async (pools: RequestPools): Promise<void> => {
  await Promise.all(listRequestPools(pools).map((sql) => sql.end({ timeout: 1 })));
};

/** What a process keeps in memory for requests, updated by tasks of its driver. */
type RequestCaches = {
  readonly masterData: LeasedMasterData;
  readonly connections: ConnectionsWatch;
  readonly accountEvents: AccountEventWatcher;
};

const startRequestCaches = async (
  db: Database,
  { access }: RequestPools,
  { config, clock, log, driver, opened }: OpeningOptions,
): Promise<RequestCaches> => {
  const masterData = await startLeasedMasterData(db, {
    versionSql: access,
    leaseMs: config.cacheLeaseMs,
    clock,
    onError: (error) => log.failure(error, clock(), 'master-data'),
    driver,
  });
  opened.defer(masterData.stop);
  const connections = await watchConnections(db, {
    clock,
    onError: (error) => log.failure(error, clock(), 'connections'),
    driver,
  });
  opened.defer(connections.stop);
  const accountEvents = new AccountEventWatcher(db, {
    onError: createThrottledErrorLog((error) => log.failure(error, clock(), 'account events'), clock),
    driver,
  });
  return { masterData, connections, accountEvents };
};

/** Returns the settings of the page cache, whose metrics are added; undefined without a page cache. */
const createPageCacheSettings = (
  sql: Database | undefined,
  { config, addMetrics }: ApiServerOptions,
): ServiceOptions['pageCache'] => {
  if (!sql) return undefined;
  const { observe, statistics } = createPageCacheMetrics();
  addMetrics(observe);
  return { sql, maxBytes: config.cacheMegabytes * 2 ** 20, leaseMs: config.cacheLeaseMs, statistics };
};

/** What reads need while the primary is away. */
type OutageReads = Required<Pick<ServiceOptions, 'replicas' | 'staleness'>> & { readonly primary: PrimaryWatch };

/** Starts to watch the primary; counts the responses without it. */
const startOutageReads = async (
  { queries, watch, replicas: replicaPools }: RequestPools,
  masterData: LeasedMasterData,
  { config, clock, log, driver, addMetrics, opened }: OpeningOptions,
): Promise<OutageReads> => {
  const logError = createThrottledErrorLog((error) => log.failure(error, clock(), 'replicas'), clock);
  const replicas = monitorReplicas(queries, {
    replicas: replicaPools,
    onError: logError,
    leaseMs: config.cacheLeaseMs,
  });
  const maxStalenessMs = config.readStalenessSeconds * 1000;
  const onConfirmed = async (): Promise<void> => {
    if (!masterData.isCaughtUp()) await masterData.catchUp();
  };
  const primary = new PrimaryWatch(watch, { replicas, maxStalenessMs, clock, onConfirmed });
  const { stop } = await driver.start('watch-primary', { run: () => primary.check(), onError: logError });
  opened.defer(stop);
  let staleResponses = 0;
  addMetrics(() => [
    createCounter(
      'flightdata_stale_responses_total',
      'Responses from a replica or a cache while the primary database was unreachable',
      staleResponses,
    ),
  ]);
  const onStale = (): void => {
    staleResponses += 1;
  };
  const isOutage = (error: unknown): boolean => primary.isOutage(error);
  return { replicas, primary, staleness: { maxStalenessMs, isOutage, onStale } };
};

type RequestResources = RequestCaches & { readonly pools: RequestPools; readonly outage: OutageReads };

/** Returns the options of the app as the configuration says. */
const createServiceOptions = async (
  db: Database,
  options: ApiServerOptions,
  { pools, masterData, connections, accountEvents, outage }: RequestResources,
): Promise<ServiceOptions> => {
  const { config, clock, log, webhooks, hostname, port, secrets } = options;
  const { publicUrl } = config;
  const hub = await findConfiguredHub(config, db, secrets);
  const publicKey = await findDemoKey(db);
  return {
    sql: pools.queries,
    replicas: outage.replicas,
    primary: outage.primary,
    staleness: outage.staleness,
    accessSql: pools.access,
    health: new HealthProber(pools.health, { isAway: pools.queries.isAway, primary: outage.primary }),
    accountEvents,
    masterData: masterData.current,
    masterDataLease: masterData,
    getConnections: connections.current,
    getConnectionsById: connections.find,
    cursorSecret: await getOrCreateSecret(db, secrets, 'cursor'),
    mapSecret: await getOrCreateSecret(db, secrets, 'map'),
    secrets,
    clock,
    changes: readChangeLogs(),
    published: [
      ...readDocuments(config.hub?.publicUrl ?? config.hub?.url),
      ...(config.hasLivePage ? readLivePage(publicKey) : []),
    ],
    portal: createPortalReader(publicUrl ?? toServerUrl(hostname, port), undefined, publicKey),
    mcp: config.mcp,
    log,
    publicUrl,
    onProxyNoticed: (header) => void process.stderr.write(formatProxyWarning(header)),
    guard: webhooks.guard,
    deliverer: webhooks.deliverer,
    hub: hub?.provisionAccess,
    pageCache: createPageCacheSettings(pools.pageChanges, options),
    cacheLeaseMs: config.cacheLeaseMs,
    defaultLimits: config.limits,
    planDays: config.planDays,
    precedence: config.precedence,
    fairQueues: createFairQueues(() => listQueryPools(pools).some(({ isStalled }) => isStalled())),
    eventLimits: {
      maxOpenOfSubscription: config.limits.streams,
      maxOpenOfProcess: config.limits.processStreams ?? getMaxStreams(),
    },
    objectLimits: config.limits,
    failedKeysPerMinute: config.limits.wrongKeysPerMinute,
    getClientId: createClientIdentifier(config.trustedProxies),
    isTraced: options.tracing.isTraced,
  };
};

const openApiServer = async (db: Database, options: OpeningOptions): Promise<ApiServer> => {
  const { clock, log, tracing, hostname, opened } = options;
  const pools = openRequestPools(options);
  opened.defer(() => closeRequestPools(pools));
  // On a busy machine, the first request would otherwise wait for the connections of several pools, one after the other, and get a 503.
  const connected = Promise.all(listRequestPools(pools).map(connectAhead));
  const caches = await startRequestCaches(db, pools, options);
  await connected;
  const outage = await startOutageReads(pools, caches.masterData, options);
  const loadShedder = new LoadShedder();
  const app = createService({
    ...(await createServiceOptions(db, options, { pools, outage, ...caches })),
    loadShedder,
  });
  tracing.traceQueries(pools.queries);
  const server = openHttpServer({
    fetch: app.fetch,
    port: options.port,
    hostname,
    onRejected: logRejections(log, clock),
    onConnection: () => loadShedder.onConnection(),
    publicUrl: options.config.publicUrl,
  });
  const { masterData, accountEvents } = caches;
  return {
    port: (await server.listening).port,
    masterData: masterData.current,
    drain: async (waitMs) => {
      await server.drain(waitMs);
      const closed = server.close(GRACE_MS, IDLE_MS);
      // Event streams stay open until they are stopped.
      await accountEvents.stop();
      await closed;
    },
    release: () => opened.disposeAsync(),
  };
};

/** Starts to serve requests from a migrated database. Several processes may share a port. A start that fails leaves nothing open. */
export const startApiServer = (db: Database, options: ApiServerOptions): Promise<ApiServer> =>
  releaseOnError((opened) => openApiServer(db, { ...options, opened }));
