import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { CursorSecret } from '#http/handler/cursor.ts';
import type { HealthProber } from '#http/handler/health.ts';
import type { Sql } from '#store/pool/database.ts';

/** Dependencies of the operations of Flight Info. */
export type Deps = {
  readonly sql: Sql;
  readonly health: HealthProber;
  /** Returns the current master data. */
  readonly masterDataIndex: () => MasterDataIndex;
  /** Authenticates cursors; the same in every process of a service. */
  readonly cursorSecret: CursorSecret;
  /** Authenticates map links; the same in every process of a service. */
  readonly mapSecret: Buffer;
  readonly clock: () => Date;
};
