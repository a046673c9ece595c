import { withTimeout } from '../../lib/with-timeout.ts';
import type { Database } from '../../store/pool/database.ts';

/** Whether requests may be sent to a server. */
export type Readiness = {
  /** Why not, in a few words; undefined when they may. */
  readonly getUnreadyReason: () => Promise<string | undefined>;
  /** Migrations are done and the port is open. */
  readonly setReady: (db: Database) => void;
  readonly setDraining: () => void;
};

/** How long the store may take to answer, milliseconds. */
const PATIENCE_MS = 2000;
/** How long an answer of the store is believed: load balancers ask every second or so, each of them. */
const TTL_MS = 1000;

const answers = async (db: Database): Promise<boolean> => {
  try {
    return (
      (await withTimeout(
        PATIENCE_MS,
        db`select 1`.then(() => true),
      )) === true
    );
  } catch {
    return false;
  }
};

/** A server that is starting; it becomes ready, then drains. While it is ready the store is asked once a second at the most. */
export const createReadiness = (): Readiness => {
  let store: Database | undefined;
  let isDraining = false;
  let last: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  return {
    getUnreadyReason: async () => {
      if (isDraining) return 'ending';
      if (!store) return 'starting';
      // A question under way is shared as well.
      if (!last || performance.now() - last.at > TTL_MS) last = { at: performance.now(), answer: answers(store) };
      return (await last.answer) ? undefined : 'the store does not answer';
    },
    setReady: (db) => {
      store = db;
    },
    setDraining: () => {
      isDraining = true;
    },
  };
};
