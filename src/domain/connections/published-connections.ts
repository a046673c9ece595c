import type { ConnectionSet } from './connection-set.ts';

/** A set of connections as it was built and is served. */
export type PublishedConnections = {
  /** Rises with every set; a walk under way keeps to the set of its number. */
  readonly id: number;
  /** The moment whose schedules, master data and minimum connecting times it holds. */
  readonly builtAt: Date;
  /** When this process began to answer from it: no answer has been as it is for longer (`Last-Modified`). */
  readonly loadedAt: Date;
  readonly set: ConnectionSet;
};
