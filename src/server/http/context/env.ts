import type { RouteConfig, RouteHandler } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { PageContents } from '#domain/cache/page-invalidation.ts';
import type { MaskKeys } from '#lib/mask-keys.ts';
import type { Database } from '#store/pool/database.ts';
import type { Peer } from '../auth/client-address.ts';
import type { KeyRecord } from '../auth/api-keys.ts';
import type { CompressBody } from '../response/content-negotiation.ts';
import type { ParameterErrors, ProblemKind } from '../response/problem.ts';
import type { SelectedRequest } from '../router/select-operation.ts';
import type { CatalogOperation } from '../router/version-lifecycle.ts';

/** Filled in by a handler whose response the page cache wants to store; without contents it is not stored. */
export type CacheHint = { contents: PageContents | undefined };

/** A read replica of the database. */
export type ReplicaDatabase = {
  readonly sql: Database;
  /** Called with the error of a request that failed on the replica. */
  readonly reportFailure: (error: unknown) => void;
};

/** A replica that may lack the latest changes. */
export type StaleReplica = ReplicaDatabase & {
  /** It has all changes up to this instant. */
  readonly asOf: Date;
};

/** What applies to reads while the primary database is unreachable. */
export type Staleness = {
  /** How old data may be in responses while the primary database is unreachable, milliseconds; 0 rejects such requests. */
  readonly maxStalenessMs: number;
  /** Whether an error means that the primary is unreachable; by default none does. */
  readonly isOutage?: ((error: unknown) => boolean) | undefined;
  /** Called for each response from a replica or a cache while the primary is unreachable. */
  readonly onStale?: (() => void) | undefined;
};

/** The uncompressed body of a response, kept beside it: reading it back from a `Response` takes 20 µs. */
export type ResponseBody = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Entity tag of the bytes, once it is computed. */
  etag?: string;
  /** Compresses the bytes; the page cache keeps the result. */
  readonly compress: CompressBody;
};

/** Headers of a response, by lower-case name. */
export type ResponseHeaders = Record<string, string>;

/**
 * What every request carries, from the first middleware on. Hono keeps variables in a `Map`, whose table doubles at the 17th: a cached page
 * sets 16.
 */
type CommonVariables = {
  /** Where the request goes: its URL, and the product, version and operation that it selects. */
  selected: SelectedRequest;
  /** 32 hex digits; also in `X-Request-Id` and in the log. */
  requestId: string;
  /** When the request arrived. */
  now: Date;
  /** The same on the clock of `performance.now()`, milliseconds. */
  startedAt: number;
  /**
   * Headers of the response, by lower-case name. Hono's `c.header` keeps them in a `Headers` object: ten of them cost 8 µs of the 54 µs of a
   * cached page, and a record costs one.
   */
  headers: ResponseHeaders;
  /** Masks the API keys in a text about this request. */
  maskKeys: MaskKeys;
  /** The path that the log may show, where it is another: that of a page can hold a secret. */
  loggedPath: string | undefined;
  /** Logs an error that the response cannot report any more. */
  logFailure: (error: unknown) => void;
  /** Kind of the problem in the response, if any. */
  problem: ProblemKind | undefined;
  /** The uncompressed body of the response; undefined for streams and until a middleware reads it. */
  body: ResponseBody | undefined;
  /** Whether a 200 of a page gets an entity tag, so that a conditional request may get a 304; the contract says so of operations. */
  isConditional: boolean | undefined;
};

/** What a request of the API carries besides: set by the middleware of `/versions/*` in app.ts. */
export type ApiVariables = {
  /** Scheme, host and path prefix under which the client reaches the service, without a slash at the end. */
  baseUrl: string;
  /** The path as the client sent it, normalized: single slashes, none at the end, path parameters percent-encoded. `c.req.path` is the mounted one. */
  publicPath: string;
  /** The query as sent, without the question mark and without ignored parameters. */
  query: string;
  /** Errors of the names in the query, which validation reports; undefined when there are none. */
  parameterErrors: ParameterErrors | undefined;
  /** The names of the query that were ignored, as the header `Ignored-Parameters`. */
  ignoredParameters: string | undefined;
  /** The version that handles the request, in the spelling of the catalog. */
  version: string;
  operation: CatalogOperation;
  /** The key of the request, with its subscription; undefined on public operations. */
  key: KeyRecord | undefined;
  /** The media type of the operation that the client prefers; undefined is `application/json`. */
  mediaType: string | undefined;
  /** Checks the key again, on operations whose responses stay open; throws a Problem when it is no longer valid. */
  recheckKey: () => Promise<void>;
  /** Releases the concurrency slot of the rate limiter; call it when the request only waits (long polling). */
  releaseConcurrencySlot: () => void;
  /** Ends the turn of the request, so that others can run; call it when the request only waits, e.g. for a receiver. */
  endTurn: () => void;
  /** The body of an operation that has one; below `parseBody` that of a feed is decompressed. */
  bodyBytes: Uint8Array;
  /** Present when the page cache wants to store the response. */
  cacheHint: CacheHint | undefined;
  /** The replica that reads go to; undefined for the primary. */
  replica: ReplicaDatabase | undefined;
  /** Returns a replica for a read that failed on the primary, with the error of the primary; undefined on changes. */
  findStaleReplica: ((error: unknown) => Promise<StaleReplica | undefined>) | undefined;
  /** How old the data of a response may be while the primary is unreachable. */
  staleness: Staleness;
  /** The response contains all changes up to this instant and may lack later ones; undefined when it is current. */
  dataAsOf: Date | undefined;
};

/** The type of the whole application: what the server binds, and what a request carries in `c.var`. */
export type Env = {
  Bindings: { readonly incoming?: { readonly socket: Peer; readonly httpVersion?: string } };
  Variables: CommonVariables & ApiVariables;
};

/** What a request carries, as functions take it that do not need its context: `c.var`, called `variables` everywhere. */
export type RequestVariables = Env['Variables'];

/** The context of a page for people. */
export type PageContext = Context<Env>;

/** The context of an operation: `c.req.valid('query' | 'param' | 'header' | 'json')` is its input as the contract types it. */
export type OperationContext<R extends RouteConfig> = Parameters<RouteHandler<R, Env>>[0];

/** Returns the other end of the connection; undefined where there is none, as in tests. */
export const getPeer = ({ env }: Context<Env>): Peer | undefined => {
  const bindings: Env['Bindings'] | undefined = env;
  return bindings?.incoming?.socket;
};
