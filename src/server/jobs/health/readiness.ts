import { withTimeout } from '#lib/with-timeout.ts';
import type { Database } from '#store/pool/database.ts';

/** Whether a server accepts requests, and its state in a few words. */
export type ReadyState = { readonly isReady: boolean; readonly text: string };

/** Whether a server accepts requests, for load balancers. */
export type Readiness = {
  readonly getState: () => Promise<ReadyState>;
  /** Call it when migrations are done and the port is open. */
  readonly setReady: (db: Database, replicas?: readonly Database[]) => void;
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

const ready: ReadyState = { isReady: true, text: 'ready' };
const readsOnly: ReadyState = { isReady: true, text: 'ready for reads: the primary database does not respond' };
const notReady = (text: string): ReadyState => ({ isReady: false, text });

export type ReadinessOptions = {
  /** How long replicas may take the place of the primary for reads, milliseconds; by default they do not. */
  readonly maxStalenessMs?: number;
  /** How long a result is reused, milliseconds. */
  readonly ttlMs?: number;
};

/** Creates the readiness of a server that is starting. While it is ready, it checks the database at most once a second. */
export const createReadiness = ({ maxStalenessMs = 0, ttlMs = TTL_MS }: ReadinessOptions = {}): Readiness => {
  let stores: { readonly primary: Database; readonly replicas: readonly Database[] } | undefined;
  let isDraining = false;
  let availableAt = -Infinity;
  let last: { readonly at: number; readonly result: Promise<ReadyState> } | undefined;
  const check = async ({ primary, replicas }: NonNullable<typeof stores>): Promise<ReadyState> => {
    const startedAt = performance.now();
    if (await isAvailable(primary)) {
      availableAt = startedAt;
      return ready;
    }
    if (performance.now() - availableAt < maxStalenessMs)
      for (const replica of replicas) if (await isAvailable(replica)) return readsOnly;
    return notReady('the database does not respond');
  };
  return {
    getState: async () => {
      if (isDraining) return notReady('shutting down');
      if (!stores) return notReady('starting');
      // A check in progress is shared, too.
      if (!last || performance.now() - last.at >= ttlMs) last = { at: performance.now(), result: check(stores) };
      return last.result;
    },
    setReady: (primary, replicas = []) => {
      stores = { primary, replicas };
    },
    setDraining: () => {
      isDraining = true;
    },
  };
};
