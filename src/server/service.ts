import type { OpenAPIHono } from '@hono/zod-openapi';
import { Hono } from 'hono';
import { createSecretKey } from 'node:crypto';
import { catalog } from '#generated/catalog.ts';
import type { HubAccess, HubAccessRequest } from './delivery/hub/hub-access.ts';
import { createDeliverer, type Deliverer, type DelivererOptions } from './delivery/webhook/deliverer.ts';
import { createTargetGuard, type TargetGuard } from './delivery/webhook/target-guard.ts';
import type { PublishedConnections } from './domain/connections/set/connection-set.ts';
import { createKeyChecker, type FindKey } from './http/auth/api-keys.ts';
import { createFailedKeyLimiter } from './http/auth/failed-key-limiter.ts';
import { type AppOptions, createApp } from './app.ts';
import { PageCache, type PageCacheStatistics } from './http/cache/page-cache.ts';
import type { Env } from './http/context/env.ts';
import { HealthProber } from './http/handler/health.ts';
import { plainSecretBox, type SecretBox } from './lib/secret-box.ts';
import { createOutageLog } from './http/observability/outage-log.ts';
import { createFairQueues, type FairQueues } from './http/rate-limit/fair-admission.ts';
import { createRateLimiter, type RequestLimits } from './http/rate-limit/rate-limiter.ts';
import { BodyMemory } from './http/request/body-memory.ts';
import { SUBSCRIPTION_STREAMS } from './http/server/connection-limits.ts';
import { createPublishedPages, noPortal, type PublicPages } from './http/static/published-pages.ts';
import type { StaticFile } from './http/static/static-files.ts';
import type { SourcePrecedence } from './domain/status/source-precedence.ts';
import type { PlanDays } from './domain/status/plan-days.ts';
import type { LoadedMasterData } from './jobs/cache/master-data-cache.ts';
import { createPageChangeLog } from './jobs/cache/page-change-log.ts';
import { readLiveRegistry } from './jobs/sources/live-registry.ts';
import { listLiveAges } from './jobs/sources/live-status.ts';
import { createFeedStore } from './jobs/status/ingest/feed-store.ts';
import { AccountEventWatcher } from './jobs/events/account-event-watcher.ts';
import { EVENT_RETENTION_DAYS } from './jobs/retention/prune-events.ts';
import type { EventStreamDeps } from './products/flight-info-alerts/v1/shared/deps.ts';
import { findFlightMapSource } from './products/flight-info/v2/map/find-map-source.ts';
import { FLIGHT_MAP_PATH, createFlightMapHandler } from './products/flight-info/v2/map/flight-map-handler.ts';
import { cacheMapPages } from './products/flight-info/v2/map/map-page-cache.ts';
import { openMapRenderer } from './products/flight-info/v2/map/map-renderer.ts';
import { createMcpPage } from './mcp/mcp-page.ts';
import { assertOperationsBound } from './http/handler/mounted-operations.ts';
import { createVersions, type ProductDeps } from './products/register.ts';
import type { ObjectLimits } from './store/access/object-limits.ts';
import { reserveRequests } from './store/access/rate-limit-windows.ts';
import { findKey } from './store/access/subscription-keys.ts';
import type { Database } from './store/pool/database.ts';
import { isOverloaded, isUnavailable, isUnreachable, isWriteFailure } from './store/pool/driver/driver.ts';

type EventLimits = Omit<EventStreamDeps, 'waitForEvents' | 'isStopped'>;

/** The heartbeat is well below the 30 s after which common proxies close a silent connection. */
const defaultEventLimits: EventLimits = {
  retentionDays: EVENT_RETENTION_DAYS,
  maxOpen: 10,
  maxOpenOfSubscription: SUBSCRIPTION_STREAMS,
  maxOpenOfProcess: 0,
  maxWaitMs: 30_000,
  heartbeatMs: 15_000,
  // With the five seconds of a cached key, waits end within ten seconds of the revocation.
  recheckMs: 4_000,
  stallMs: 60_000,
  previewMs: 2_000,
};

export type PageCacheSettings = {
  /** A pool of one connection for the queries of changes, so that other queries do not delay them. */
  readonly sql: Database;
  /** Memory for pages, bytes. */
  readonly maxBytes: number;
  /** How long pages are served after a check for changes, milliseconds; 0, the default, checks for each request. */
  readonly leaseMs?: number | undefined;
  readonly statistics?: PageCacheStatistics | undefined;
};

/** The options of the application that a service passes on. */
type PassedOptions = Pick<
  AppOptions,
  | 'log'
  | 'onProxyNoticed'
  | 'replicas'
  | 'primary'
  | 'staleness'
  | 'loadShedder'
  | 'masterDataLease'
  | 'isTraced'
  | 'getClientId'
  | 'publicUrl'
>;

export type ServiceOptions = PassedOptions & {
  readonly sql: Database;
  /** Database for keys and rate limits; `sql` by default. */
  readonly accessSql?: Database | undefined;
  /** Checks the database for health operations; by default over `sql`. */
  readonly health?: HealthProber | undefined;
  /** Returns the current master data. */
  readonly masterData: () => LoadedMasterData;
  /** Returns the current set of connections, or undefined before the first one is built. */
  readonly getConnections?: (() => PublishedConnections | undefined) | undefined;
  /** Returns a set of connections that is still loaded, by its ID. */
  readonly getConnectionsById?: ((id: number) => PublishedConnections | undefined) | undefined;
  readonly cursorSecret: Buffer;
  /** Encrypts the secrets of endpoints; by default they are stored as they are. */
  readonly secrets?: SecretBox | undefined;
  /** Signs the links to flight maps. */
  readonly mapSecret: Buffer;
  readonly clock: () => Date;
  /** Text of the CHANGES.md of each product, by its name. */
  readonly changes?: Readonly<Record<string, string>> | undefined;
  /** Public files: the live page below `/live/`, documents below `/openapi/`, `/asyncapi/` and `/recipes/`. */
  readonly published?: readonly StaticFile[] | undefined;
  /** Returns the portal below `/docs/`, or no files until it is built. */
  readonly portal?: (() => readonly StaticFile[]) | undefined;
  /** What the tools at `/mcp` may do; by default the path does not exist. */
  readonly mcp?: 'read' | 'write' | undefined;
  /** Watches for new events of accounts; by default a watcher that listens from the first request until `sql` is closed. */
  readonly accountEvents?: AccountEventWatcher | undefined;
  /** Limits of accounts, alerts and endpoints of a subscription; by default there are none. */
  readonly objectLimits?: ObjectLimits | undefined;
  /** Limits of event streams that differ from the default. */
  readonly eventLimits?: Partial<EventLimits> | undefined;
  /** Decides where events may be sent; by default to public addresses only. */
  readonly guard?: TargetGuard | undefined;
  /** Sends test events to push endpoints. */
  readonly deliverer?: Pick<Deliverer, 'deliver'> | undefined;
  /** Grants access to the hub; by default there is none. */
  readonly hub?: ((request: HubAccessRequest) => Promise<HubAccess>) | undefined;
  /** Cache of flight pages; by default there is none. */
  readonly pageCache?: PageCacheSettings | undefined;
  /** How long servers may serve pages from before a commit, milliseconds; by default 0. */
  readonly cacheLeaseMs?: number | undefined;
  /** Makes requests wait for a turn of their subscription; by default a queue with the limits of a server. */
  readonly fairQueues?: FairQueues | undefined;
  /** Memory for bodies that arrive; by default that of a server. */
  readonly bodyMemory?: BodyMemory | undefined;
  /** How far from today plans in status messages can create days. */
  readonly planDays?: PlanDays | undefined;
  /** Which sources of status messages have precedence. */
  readonly precedence?: SourcePrecedence | undefined;
  /** Limits of subscriptions without limits of their own. */
  readonly defaultLimits?: RequestLimits | undefined;
  /** Invalid keys per client and minute before it is blocked; 0 means no limit. */
  readonly failedKeysPerMinute?: number | undefined;
};

/** Creates the deliverer when it is first used: loading the trusted certificate authorities takes a while. */
const createLazyDeliverer = (options: DelivererOptions): Pick<Deliverer, 'deliver'> => {
  let deliverer: Deliverer | undefined;
  return { deliver: (endpoint, event) => (deliverer ??= createDeliverer(options)).deliver(endpoint, event) };
};

/** Creates the pages for people: flight maps, portal, documents and API catalog. */
const createPages = (
  { sql, masterDataIndex, mapSecret }: Pick<ProductDeps, 'sql' | 'masterDataIndex' | 'mapSecret'>,
  {
    published = [],
    portal,
    changes = {},
    publicUrl,
  }: Pick<ServiceOptions, 'published' | 'portal' | 'changes' | 'publicUrl'>,
): readonly PublicPages[] => {
  const flightMap = createFlightMapHandler({
    secret: mapSecret,
    findSource: (reference) => findFlightMapSource(reference, { sql, masterDataIndex: masterDataIndex() }),
    renderPage: cacheMapPages(openMapRenderer().render),
  });
  return [
    { prefixes: [FLIGHT_MAP_PATH], app: new Hono<Env>().all(`${FLIGHT_MAP_PATH}:token`, flightMap) },
    createPublishedPages({ catalog, files: published, portal, changes, publicUrl: publicUrl?.replace(/\/+$/, '') }),
  ];
};

/** Creates the cache of flight pages. */
const createFlightPageCache = (
  { sql, leaseMs, maxBytes, statistics }: PageCacheSettings,
  { masterData, clock }: Pick<ServiceOptions, 'masterData' | 'clock'>,
): PageCache =>
  new PageCache({ changes: createPageChangeLog(sql, leaseMs, clock), getDependency: masterData, maxBytes, statistics });

/** Creates the query for keys. While the primary is unreachable, a replica is queried; that it lacks a key proves nothing. */
const createKeyQuery =
  (sql: Database, primary: ServiceOptions['primary']): FindKey =>
  async (hash) => {
    try {
      return await findKey(sql, hash);
    } catch (error) {
      const replica = await primary?.findReplica(error);
      const record = replica && (await findKey(replica.sql, hash));
      if (!record) throw error;
      return record;
    }
  };

/** The products that receive data, with their titles. */
const ingestProducts = new Map(catalog.flatMap(({ product, title, isIngest }) => (isIngest ? [[product, title]] : [])));

/** Creates the service over a database: the products with what they depend on, in the application of app.ts. */
export const createService = (options: ServiceOptions): OpenAPIHono<Env> => {
  const { sql, accessSql = sql, masterData, clock, log, pageCache } = options;
  const {
    accountEvents = new AccountEventWatcher(sql, { onError: (error) => log.failure(error, clock(), 'account events') }),
    guard = createTargetGuard(),
    deliverer = createLazyDeliverer({ guard, now: clock }),
  } = options;
  const deps: ProductDeps = {
    sql,
    health: options.health ?? new HealthProber(sql),
    masterDataIndex: () => masterData().masterDataIndex,
    masterRecords: () => masterData().records,
    feedSources: readLiveRegistry,
    listFeedAges: (read) => listLiveAges(read, clock()),
    connections: options.getConnections ?? (() => undefined),
    connectionsById: options.getConnectionsById ?? (() => undefined),
    cursorSecret: createSecretKey(options.cursorSecret),
    secrets: options.secrets ?? plainSecretBox,
    mapSecret: options.mapSecret,
    clock,
    objectLimits: options.objectLimits ?? { accounts: 0, alerts: 0, endpoints: 0 },
    guard,
    deliverer,
    hub: options.hub,
    storeFeed: createFeedStore({
      db: sql,
      getMasterDataIndex: () => masterData().masterDataIndex,
      clock,
      planDays: options.planDays,
      precedence: options.precedence,
    }),
    cacheLeaseMs: options.cacheLeaseMs ?? 0,
    events: {
      ...defaultEventLimits,
      ...options.eventLimits,
      waitForEvents: (wait, signal) => accountEvents.waitForEvents(wait, signal),
      isStopped: () => accountEvents.isStopped(),
    },
  };
  const checkKey = createKeyChecker({
    findKey: createKeyQuery(accessSql, options.primary),
    isUnavailable,
    clock,
    ingestProducts,
    failedKeys: createFailedKeyLimiter(clock, options.failedKeysPerMinute),
  });
  const admitRequest = createRateLimiter({
    reserveRequests: (request) =>
      reserveRequests(accessSql, request).catch((error: unknown) => {
        // Reads go on while the database cannot be written, or another process takes it over.
        if (!isWriteFailure(error) && !isUnreachable(error)) throw error;
        return undefined;
      }),
    clock,
    defaults: options.defaultLimits,
  });
  const fairQueues = options.fairQueues ?? createFairQueues();
  const bodyMemory = options.bodyMemory ?? new BodyMemory();
  const mcp =
    options.mcp &&
    createMcpPage({
      fetch: (request) => app.fetch(request),
      checkKey,
      admitRequest,
      fairQueues,
      bodyMemory,
      getClientId: options.getClientId,
      files: options.published ?? [],
      portal: options.portal ?? noPortal,
      canWrite: options.mcp === 'write',
      clock,
      publicUrl: options.publicUrl,
    });
  const versions = createVersions(deps);
  assertOperationsBound(catalog, versions);
  const app: OpenAPIHono<Env> = createApp({
    catalog,
    versions,
    pages: [...createPages(deps, options), ...(mcp ? [mcp] : [])],
    checkKey,
    getClientId: options.getClientId,
    admitRequest,
    masterDataLease: options.masterDataLease,
    flightPageCache: pageCache && createFlightPageCache(pageCache, options),
    replicas: options.replicas,
    primary: options.primary,
    staleness: options.staleness,
    clock,
    log,
    isTraced: options.isTraced,
    isUnavailable,
    isOverloaded,
    logOutage: createOutageLog({ log, clock, isOutage: isUnreachable }),
    loadShedder: options.loadShedder,
    fairQueues,
    bodyMemory,
    publicUrl: options.publicUrl,
    onProxyNoticed: options.onProxyNoticed,
  });
  return app;
};
