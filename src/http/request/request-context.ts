import type { PageContents } from '../../domain/cache/page-invalidation.ts';

/** The other end of a connection; a `net.Socket` is one. */
export type Peer = { readonly remoteAddress?: string | undefined };

/** Returns the response to a request; `peer` is undefined where the connection is unknown. The router and what wraps it have this form. */
export type FetchHandler = (request: Request, peer?: Peer) => Promise<Response>;

/** Filled in by a handler whose response the page cache wants to store; without contents it is not stored. */
export type CacheHint = { contents: PageContents | undefined };

/** What the router knows about a request when it calls the handler. */
export type RequestContext = {
  /** Scheme, host and path prefix under which the client reaches the service, without a slash at the end. */
  readonly baseUrl: string;
  /** Absolute URL of this request for links: public base, normalized path, query as sent. */
  readonly requestUrl: string;
  /** Normalized path: single slashes, none at the end, path parameters percent-encoded. */
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly query: string;
  /** 32 hex digits; also in `X-Request-Id` and in the log. */
  readonly requestId: string;
  readonly product: string;
  /** The version that handles the request, in the spelling of the catalog. */
  readonly version: string;
  /** Method in lower case and path template of the operation in the contract. */
  readonly operation: { readonly method: string; readonly path: string };
  /** Undefined on public operations. */
  readonly subscriptionId: number | undefined;
  /** Features of the subscription besides its products, e.g. `map`. */
  readonly features: readonly string[];
  /** The media type of the operation that the client prefers: most often `application/json`. */
  readonly mediaType: string;
  /** Checks the key again, for responses that stay open; throws a Problem when it is no longer valid. */
  readonly recheckKey: () => Promise<void>;
  /** Releases the concurrency slot of the rate limiter; call it when the request only waits (long polling). */
  readonly releaseConcurrencySlot: () => void;
  /** Returns a signal that aborts when the client disconnects; creating it costs time, so only callers pay for it. */
  readonly getDisconnectSignal: () => AbortSignal;
  /** Present when the page cache wants to store the response. */
  cacheHint?: CacheHint | undefined;
};
