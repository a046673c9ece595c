import type { PublishedConnections } from '../../../domain/connections/set/connection-set.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import type { MasterRecords } from '../../../domain/master-data/master-records.ts';
import type { CursorSecret } from '../../../http/handler/cursor.ts';

/** What the operations of Connections work with. */
export type Deps = {
  /** The set that is served now; undefined until the first is published. */
  readonly connections: () => PublishedConnections | undefined;
  /** A set that is still kept, so that walks end in the set they began in. */
  readonly connectionsById: (id: number) => PublishedConnections | undefined;
  /** The master data as it is now. */
  readonly directory: () => Directory;
  /** When that master data was read. */
  readonly masterRecords: () => Pick<MasterRecords, 'readAt'>;
  /** Seals the cursors; every process of a service has the same. */
  readonly cursorSecret: CursorSecret;
  readonly clock: () => Date;
};
