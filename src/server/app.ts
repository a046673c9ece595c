import { OpenAPIHono } from '@hono/zod-openapi';
import type { CheckKey } from './http/auth/api-keys.ts';
import type { GetClientId } from './http/auth/client-address.ts';
import type { PageCache } from './http/cache/page-cache.ts';
import type { Env, Staleness } from './http/context/env.ts';
import { accessLog } from './http/middleware/access-log.ts';
import { fairAdmission } from './http/middleware/fair-admission.ts';
import { inOrder } from './http/middleware/in-order.ts';
import { loadShedding } from './http/middleware/load-shedding.ts';
import { masterDataLease, type MasterDataLease } from './http/middleware/master-data-lease.ts';
import { mediaType } from './http/middleware/media-type.ts';
import { notFound } from './http/middleware/not-found.ts';
import { onError, type ErrorHandlerOptions } from './http/middleware/on-error.ts';
import { pageCache } from './http/middleware/page-cache.ts';
import { pagePaths } from './http/middleware/page-paths.ts';
import { parsedQuery } from './http/middleware/parsed-query.ts';
import { rateLimit } from './http/middleware/rate-limit.ts';
import { replicaReads, type PrimaryState, type Replica } from './http/middleware/replica-reads.ts';
import { parseBody, receiveBody } from './http/middleware/request-body.ts';
import { requestId } from './http/middleware/request-id.ts';
import { representation } from './http/middleware/representation.ts';
import { responseHeaders } from './http/middleware/response-headers.ts';
import { selection } from './http/middleware/selection.ts';
import { keyRecheck, subscriptionKey } from './http/middleware/subscription-key.ts';
import { tracing } from './http/middleware/tracing.ts';
import { unknownParameters } from './http/middleware/unknown-parameters.ts';
import { versioning } from './http/middleware/versioning.ts';
import type { AccessLog } from './http/observability/access-log.ts';
import type { FairQueues } from './http/rate-limit/fair-admission.ts';
import type { LoadShedder } from './http/rate-limit/load-shedder.ts';
import type { AdmitRequest } from './http/rate-limit/rate-limiter.ts';
import { BodyMemory } from './http/request/body-memory.ts';
import { ParameterNames } from './http/request/unknown-parameters.ts';
import { createPipeline } from './http/handler/pipeline.ts';
import {
  listMountedOperations,
  type MountedOperation,
  type ProductVersions,
} from './http/handler/mounted-operations.ts';
import { OperationSelector, PAGES, VERSIONS } from './http/router/select-operation.ts';
import type { CatalogProduct } from './http/router/version-lifecycle.ts';
import type { PublicPages } from './http/static/published-pages.ts';

export type AppOptions = ErrorHandlerOptions & {
  readonly catalog: readonly CatalogProduct[];
  readonly versions: ProductVersions;
  /** Pages for people, outside the contract. */
  readonly pages?: readonly PublicPages[] | undefined;
  readonly checkKey: CheckKey;
  /** The time, which the mock moves for a single request. */
  readonly clock: (request: Request) => Date;
  readonly log: AccessLog;
  /** Identifies clients, to count their invalid keys; by default clients are not distinguished. */
  readonly getClientId?: GetClientId | undefined;
  /** Limits the requests of subscriptions; by default there are no limits. */
  readonly admitRequest?: AdmitRequest | undefined;
  /** Makes requests wait for the processor; by default they do not wait. */
  readonly loadShedder?: LoadShedder | undefined;
  /** Makes requests wait for a turn of their subscription; by default they do not wait. */
  readonly fairQueues?: FairQueues | undefined;
  /** The memory of bodies, where something else receives some too; by default that of a process. */
  readonly bodyMemory?: BodyMemory | undefined;
  /** Whether requests are spans of the registered OpenTelemetry SDK; by default nothing is traced. */
  readonly isTraced?: boolean | undefined;
  /** Makes requests wait until the master data are current; by default they do not wait. */
  readonly masterDataLease?: MasterDataLease | undefined;
  /** Cache of flight pages; by default there is none. */
  readonly flightPageCache?: PageCache | undefined;
  /** Read replicas of the database; by default there are none. */
  readonly replicas?: readonly Replica[] | undefined;
  /** The state of the primary database, and replicas for reads while it is away; by default reads need the primary. */
  readonly primary?: PrimaryState | undefined;
  /** How old data may be in responses while the primary is away; by default there are no such responses. */
  readonly staleness?: Staleness | undefined;
  /** Called once, with the header of the first request that came through a proxy although there is no `publicUrl`. */
  readonly onProxyNoticed?: ((header: string) => void) | undefined;
};

const isAny = (): boolean => true;
const isKeyed = ({ operation }: MountedOperation): boolean => !operation.isPublic;
/** HEAD requests find the handlers of GET. */
const isRead = (one: MountedOperation): boolean => isKeyed(one) && one.method === 'GET';
/** Whether a response can stay open: a stream of events, or a page that waits for some. */
const staysOpen = ({ operation }: MountedOperation): boolean =>
  operation.mediaTypes?.includes('text/event-stream') === true;
const hasBody = ({ operation }: MountedOperation): boolean => operation.hasBody === true;
/** Whether a request may lock rows of its subscription; the messages of a feed lock single flights. */
const isChange = ({ method, operation, isUnlocked }: MountedOperation): boolean =>
  method !== 'GET' && operation.bodyTypes === undefined && !isUnlocked;
const readsMemory = (one: MountedOperation): boolean => isKeyed(one) && !isChange(one) && one.reads === 'memory';
const usesDatabase = (one: MountedOperation): boolean => isKeyed(one) && !isChange(one) && one.reads !== 'memory';

/**
 * Creates the whole service. The pipeline runs from the first line to the last, and the responses come back from the last to the first. It rejects
 * a request in this order: unknown path, unknown or removed version, method, overload, key, limits, media type, arrival of the body, turn, body, parameters.
 */
export const createApp = (options: AppOptions): OpenAPIHono<Env> => {
  const { staleness = { maxStalenessMs: 0 } } = options;
  const { catalog, versions, pages = [], clock, log, loadShedder, admitRequest, fairQueues, replicas = [] } = options;
  const publicUrl = options.publicUrl?.replace(/\/+$/, '');
  const selector = new OperationSelector(catalog, clock);
  const handleError = onError(options);

  const app = new OpenAPIHono<Env>({ getPath: selector.getPath });
  const operations = listMountedOperations(catalog, versions);
  const { before, around, mount } = createPipeline(operations);

  if (options.isTraced) app.use(tracing());
  app.use(inOrder(selection(selector), requestId(), responseHeaders()));
  app.use(accessLog(log, clock, options.checkKey.isKnown));
  app.use(representation());
  before(isAny, versioning({ publicUrl, staleness, onProxyNoticed: options.onProxyNoticed }));
  if (loadShedder) before(isKeyed, loadShedding(loadShedder));
  before(isKeyed, subscriptionKey(options.checkKey, options.getClientId));
  before(staysOpen, keyRecheck(options.checkKey));
  if (admitRequest) around(isKeyed, rateLimit(admitRequest));
  before(isAny, mediaType());
  before(isAny, unknownParameters(new ParameterNames(catalog)));
  if (options.masterDataLease) before(isKeyed, masterDataLease(options.masterDataLease));
  if (options.flightPageCache) around(({ isCached }) => isCached, pageCache(options.flightPageCache));
  before(isAny, parsedQuery());
  around(hasBody, receiveBody(options.bodyMemory ?? new BodyMemory()));
  // Between the two parts of the body, and below the cache: a slow upload holds no turn, parsing does, and a cached page needs none.
  if (fairQueues) {
    around(readsMemory, fairAdmission(fairQueues.memory));
    around(usesDatabase, fairAdmission(fairQueues.database));
    around(isChange, fairAdmission(fairQueues.database, { isExclusive: true }));
  }
  around(hasBody, parseBody());
  const fromReplica = new Set(operations.filter(({ reads }) => reads === 'replica').map(({ operation }) => operation));
  if (replicas.length > 0) around(isRead, replicaReads({ replicas, fromReplica, primary: options.primary }));
  mount(app);

  for (const [name, version] of Object.entries(versions)) app.route(`${VERSIONS}/${name}`, version);
  app.use(`${PAGES}/*`, pagePaths(pages.flatMap(({ prefixes }) => prefixes)));
  for (const page of pages) app.route(PAGES, page.app);
  app.notFound(notFound({ publicUrl, handleError }));
  app.onError(handleError);
  return app;
};
