import type { MasterRecords } from '#domain/master-data/master-records.ts';
import type { CursorSecret } from '#http/handler/cursor.ts';
import type { HealthProber } from '#http/handler/health.ts';
import type { Sql } from '#store/pool/database.ts';

/** Dependencies of the operations of Master Data. */
export type Deps = {
  readonly sql: Sql;
  readonly health: HealthProber;
  /** Returns the current records. */
  readonly masterRecords: () => MasterRecords;
  /** Authenticates cursors; the same in every process of a service. */
  readonly cursorSecret: CursorSecret;
  readonly clock: () => Date;
};
