import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { CONNECTION_SET_FORMAT } from '#domain/connections/set/connection-set-data.ts';
import {
  type ConnectionSet,
  readConnectionSetInSteps,
  type PublishedConnections,
} from '#domain/connections/set/connection-set.ts';
import {
  listNewestSnapshots,
  readSnapshot,
  type SnapshotBytes,
  type SnapshotHead,
} from '#store/connections/connection-snapshots.ts';
import type { Database } from '#store/pool/database.ts';
import { BackgroundDriver } from '../driver.ts';

/** The connection sets that a server has in memory. */
export type ConnectionsWatch = {
  /** Returns the newest set; undefined while there is none in the format of this program version. */
  readonly current: () => PublishedConnections | undefined;
  /** Finds the newest set or the one before it by ID. */
  readonly find: (id: number) => PublishedConnections | undefined;
  /** Loads a newer set if there is one. */
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

/** Decodes a set, and yields to the event loop after each step. */
const decode = async (bytes: SnapshotBytes): Promise<ConnectionSet> => {
  const steps = readConnectionSetInSteps(bytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await yieldToEventLoop();
  }
};

const load = async (
  db: Database,
  { id, builtAt }: SnapshotHead,
  clock: () => Date,
): Promise<PublishedConnections | undefined> => {
  const bytes = await db.begin('isolation level repeatable read read only', (sql) => readSnapshot(sql, id));
  if (bytes === undefined) return undefined;
  const set = await decode(bytes);
  return { id, builtAt, loadedAt: clock(), set };
};

/**
 * Starts to keep the newest connection set in memory: loads it now, on each notification, and once a minute. The
 * previous set stays too, for clients that are paging through it. Loading takes some milliseconds at a time in the
 * background; a loaded set replaces the previous one in one step. When loading fails, `onError` is called, and the next
 * run tries again.
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
  /**
   * Loads the set before the newest, of which clients may request further pages, if this server has just started or
   * missed it.
   */
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
    find: (id) => [current, previous].find((set) => set?.id === id),
    refresh: () => refresh().catch(report),
    stop: async () => {
      stopped = true;
      await stop();
      await lastLoad;
    },
  };
};
