import type { PublishedConnections } from '#domain/connections/set/connection-set.ts';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { MasterRecords } from '#domain/master-data/master-records.ts';
import type { CursorSecret } from '#http/handler/cursor.ts';

/** Dependencies of the operations of Connections. */
export type Deps = {
  /** Returns the current set; undefined until the first is published. */
  readonly connections: () => PublishedConnections | undefined;
  /** Returns a set that is still in memory, so that all pages of a list come from one set. */
  readonly connectionsById: (id: number) => PublishedConnections | undefined;
  /** Returns the current master data. */
  readonly masterDataIndex: () => MasterDataIndex;
  /** Returns when that master data was loaded. */
  readonly masterRecords: () => Pick<MasterRecords, 'readAt'>;
  /** Authenticates cursors; the same in every process of a service. */
  readonly cursorSecret: CursorSecret;
  readonly clock: () => Date;
};
