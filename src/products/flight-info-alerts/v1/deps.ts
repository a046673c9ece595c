import type { Database } from '../../../store/database.ts';

/** What the operations of Flight Info Alerts work with. */
export type Deps = {
  /** Changes need transactions. */
  readonly sql: Database;
  readonly clock: () => Date;
};
