import type { FeedReport } from '#generated/status-feed/v1/types.gen.ts';
import type { HealthProber } from '#http/handler/health.ts';
import type { Sql } from '#store/pool/database.ts';

/** The formats of the feed. */
export type FeedFormat = 'status' | 'mvt' | 'aidx';

/**
 * Stores the messages of a body in one transaction, and returns what `transact` returns. That is called in the transaction, possibly again after a
 * rollback, and calls `store` at most once. Throws FeedError for a body that cannot be read as a whole, or has too many messages
 * (`too-many-messages`).
 */
export type StoreFeed = <T>(
  feed: {
    readonly format: FeedFormat;
    readonly body: Uint8Array;
    /** The ID of the subscription. */
    readonly sender: number;
  },
  transact: (sql: Sql, store: () => Promise<FeedReport>) => Promise<T>,
) => Promise<T>;

/** The age of the data of a public feed. */
export type FeedAge = {
  readonly name: string;
  readonly ageSeconds: number | undefined;
  /** Why the data are old. */
  readonly stale: string | undefined;
};

/** Dependencies of the operations of Status Feed. */
export type Deps = {
  readonly health: HealthProber;
  readonly clock: () => Date;
  readonly storeFeed: StoreFeed;
  /** How long servers may serve pages from before a commit, milliseconds. */
  readonly cacheLeaseMs: number;
  /** Lists the age of the public feeds that are followed. */
  readonly listFeedAges: (sql: Sql) => Promise<readonly FeedAge[]>;
};
