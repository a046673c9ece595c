import type { MasterRecords } from '../../../domain/records/master-records.ts';
import type { CursorSecret } from '../../../http/cursor.ts';
import type { Sql } from '../../../store/database.ts';

/** What the operations of Master Data work with. */
export type Deps = {
  readonly sql: Sql;
  /** The records as they are now. */
  readonly masterRecords: () => MasterRecords;
  /** Seals the cursors; every process of a service has the same. */
  readonly cursorSecret: CursorSecret;
  readonly clock: () => Date;
};
