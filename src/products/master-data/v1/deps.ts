import type { MasterRecords } from '../../../domain/master-data/master-records.ts';
import type { CursorSecret } from '../../../http/handler/cursor.ts';
import type { Sql } from '../../../store/pool/database.ts';

/** What the operations of Master Data work with. */
export type Deps = {
  readonly sql: Sql;
  /** The records as they are now. */
  readonly masterRecords: () => MasterRecords;
  /** Seals the cursors; every process of a service has the same. */
  readonly cursorSecret: CursorSecret;
  readonly clock: () => Date;
};
