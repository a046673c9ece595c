import type { Directory } from '../../../domain/master-data/directory.ts';
import type { CursorSecret } from '../../../http/handler/cursor.ts';
import type { Sql } from '../../../store/pool/database.ts';

/** What the operations of Flight Info work with. */
export type Deps = {
  readonly sql: Sql;
  /** The master data as it is now. */
  readonly directory: () => Directory;
  /** Seals the cursors; every process of a service has the same. */
  readonly cursorSecret: CursorSecret;
  /** Signs the links to maps, in the same way. */
  readonly mapSecret: Buffer;
  readonly clock: () => Date;
};
