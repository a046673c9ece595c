import { toUtcDate } from '../../domain/time/dates.ts';
import type { CheckKey, KeyRecord } from '../auth/api-keys.ts';
import type { GetClientId } from '../auth/client-address.ts';
import type { RequestHandler } from '../handler/api.ts';
import type { AccessLog } from '../observability/access-log.ts';
import { overloadedProblem, type LoadShedder } from '../rate-limit/load-shedder.ts';
import type { Admission, AdmitRequest } from '../rate-limit/rate-limiter.ts';
import type { FetchHandler, Peer, RequestContext } from '../request/request-context.ts';
import { getRequestId } from '../request/request-id.ts';
import { readVersions, type RequestTarget, splitTarget } from '../request/request-url.ts';
import { selectRepresentation } from '../response/conditional.ts';
import { HttpResponse, toFetchResponse } from '../response/http-response.ts';
import { Problem, type ProblemKind, problemResponse } from '../response/problem.ts';
import {
  createRouteTable,
  createVersionTable,
  formatVersionLinks,
  negotiateMediaType,
  type RouteEntry,
  type RouteMatch,
  selectOperation,
  selectVersion,
  severalVersionsProblem,
  type VersionOnDay,
} from './routing.ts';
import type { CatalogOperation, CatalogProduct } from './version-lifecycle.ts';

/** A page for people, outside the contract; it needs no key. */
export type PublicPage = {
  /** Prefix of its paths, e.g. `/flight-map/`. The log hides the rest of such paths, which can hold a secret. */
  readonly path: string;
  /** Returns undefined when the page has nothing at the path of the request. */
  readonly respond: (request: Request, now: Date) => Promise<HttpResponse | undefined>;
};

export type RouterOptions = {
  readonly catalog: readonly CatalogProduct[];
  /** By `<product>/<version>`. */
  readonly handlers: Readonly<Record<string, RequestHandler>>;
  /** Tried in order where no product has the path. */
  readonly pages?: readonly PublicPage[];
  readonly checkKey: CheckKey;
  /** Identifies clients by their connection; by default clients are not distinguished. */
  readonly getClientId?: GetClientId | undefined;
  /** Limits the requests of subscriptions; by default there are no limits. */
  readonly admitRequest?: AdmitRequest | undefined;
  readonly clock: () => Date;
  readonly log: AccessLog;
  /** Whether an error means that a dependency is temporarily unavailable: the status is 503 and not 500. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** Whether an error means that a dependency works and has too many requests; by default none does. */
  readonly isOverloaded?: ((error: unknown) => boolean) | undefined;
  /** Makes requests wait for the processor; by default they do not wait. */
  readonly loadShedder?: LoadShedder | undefined;
  /** Scheme, host and any path prefix under which clients reach the service; by default those of each request. */
  readonly publicUrl?: string | undefined;
  /** Called once, with the header of the first request that came through a proxy although there is no `publicUrl`. */
  readonly onProxyNoticed?: ((header: string) => void) | undefined;
};

/** What the pipeline knows about a request. The common headers and the log line use it, also when a step rejects the request. */
type Exchange = {
  readonly request: Request;
  readonly peer: Peer | undefined;
  readonly now: Date;
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number;
  readonly requestId: string;
  readonly target: RequestTarget;
  path: string;
  /** The path that the log may show: that of a page can hold a secret. */
  loggedPath: string;
  entry: RouteEntry | undefined;
  version: VersionOnDay | undefined;
  operation: CatalogOperation | undefined;
  key: KeyRecord | undefined;
  admission: Admission | undefined;
  problem: ProblemKind | undefined;
};

/** What the steps before the handler have selected. */
type Selection = {
  readonly match: RouteMatch;
  readonly version: VersionOnDay;
  readonly operation: CatalogOperation;
  readonly mediaType: string;
};

/** Headers that proxies add to a request. */
const forwardingHeaders = ['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'Forwarded'] as const;

const RETRY_AFTER_SECONDS = 5;

/** Set on every response that does not set them itself. Responses differ by key and change with the next schedule: caches must revalidate. */
const defaultHeaders = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Subscription-Key, Accept-Encoding',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Spelling of header names that handlers may write in any letter case, by their lower case. */
const spellings: ReadonlyMap<string, string> = new Map(
  [...Object.keys(defaultHeaders), 'Content-Length', 'Link'].map((name) => [name.toLowerCase(), name]),
);

type CommonHeaders = {
  readonly requestId: string;
  /** `API-Version`, `Deprecation` and `Sunset`; undefined where no version was selected. */
  readonly version: Readonly<Record<string, string>> | undefined;
  /** Value of `Link`, appended to that of the handler. */
  readonly link: string | undefined;
  /** `RateLimit-Policy` and `RateLimit`; undefined where no limits apply. */
  readonly rateLimit: Readonly<Record<string, string>> | undefined;
};

/**
 * Returns the response with the headers that every response has. It builds a new record, which is faster than to change one.
 * CORS headers are removed: a key must never reach a browser.
 */
const addCommonHeaders = (response: HttpResponse, common: CommonHeaders): HttpResponse => {
  const { status, headers: sent, body } = response;
  const headers: Record<string, string> = { ...defaultHeaders };
  for (const name in sent) {
    const value = sent[name];
    const lower = name.toLowerCase();
    if (value !== undefined && !lower.startsWith('access-control-')) headers[spellings.get(lower) ?? name] = value;
  }
  headers['X-Request-Id'] = common.requestId;
  Object.assign(headers, common.version);
  const { link } = common;
  if (link !== undefined) headers['Link'] = headers['Link'] === undefined ? link : `${headers['Link']}, ${link}`;
  // A 5xx has no rate limit headers: the failure may have happened before the limits were known.
  if (status < 500) Object.assign(headers, common.rateLimit);
  return new HttpResponse({ status, headers, body });
};

const toProblem = (
  error: unknown,
  { isUnavailable, isOverloaded }: Pick<RouterOptions, 'isUnavailable' | 'isOverloaded'>,
): Problem => {
  if (error instanceof Problem) return error;
  if (isOverloaded?.(error)) return overloadedProblem(error);
  if (!isUnavailable(error))
    return new Problem('internal', 'An internal error occurred. The error is logged with the request ID.', {
      cause: error,
    });
  const headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
  return new Problem(
    'unavailable',
    `The service is temporarily unavailable. Retry in ${RETRY_AFTER_SECONDS} seconds.`,
    { headers, cause: error },
  );
};

/** Returns the path that an intermediary may have encoded. */
const decodePath = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** The request pipeline: from a request to the handler of the version it selects, and back to the socket. */
class Router {
  readonly #options: RouterOptions;
  readonly #pages: readonly PublicPage[];
  readonly #publicUrl: string | undefined;
  #watchesForProxy: boolean;
  readonly #findRoute: (path: string) => RouteMatch | undefined;
  readonly #versionsOn: ReturnType<typeof createVersionTable>;

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#pages = options.pages ?? [];
    this.#publicUrl = options.publicUrl?.replace(/\/+$/, '');
    this.#watchesForProxy = this.#publicUrl === undefined && options.onProxyNoticed !== undefined;
    this.#findRoute = createRouteTable(options.catalog);
    this.#versionsOn = createVersionTable(options.catalog);
  }

  /** Handles a request: request ID, pipeline, common headers, log line. */
  async fetch(request: Request, peer: Peer | undefined): Promise<Response> {
    const exchange = this.#openExchange(request, peer);
    const response = addCommonHeaders(await this.#respond(exchange), {
      requestId: exchange.requestId,
      version: exchange.version?.headers,
      link: formatVersionLinks(exchange, this.#publicUrl ?? ''),
      rateLimit: exchange.admission?.headers,
    });
    const fetchResponse = toFetchResponse(response, {
      isHead: request.method === 'HEAD',
      onStreamError: (error) => this.#logStreamError(error, exchange),
    });
    this.#logRequest(exchange, response);
    return fetchResponse;
  }

  #openExchange(request: Request, peer: Peer | undefined): Exchange {
    const startedAt = performance.now();
    const target = splitTarget(request.url);
    return {
      request,
      peer,
      now: this.#options.clock(),
      startedAt,
      requestId: getRequestId(request.headers.get('traceparent')),
      target,
      path: target.path,
      loggedPath: target.path,
      entry: undefined,
      version: undefined,
      operation: undefined,
      key: undefined,
      admission: undefined,
      problem: undefined,
    };
  }

  async #respond(exchange: Exchange): Promise<HttpResponse> {
    try {
      return await this.#runPipeline(exchange);
    } catch (error) {
      return await selectRepresentation(exchange.request.headers, this.#toErrorResponse(error, exchange));
    } finally {
      exchange.admission?.release();
    }
  }

  /** Runs the steps in this order. A step rejects the request by throwing a Problem, which becomes the response. */
  async #runPipeline(exchange: Exchange): Promise<HttpResponse> {
    const { request } = exchange;
    // 1. Route: product and path. Other paths belong to the pages for people.
    const match = this.#findRoute(exchange.target.path);
    if (!match) return this.#servePage(exchange);
    exchange.path = match.path;
    exchange.entry = match.entry;
    // 2. Version, by the parameter `version` and the day.
    const version = this.#selectVersion(exchange, match);
    // 3. Operation, by the method.
    const operation = selectOperation(match, version, request.method);
    exchange.operation = operation;
    if (!operation.isPublic) {
      // 4. Load: health checks, the public operations, do not wait.
      const turn = this.#options.loadShedder?.enter();
      if (turn) await turn;
      // 5. Subscription key.
      const key = await this.#checkKey(exchange, match);
      exchange.key = key;
      // 6. Rate limit, quota and concurrency. Most requests are admitted from memory, without a promise.
      const admission = this.#options.admitRequest?.(key);
      exchange.admission = admission instanceof Promise ? await admission : admission;
    }
    // 7. Media type, by `Accept`.
    const mediaType = negotiateMediaType(request.headers.get('accept'), operation);
    // 8. Handler, wrapped by page cache and replicas (app.ts). It validates the input first (handler/validate-input.ts).
    const handler = this.#getHandler(match, version);
    const response = await handler(request, this.#createContext(exchange, { match, version, operation, mediaType }));
    // 9. Representation: 304 or the preferred content coding.
    return selectRepresentation(request.headers, response);
  }

  #selectVersion(exchange: Exchange, { entry }: RouteMatch): VersionOnDay {
    const onDay = this.#versionsOn(entry.product, toUtcDate(exchange.now));
    const names = readVersions(exchange.target.query);
    if (names.length > 1) {
      exchange.version = onDay.unnamed;
      throw severalVersionsProblem(names);
    }
    const version = selectVersion(entry.product.title, onDay, names[0]);
    exchange.version = version;
    return version;
  }

  #checkKey({ request: { headers }, peer }: Exchange, { entry }: RouteMatch): Promise<KeyRecord> {
    const { checkKey, getClientId } = this.#options;
    return checkKey(headers.get('subscription-key'), entry.product.product, () =>
      getClientId?.(peer, headers.get('x-forwarded-for')),
    );
  }

  #getHandler({ entry }: RouteMatch, { version }: VersionOnDay): RequestHandler {
    const name = `${entry.product.product}/${version.version}`;
    const handler = this.#options.handlers[name];
    if (!handler) throw new Error(`no app is registered for ${name}`);
    return handler;
  }

  #createContext(exchange: Exchange, { match, version, operation, mediaType }: Selection): RequestContext {
    const { request, target, requestId, key } = exchange;
    const { path, entry } = match;
    const { product } = entry.product;
    if (this.#watchesForProxy) this.#noticeProxy(request.headers);
    const base = this.#publicUrl ?? target.origin;
    return {
      baseUrl: base,
      requestUrl: `${base}${path}${target.query === '' ? '' : `?${target.query}`}`,
      path,
      query: target.query,
      requestId,
      product,
      version: version.version.version,
      operation,
      subscriptionId: key?.subscriptionId,
      features: key?.features ?? [],
      mediaType,
      recheckKey: async () => {
        await this.#options.checkKey(request.headers.get('subscription-key'), product);
      },
      releaseConcurrencySlot: () => exchange.admission?.release(),
      getDisconnectSignal: () => request.signal,
    };
  }

  /** Notices a proxy while links repeat the host of the request, which the proxy may not check. */
  #noticeProxy(headers: Headers): void {
    const header = forwardingHeaders.find((name) => headers.has(name));
    if (header === undefined) return;
    this.#watchesForProxy = false;
    this.#options.onProxyNoticed?.(header);
  }

  /** Serves a page outside the contract; throws the Problem that there is none. */
  async #servePage(exchange: Exchange): Promise<HttpResponse> {
    const path = `${decodePath(exchange.target.path).replaceAll(/\/+/g, '/').toLowerCase()}/`;
    const nearest = this.#pages.find((page) => path.startsWith(page.path));
    if (nearest) exchange.loggedPath = `${nearest.path}...`;
    for (const page of this.#pages) {
      const response = await page.respond(exchange.request, exchange.now);
      if (response) return response;
    }
    throw new Problem('unknown-path', 'This path does not exist.');
  }

  #toErrorResponse(error: unknown, exchange: Exchange): HttpResponse {
    const { log } = this.#options;
    const problem = toProblem(error, this.#options);
    // Temporary rejections are not errors: the access log records them, and the component that rejected the request logs the cause.
    if (problem.kind === 'internal' || (problem.kind === 'unavailable' && problem.cause !== undefined))
      log.failure(problem.cause ?? problem, exchange.now, exchange.requestId);
    exchange.problem = problem.kind;
    return problemResponse(problem, exchange.path, exchange.requestId);
  }

  /** Logs what ended a stream early; a Problem, such as a revoked key, is not an error of the service. */
  #logStreamError(error: unknown, { requestId }: Exchange): void {
    const { log, clock } = this.#options;
    if (!(error instanceof Problem)) log.failure(error, clock(), requestId);
  }

  #logRequest(exchange: Exchange, { status, headers }: HttpResponse): void {
    const { request, now, startedAt, requestId, target, entry, version, operation, key, problem } = exchange;
    const length = headers['Content-Length'];
    this.#options.log.request({
      at: now,
      requestId,
      method: request.method,
      path: exchange.loggedPath,
      query: target.query,
      status,
      bytes: length === undefined ? undefined : Number(length),
      durationMs: performance.now() - startedAt,
      product: entry?.product.product,
      version: version?.version.version,
      route: operation?.path,
      subscriptionId: key?.subscriptionId,
      keyHint: key?.hint,
      problem,
    });
  }
}

/**
 * Returns the one entrance to all products and pages. It rejects a request in this order: unknown path, unknown or removed version,
 * method, overload, key, limits, media type; then the handler validates parameters and body. Every error becomes a problem response, and every
 * response gets the common headers and a line in the access log.
 */
export const createRouter = (options: RouterOptions): FetchHandler => {
  const router = new Router(options);
  return (request, peer) => router.fetch(request, peer);
};
