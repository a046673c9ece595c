import type { Directory } from '../../../domain/master-data/directory.ts';
import type { CursorSecret } from '../../../http/handler/cursor.ts';
import type { Sql } from '../../../store/pool/database.ts';

/** What the operations of Schedules work with. */
export type Deps = {
  readonly sql: Sql;
  /** The master data as it is now. */
  readonly directory: () => Directory;
  /** Seals the cursors; every process of a service has the same. */
  readonly cursorSecret: CursorSecret;
};
