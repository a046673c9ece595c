import { dateOfInstant } from '../../domain/time/dates.ts';
import type { CatalogOperation, CatalogProduct } from './version-lifecycle.ts';
import type { AccessLog } from '../observability/access-log.ts';
import { preferredType } from '../request/accept.ts';
import type { CallerOf } from '../auth/client-address.ts';
import type { FetchHandler, Peer } from '../request/fetch-handler.ts';
import type { CheckKey, KeyRecord } from '../auth/api-keys.ts';
import {
  invalidParameters,
  Problem,
  renderProblem,
  type ProblemKind,
  type RenderedProblem,
} from '../response/problem.ts';
import type { RequestContext } from '../request/request-context.ts';
import { plainOf, type PlainAnswer } from '../response/plain-response.ts';
import { requestIdOf } from '../request/request-id.ts';
import type { Admission, Admit } from '../rate-limit/request-limits.ts';
import { splitTarget, versionsAsked, type RequestTarget } from '../request/request-target.ts';
import { routeTable, type Place } from './route-table.ts';
import { wholeAnswer } from '../response/full-response.ts';
import { chooseVersion, stagesOf, type VersionOnDay } from './versions.ts';

/** Answers requests of one version of one product; `fetch` of an `Api`, or anything like it. */
export type App = (request: Request, context: RequestContext) => Response | Promise<Response>;

/** What is outside the contract, for people; no key is asked for. */
export type Page = {
  /** What its paths begin with, e.g. `/flight-map/`: of anything like it the log sees no more, for a secret can follow. */
  readonly path: string;
  /** Undefined when the path is not its own after all. */
  readonly answer: (request: Request, now: Date) => Promise<Response | undefined>;
};

export type FrontOptions = {
  readonly catalog: readonly CatalogProduct[];
  /** By `<product>/<version>`. */
  readonly apps: Readonly<Record<string, App>>;
  /** Asked, in order, where no product has the path. */
  readonly pages?: readonly Page[];
  readonly keys: CheckKey;
  /** Tells callers apart by their connection; by default they cannot be. */
  readonly callerOf?: CallerOf | undefined;
  /** Limits what subscriptions ask; by default nobody does. */
  readonly admit?: Admit | undefined;
  readonly clock: () => Date;
  readonly log: AccessLog;
  /** Whether an error means that something we depend on is away for the moment: answered 503 and not 500. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** Scheme, host and any path prefix under which callers reach the service; by default what each request itself says. */
  readonly publicUrl?: string | undefined;
};

/** What has been learned of a request so far: whatever happens next, its answer and its log line tell this much. */
type Trail = {
  readonly requestId: string;
  readonly target: RequestTarget;
  readonly peer: Peer | undefined;
  path: string;
  /** What the log may see of the path: a page can have a secret in it. */
  loggedPath: string;
  version: VersionOnDay | undefined;
  place: Place | undefined;
  operation: CatalogOperation | undefined;
  key: KeyRecord | undefined;
  admission: Admission | undefined;
  problem: ProblemKind | undefined;
};

const RETRY_AFTER_SECONDS = 5;

/** On every answer. Answers differ by key and grow stale with the next schedule: caches may keep them only to ask again. */
const fixedHeaders = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Subscription-Key, Accept-Encoding',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** As they are written here, whatever letter case an app has. */
const fixedNames: ReadonlyMap<string, string> = new Map(
  [...Object.keys(fixedHeaders), 'Content-Length', 'Link'].map((name) => [name.toLowerCase(), name]),
);

// A key must never reach a browser, so no answer may invite one (requirements, 1): whatever an app says about it is taken back.
const corsHeaders = [
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Methods',
  'Access-Control-Allow-Headers',
  'Access-Control-Allow-Credentials',
  'Access-Control-Allow-Private-Network',
  'Access-Control-Expose-Headers',
  'Access-Control-Max-Age',
];

const methodOf = (request: Request): string => (request.method === 'HEAD' ? 'GET' : request.method);

const allowed = (operations: ReadonlyMap<string, CatalogOperation>): string =>
  [...operations.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');

const operationAt = (
  { place, version, path }: { place: Place; version: VersionOnDay; path: string },
  request: Request,
): CatalogOperation => {
  const { title } = place.product;
  const { version: name, sunsetOn, successor } = version.version;
  if (version.stage === 'removed') {
    const hint = successor === undefined ? '' : ` Its successor is ${successor}.`;
    throw new Problem('version-removed', `Version ${name} of ${title} was removed on ${sunsetOn}.${hint}`);
  }
  const operations = place.operations.get(name);
  if (!operations) throw new Problem('unknown-path', `Version ${name} of ${title} has nothing at ${path}.`);
  const operation = operations.get(methodOf(request));
  if (operation) return operation;
  const allow = allowed(operations);
  throw new Problem('method-not-allowed', `${path} answers ${allow}, not ${request.method.slice(0, 16)}.`, {
    headers: { Allow: allow },
  });
};

/** The form of the answer; throws the Problem that the caller accepts none of those there are. */
const chooseType = (accept: string | null, { mediaTypes }: CatalogOperation): string => {
  const offered = ['application/json', ...(mediaTypes ?? [])];
  const chosen = preferredType(accept, offered);
  if (chosen !== undefined) return chosen;
  throw new Problem('not-acceptable', `The answer is ${offered.join(' or ')}, which your Accept header leaves out.`);
};

/** Where to read on: the same address in the successor, and the page about the version that ends. */
const linksOf = ({ place, version, path }: Trail, base: string): string | undefined => {
  if (!place || !version || version.stage === 'current') return undefined;
  const { version: name, successor } = version.version;
  const links = [`<${base}/docs/${place.product.product}/${name}>; rel="deprecation"; type="text/html"`];
  if (successor !== undefined && place.operations.has(successor))
    links.unshift(`<${base}${path}?version=${successor}>; rel="successor-version"`);
  return links.join(', ');
};

const asProblem = (error: unknown, isUnavailable: FrontOptions['isUnavailable']): Problem => {
  if (error instanceof Problem) return error;
  if (!isUnavailable(error))
    return new Problem('internal', 'The service failed to answer. The fault has been logged.', { cause: error });
  const headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
  return new Problem(
    'unavailable',
    `The service cannot answer just now. Try again in ${RETRY_AFTER_SECONDS} seconds.`,
    { headers, cause: error },
  );
};

/** A path as it is meant, where an intermediary spelled it otherwise. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/**
 * The one entrance to all products: from a request to the app of the version it means. It refuses in this order: unknown path,
 * unknown or removed version, method, key, limits, media type; parameters are the app's affair. Every failure becomes a problem answer,
 * and every answer gets its headers and its line in the log.
 */
export const createFront = (options: FrontOptions): FetchHandler => {
  const { catalog, apps, pages = [], keys, callerOf, admit, clock, log, isUnavailable } = options;
  const find = routeTable(catalog);
  const productOn = stagesOf(catalog);
  const publicUrl = options.publicUrl?.replace(/\/+$/, '');

  const turn = async (request: Request, trail: Trail, now: Date): Promise<Response> => {
    const asked = `${decoded(trail.target.path).replaceAll(/\/+/g, '/').toLowerCase()}/`;
    const near = pages.find(({ path }) => asked.startsWith(path));
    if (near) trail.loggedPath = `${near.path}...`;
    for (const page of pages) {
      const response = await page.answer(request, now);
      if (response) return response;
    }
    throw new Problem('unknown-path', 'There is nothing at this path.');
  };

  const dispatch = async (request: Request, trail: Trail, now: Date): Promise<Response> => {
    const { target } = trail;
    const found = find(target.path);
    if (!found) return turn(request, trail, now);
    const { place, path } = found;
    const { product } = place.product;
    trail.path = path;
    trail.place = place;
    const onDay = productOn(place.product, dateOfInstant(now));
    const asked = versionsAsked(target.query);
    if (asked.length > 1) {
      trail.version = onDay.unnamed;
      const values = asked.slice(0, 3).map((value) => `'${value.slice(0, 64)}'`);
      throw invalidParameters({
        version: [`takes one value, but was given ${asked.length} different ones: ${values.join(', ')}`],
      });
    }
    const version = chooseVersion(place.product.title, onDay, asked[0]);
    trail.version = version;
    const operation = operationAt({ place, version, path }, request);
    trail.operation = operation;
    if (!operation.isPublic) {
      const { headers } = request;
      trail.key = await keys(headers.get('subscription-key'), product, () =>
        callerOf?.(trail.peer, headers.get('x-forwarded-for')),
      );
      const admission = admit?.(trail.key);
      // Most are admitted from memory, and need not wait for their turn.
      trail.admission = admission instanceof Promise ? await admission : admission;
    }
    const mediaType = chooseType(request.headers.get('accept'), operation);
    const name = version.version.version;
    const app = apps[`${product}/${name}`];
    if (!app) throw new Error(`no app is registered for ${product}/${name}`);
    const base = publicUrl ?? target.origin;
    return app(request, {
      base,
      requestUrl: `${base}${path}${target.query === '' ? '' : `?${target.query}`}`,
      path,
      query: target.query,
      requestId: trail.requestId,
      product,
      version: name,
      subscriptionId: trail.key?.subscriptionId,
      features: trail.key?.features ?? [],
      mediaType,
      checkKeyAgain: async () => {
        await keys(request.headers.get('subscription-key'), product);
      },
      nowWaits: () => trail.admission?.release(),
      tellFailure: (error) => {
        if (!(error instanceof Problem)) log.failure(error, clock(), trail.requestId);
      },
      gone: () => request.signal,
    });
  };

  const refuse = (error: unknown, trail: Trail, now: Date): RenderedProblem => {
    const problem = asProblem(error, isUnavailable);
    // A refusal for the time being is no fault: the line of the request tells it, and whoever brings it about tells why.
    if (problem.kind === 'internal' || (problem.kind === 'unavailable' && problem.cause !== undefined))
      log.failure(problem.cause ?? problem, now, trail.requestId);
    trail.problem = problem.kind;
    return renderProblem(problem, trail.path, trail.requestId);
  };

  const dress = ({ headers, status }: Response, trail: Trail): void => {
    for (const name of corsHeaders) headers.delete(name);
    for (const [name, value] of Object.entries(fixedHeaders)) if (!headers.has(name)) headers.set(name, value);
    headers.set('X-Request-Id', trail.requestId);
    for (const [name, value] of Object.entries(trail.version?.headers ?? {})) headers.set(name, value);
    const links = linksOf(trail, publicUrl ?? '');
    if (links !== undefined) headers.append('Link', links);
    // Of a fault of ours nothing is told but that: it may well come before limits are known.
    if (status < 500)
      for (const [name, value] of Object.entries(trail.admission?.headers ?? {})) headers.set(name, value);
  };

  /** The same for an answer whose parts lie open, as nearly all do; put together anew, for that is quicker than to change it. */
  const dressed = ({ status, headers, body }: PlainAnswer, trail: Trail, isHead: boolean): PlainAnswer => {
    const told: Record<string, string> = { ...fixedHeaders };
    for (const name in headers) {
      const value = headers[name];
      const lower = name.toLowerCase();
      if (value !== undefined && !lower.startsWith('access-control-')) told[fixedNames.get(lower) ?? name] = value;
    }
    told['X-Request-Id'] = trail.requestId;
    Object.assign(told, trail.version?.headers);
    const links = linksOf(trail, publicUrl ?? '');
    if (links !== undefined) told['Link'] = told['Link'] === undefined ? links : `${told['Link']}, ${links}`;
    if (status < 500) Object.assign(told, trail.admission?.headers);
    return { status, headers: told, body: isHead ? null : body };
  };

  return async (request, peer) => {
    const startedAt = performance.now();
    const now = clock();
    const target = splitTarget(request.url);
    const requestId = requestIdOf(request.headers.get('traceparent'));
    const unknown = {
      version: undefined,
      place: undefined,
      operation: undefined,
      key: undefined,
      admission: undefined,
      problem: undefined,
    };
    const trail: Trail = { requestId, target, peer, path: target.path, loggedPath: target.path, ...unknown };
    let response: Response;
    try {
      response = await dispatch(request, trail, now);
    } catch (error) {
      const { status, headers, body } = refuse(error, trail, now);
      const whole = { bytes: Buffer.from(body), headers, tag: undefined };
      response = await wholeAnswer(request.headers, whole, { status });
    }
    trail.admission?.release();
    const made = plainOf(response);
    const isHead = request.method === 'HEAD';
    const plain = made && dressed(made, trail, isHead);
    if (plain) {
      const { body, status, headers } = plain;
      response = new Response(body, { status, headers });
    } else {
      dress(response, trail);
      if (isHead) response = new Response(null, response);
    }
    const length = plain ? (plain.headers['Content-Length'] ?? null) : response.headers.get('content-length');
    log.request({
      at: now,
      requestId,
      method: request.method,
      path: trail.loggedPath,
      query: target.query,
      status: response.status,
      bytes: length === null ? undefined : Number(length),
      durationMs: performance.now() - startedAt,
      product: trail.place?.product.product,
      version: trail.version?.version.version,
      route: trail.operation?.path,
      subscriptionId: trail.key?.subscriptionId,
      keyHint: trail.key?.hint,
      problem: trail.problem,
    });
    return response;
  };
};
