import { createSecretKey } from 'node:crypto';
import { catalog } from '../generated/catalog.ts';
import type { PublishedConnections } from './domain/connections/set/connection-set.ts';
import type { Directory } from './domain/master-data/directory.ts';
import type { RequestLimits } from './http/rate-limit/request-limits.ts';
import { createDeliverer, type Deliverer, type DelivererOptions } from './delivery/webhook/deliverer.ts';
import type { HubAccess, HubAccessRequest } from './delivery/hub/hub-access.ts';
import { createTargetGuard, type TargetGuard } from './delivery/webhook/target-guard.ts';
import type { AccessLog } from './http/observability/access-log.ts';
import type { GetClientId } from './http/auth/client-address.ts';
import { withReplicas, type ReplicaHandler } from './http/cache/replica-routing.ts';
import { createRouter } from './http/router/router.ts';
import type { RequestHandler } from './http/handler/api.ts';
import type { FetchHandler } from './http/request/fetch-handler.ts';
import { createKeyChecker } from './http/auth/api-keys.ts';
import { createPageCache, type PageCacheObserver } from './http/cache/page-cache.ts';
import { createRateLimiter } from './http/rate-limit/rate-limiter.ts';
import type { RequestContext } from './http/request/request-context.ts';
import { createFailedKeyLimiter } from './http/auth/failed-key-limiter.ts';
import { createPublishedPages } from './http/static/published-pages.ts';
import type { StaticFile } from './http/static/static-files.ts';
import { findFlightMapSource } from './products/flight-info/v2/map/find-map-source.ts';
import { FLIGHT_MAP_PATH, createFlightMapHandler } from './products/flight-info/v2/map/flight-map-handler.ts';
import { cacheMapPages } from './products/flight-info/v2/map/map-page-cache.ts';
import { openMapRenderer } from './products/flight-info/v2/map/map-renderer.ts';
import type { EventStreamDeps } from './products/flight-info-alerts/v1/shared/deps.ts';
import { createProductApis, type ProductDeps } from './products/register.ts';
import type { Database } from './store/pool/database.ts';
import { acquireAllowance } from './store/access/rate-limit-windows.ts';
import { findKey } from './store/access/subscription-keys.ts';
import { isUnavailable } from './store/pool/driver/driver.ts';
import { createPageChangeLog } from './jobs/cache/page-change-log.ts';
import type { MonitoredReplica } from './jobs/cache/replica-monitor.ts';
import { RETENTION_DAYS } from './jobs/retention/prune-events.ts';
import type { MasterData } from './jobs/cache/master-data-cache.ts';
import { AccountEventWatcher } from './jobs/events/account-event-watcher.ts';

type EventLimits = Omit<EventStreamDeps, 'waitForEvents' | 'isStopped'>;

/** A stream of an account tells each 15 s that it lives: proxies commonly cut what is silent for 30 s or more. */
const eventLimits: EventLimits = {
  retentionDays: RETENTION_DAYS,
  maxOpen: 10,
  maxWaitMs: 30_000,
  heartbeatMs: 15_000,
  recheckMs: 30_000,
  stallMs: 60_000,
  previewMs: 2_000,
};

export type PageCacheSettings = {
  /** Where it is asked what changed: a pool of one connection, which nothing else makes wait. */
  readonly sql: Database;
  /** Memory for pages, bytes. */
  readonly maxBytes: number;
  readonly observer?: PageCacheObserver | undefined;
};

export type AppOptions = {
  readonly sql: Database;
  /** Where it is asked who may ask: keys and limits; `sql` by default. */
  readonly accessSql?: Database | undefined;
  /** Master data as they are now. */
  readonly masterData: () => MasterData;
  /** The set of connections that is served now; undefined while there is none. */
  readonly connections?: (() => PublishedConnections | undefined) | undefined;
  /** A set that is still kept, by its number. */
  readonly connectionsById?: ((id: number) => PublishedConnections | undefined) | undefined;
  readonly cursorSecret: Buffer;
  /** Signs the links to maps. */
  readonly mapSecret: Buffer;
  readonly clock: () => Date;
  /** What subscribers must know of each product, by its name: the text of its CHANGES.md. */
  readonly changes?: Readonly<Record<string, string>> | undefined;
  /** What anyone may read: the portal below `/docs/`, documents below `/openapi/` and `/asyncapi/`. */
  readonly published?: readonly StaticFile[] | undefined;
  readonly log: AccessLog;
  readonly publicUrl?: string | undefined;
  /** Tells of new events of accounts; by default one that listens from the first question on until `sql` ends. */
  readonly accountEvents?: AccountEventWatcher | undefined;
  /** How events are read; what is left out is as in service. */
  readonly eventReading?: Partial<EventLimits> | undefined;
  /** Says where events may be sent; by default to public receivers alone. */
  readonly guard?: TargetGuard | undefined;
  /** Sends tests to receivers. */
  readonly deliverer?: Pick<Deliverer, 'deliver'> | undefined;
  /** Gives access to the hub; by default there is none. */
  readonly hub?: ((wanted: HubAccessRequest) => Promise<HubAccess>) | undefined;
  /** Copies of the database that answer what only reads it; by default there are none. */
  readonly replicas?: readonly MonitoredReplica[] | undefined;
  /** How pages of flights are kept; by default none are. */
  readonly pageCache?: PageCacheSettings | undefined;
  /** How long a key is believed before the store is asked again, milliseconds. */
  readonly keyTtlMs?: number | undefined;
  /** What subscriptions may ask for whom nothing else is set; by default as in service. */
  readonly limits?: RequestLimits | undefined;
  /** Tells callers apart, to count their wrong keys; by default they cannot be. */
  readonly getClientId?: GetClientId | undefined;
  /** How many wrong keys a minute of one caller are answered as such; 0 stands for any number. */
  readonly failedKeysPerMinute?: number | undefined;
};

/** Made when it is first needed: reading the authorities that are trusted takes a while. */
const lazyDeliverer = (settings: DelivererOptions): Pick<Deliverer, 'deliver'> => {
  let made: Deliverer | undefined;
  return { deliver: (endpoint, event) => (made ??= createDeliverer(settings)).deliver(endpoint, event) };
};

/** What replicas answer: flights and schedules. Health is that of the store itself; the rest is in memory, or changes. */
const isRead = ({ product, path }: RequestContext): boolean =>
  (product === 'flight-info' || product === 'schedules') && !path.endsWith('/health');

/** The whole service as one function from request to answer. */
export const createApp = ({
  sql,
  accessSql: doorSql = sql,
  masterData,
  connections = () => undefined,
  connectionsById = () => undefined,
  cursorSecret,
  mapSecret,
  clock,
  changes = {},
  published = [],
  log,
  accountEvents = new AccountEventWatcher(sql, { onError: (error) => log.failure(error, clock(), 'account events') }),
  eventReading,
  publicUrl,
  guard = createTargetGuard(),
  deliverer = lazyDeliverer({ guard, now: clock }),
  hub,
  replicas = [],
  pageCache,
  keyTtlMs,
  limits,
  getClientId: callerOf,
  failedKeysPerMinute: wrongKeysPerMinute,
}: AppOptions): FetchHandler => {
  const directory = (): Directory => masterData().directory;
  const deps: ProductDeps = {
    sql,
    directory,
    masterRecords: () => masterData().records,
    connections,
    connectionsById,
    cursorSecret: createSecretKey(cursorSecret),
    mapSecret,
    clock,
    guard,
    deliverer,
    hub,
    events: {
      ...eventLimits,
      ...eventReading,
      waitForEvents: (wait, signal) => accountEvents.waitForEvents(wait, signal),
      isStopped: () => accountEvents.isStopped(),
    },
  };
  const apis = createProductApis(deps);
  const copies = replicas.map((replica) => ({ ...replica, apis: createProductApis({ ...deps, sql: replica.sql }) }));
  /** Those that answer in place of the app of an address. */
  const copiesAt = (address: string): readonly ReplicaHandler[] =>
    copies.flatMap(({ apis: { [address]: api }, isUpToDate, reportFailure }) =>
      api ? [{ handle: api.handle, isUpToDate, reportFailure }] : [],
    );
  const kept = pageCache
    ? createPageCache({
        changes: createPageChangeLog(pageCache.sql),
        getDependency: masterData,
        maxBytes: pageCache.maxBytes,
        observer: pageCache.observer,
        isCacheable: ({ product, path }) => product === 'flight-info' && path === '/flight-instances',
      })
    : (app: RequestHandler) => app;
  return createRouter({
    catalog,
    handlers: Object.fromEntries(
      Object.entries(apis).map(([address, api]) => [
        address,
        kept(withReplicas(copiesAt(address), isRead)(api.handle)),
      ]),
    ),
    pages: [
      {
        path: FLIGHT_MAP_PATH,
        respond: createFlightMapHandler({
          secret: mapSecret,
          findSource: (reference) => findFlightMapSource(reference, { sql, directory: directory() }),
          renderPage: cacheMapPages(openMapRenderer().render),
        }),
      },
      ...createPublishedPages({ catalog, files: published, changes, publicUrl }),
    ],
    checkKey: createKeyChecker({
      findKey: (hash) => findKey(doorSql, hash),
      isUnavailable,
      clock,
      failedKeys: createFailedKeyLimiter(clock, wrongKeysPerMinute),
      ...(keyTtlMs !== undefined && { ttlMs: keyTtlMs }),
    }),
    getClientId: callerOf,
    admitRequest: createRateLimiter({
      acquireAllowance: (wanted) => acquireAllowance(doorSql, wanted),
      clock,
      defaults: limits,
    }),
    clock,
    log,
    isUnavailable,
    publicUrl,
  });
};
