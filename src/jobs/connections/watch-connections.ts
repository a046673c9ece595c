import { setImmediate as nextTurn } from 'node:timers/promises';
import { CONNECTION_SET_FORMAT } from '../../domain/connections/set/connection-set-data.ts';
import {
  type ConnectionSet,
  readConnectionSetInSteps,
  type PublishedConnections,
} from '../../domain/connections/set/connection-set.ts';
import {
  CONNECTIONS_CHANNEL,
  newestSnapshots,
  readSnapshot,
  type SnapshotBytes,
  type SnapshotHead,
} from '../../store/connections/connection-snapshots.ts';
import type { Database } from '../../store/pool/database.ts';

/** The sets of connections that a server has in memory, and how to stop keeping them up to date. */
export type ConnectionsWatch = {
  /** The newest; undefined while there is none that this version of the program reads. */
  readonly current: () => PublishedConnections | undefined;
  /** The newest or the one before it, by number. */
  readonly find: (id: number) => PublishedConnections | undefined;
  /** Looks now whether there is a newer one, and resolves when it is there. */
  readonly refresh: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** How often it is looked for a set whose announcement did not come, milliseconds. */
const POLL_MS = 60_000;

/** Opens a set with a turn for everybody else after each step. */
const open = async (bytes: SnapshotBytes): Promise<ConnectionSet> => {
  const steps = readConnectionSetInSteps(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
};

const load = async (
  db: Database,
  { id, builtAt }: SnapshotHead,
  clock: () => Date,
): Promise<PublishedConnections | undefined> => {
  const bytes = await db.begin('isolation level repeatable read read only', (sql) => readSnapshot(sql, id));
  if (bytes === undefined) return undefined;
  const set = await open(bytes);
  return { id, builtAt, loadedAt: clock(), set };
};

/**
 * Keeps the newest set of connections in memory: loaded now, and again whenever a new one is announced, by whichever process, or found once a
 * minute. The set before it stays as well, for those who are paging in it. A set is loaded in the background, some milliseconds at a time, and
 * takes the place of the one before in a single step. `onError` hears of a loading that failed; what was there before stays, and the next look
 * tries again.
 */
export const watchConnections = async (
  db: Database,
  {
    clock,
    onError,
    pollMs = POLL_MS,
  }: {
    readonly clock: () => Date;
    readonly onError: (error: unknown) => void;
    readonly pollMs?: number;
  },
): Promise<ConnectionsWatch> => {
  let current: PublishedConnections | undefined;
  let previous: PublishedConnections | undefined;
  let stopped = false;

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    if (stopped) return;
    try {
      await work();
    } catch (error) {
      if (!stopped) onError(error);
    }
  };
  const lookOnce = async (): Promise<void> => {
    const [newest] = await newestSnapshots(db, CONNECTION_SET_FORMAT);
    if (newest === undefined || newest.id === current?.id) return;
    const loaded = await load(db, newest, clock);
    if (loaded) [current, previous] = [loaded, current];
  };
  /** A server that has just started, or that missed a set while it loaded the next, is asked for further pages of what others have served. */
  const loadPrevious = async (): Promise<void> => {
    const [newest, before] = await newestSnapshots(db, CONNECTION_SET_FORMAT);
    if (newest?.id !== current?.id || before === undefined || before.id === previous?.id) return;
    previous = (await load(db, before, clock)) ?? previous;
  };

  let looking: Promise<void> = Promise.resolve();
  const look = (): Promise<void> => {
    const looked = looking.then(() => attempt(lookOnce));
    looking = looked.then(() => attempt(loadPrevious));
    return looked;
  };
  await look();
  const hear = (): void => void look();
  // The second function runs at every (re)connection: what was announced meanwhile has been missed.
  const { unlisten } = await db.listen(CONNECTIONS_CHANNEL, hear, hear);
  const timer = setInterval(hear, pollMs);
  timer.unref();
  return {
    current: () => current,
    find: (id) => [current, previous].find((one) => one?.id === id),
    refresh: look,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await unlisten();
      await looking;
    },
  };
};
