import type { DataSource } from '#domain/master-data/data-sources.ts';
import type { MasterRecords } from '#domain/master-data/master-records.ts';
import type { CursorSecret } from '#http/handler/cursor.ts';
import type { HealthProber } from '#http/handler/health.ts';
import type { Sql } from '#store/pool/database.ts';

/** A public feed with the attribution that it requires. */
export type FeedSource = DataSource & { readonly name: string; readonly link: string };

/** Dependencies of the operations of Master Data. */
export type Deps = {
  readonly sql: Sql;
  readonly health: HealthProber;
  /** Returns the current records. */
  readonly masterRecords: () => MasterRecords;
  /** Authenticates cursors; the same in every process of a service. */
  readonly cursorSecret: CursorSecret;
  readonly clock: () => Date;
  /** Returns the public feeds that can be followed. */
  readonly feedSources: () => readonly FeedSource[];
};
