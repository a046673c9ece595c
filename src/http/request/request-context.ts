import type { PageNote } from './page-note.ts';

/** What the front knows about a request by the time a handler sees it. */
export type RequestContext = {
  /** Scheme, host and path prefix of the service as this caller reaches it, without a slash at the end. */
  readonly base: string;
  /** The absolute URL of this request as the caller would follow it again: public base, path without stray slashes, query as sent. */
  readonly requestUrl: string;
  /** Path as the routes spell it: single slashes, none at the end, path parameters percent-encoded. */
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly query: string;
  /** 32 hex digits; also in `X-Request-Id` and in the log. */
  readonly requestId: string;
  readonly product: string;
  /** The version that answers, in the spelling of the catalogue. */
  readonly version: string;
  /** Undefined on public operations. */
  readonly subscriptionId: number | undefined;
  /** What the subscription has beyond its products, e.g. `map`. */
  readonly features: readonly string[];
  /** The form of the answer that the caller likes best among those of the operation: most often `application/json`. */
  readonly mediaType: string;
  /** Throws the Problem that the key of this request is no longer good, for answers that go on for long. */
  readonly checkKeyAgain: () => Promise<void>;
  /** To be called where nothing is done for the request any more but to wait: it does not count among those at once from then on. */
  readonly nowWaits: () => void;
  /** Logs what made an answer end before its time that had begun already; a Problem is no fault. */
  readonly tellFailure: (error: unknown) => void;
  /** A signal that is aborted once the caller has gone away without the answer; only who asks for it pays for it. */
  readonly gone: () => AbortSignal;
  /** Where an answer is noted that may be kept, while somebody wants to keep it. */
  page?: PageNote | undefined;
};
