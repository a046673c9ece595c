import { withTimeout } from '#lib/with-timeout.ts';
import type { Database } from '#store/pool/database.ts';

/** Whether a server accepts requests, for load balancers. */
export type Readiness = {
  /** Returns why it does not, in a few words; undefined when it does. */
  readonly getUnreadyReason: () => Promise<string | undefined>;
  /** Call it when migrations are done and the port is open. */
  readonly setReady: (db: Database) => void;
  readonly setDraining: () => void;
};

/** Timeout of the database check, milliseconds. */
const TIMEOUT_MS = 2000;
/** How long a result is reused, milliseconds: each load balancer sends about one request a second. */
const TTL_MS = 1000;

const isAvailable = async (db: Database): Promise<boolean> => {
  try {
    return (
      (await withTimeout(
        TIMEOUT_MS,
        db`select 1`.then(() => true),
      )) === true
    );
  } catch {
    return false;
  }
};

/** Creates the readiness of a server that is starting. While it is ready, it checks the database at most once a second. */
export const createReadiness = (): Readiness => {
  let store: Database | undefined;
  let isDraining = false;
  let last: { readonly at: number; readonly result: Promise<boolean> } | undefined;
  return {
    getUnreadyReason: async () => {
      if (isDraining) return 'shutting down';
      if (!store) return 'starting';
      // A check in progress is shared, too.
      if (!last || performance.now() - last.at > TTL_MS) last = { at: performance.now(), result: isAvailable(store) };
      return (await last.result) ? undefined : 'the database does not respond';
    },
    setReady: (db) => {
      store = db;
    },
    setDraining: () => {
      isDraining = true;
    },
  };
};
