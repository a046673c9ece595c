import { setImmediate as nextTurn } from 'node:timers/promises';
import { CONNECTION_SET_FORMAT } from '../../domain/connections/set/connection-set-data.ts';
import {
  type ConnectionSet,
  readConnectionSetInSteps,
  type PublishedConnections,
} from '../../domain/connections/set/connection-set.ts';
import {
  listNewestSnapshots,
  readSnapshot,
  type SnapshotBytes,
  type SnapshotHead,
} from '../../store/connections/connection-snapshots.ts';
import type { Database } from '../../store/pool/database.ts';
import { BackgroundDriver } from '../driver.ts';

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

export type ConnectionsWatchOptions = {
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** Interval of polling for sets whose notification was lost, milliseconds. */
  readonly pollMs?: number;
  readonly driver?: BackgroundDriver | undefined;
};

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
  { clock, onError, pollMs, driver = new BackgroundDriver(db, clock) }: ConnectionsWatchOptions,
): Promise<ConnectionsWatch> => {
  let current: PublishedConnections | undefined;
  let previous: PublishedConnections | undefined;
  let stopped = false;

  const loadNewest = async (): Promise<void> => {
    if (stopped) return;
    const [newest] = await listNewestSnapshots(db, CONNECTION_SET_FORMAT);
    if (newest === undefined || newest.id === current?.id) return;
    const loaded = await load(db, newest, clock);
    if (loaded) [current, previous] = [loaded, current];
  };
  /** Loads the set before the newest, of which clients may request further pages, if this server has just started or missed it. */
  const loadPrevious = async (): Promise<void> => {
    if (stopped) return;
    const [newest, before] = await listNewestSnapshots(db, CONNECTION_SET_FORMAT);
    if (newest?.id !== current?.id || before === undefined || before.id === previous?.id) return;
    previous = (await load(db, before, clock)) ?? previous;
  };
  const report = (error: unknown): void => {
    if (!stopped) onError(error);
  };

  let lastLoad: Promise<void> = Promise.resolve();
  /** Resolves when the newest set is loaded; loads run one after the other. */
  const refresh = (): Promise<void> => {
    const loaded = lastLoad.then(loadNewest);
    lastLoad = loaded.then(loadPrevious, () => loadPrevious()).catch(report);
    return loaded;
  };
  await refresh().catch(report);
  const { stop } = await driver.start('watch-connections', {
    run: async () => {
      await refresh();
      return 'done';
    },
    onError: report,
    periodMs: pollMs,
  });
  return {
    current: () => current,
    find: (id) => [current, previous].find((one) => one?.id === id),
    refresh: () => refresh().catch(report),
    stop: async () => {
      stopped = true;
      await stop();
      await lastLoad;
    },
  };
};
