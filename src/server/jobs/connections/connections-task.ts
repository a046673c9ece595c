import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CONNECTION_SET_FORMAT } from '#domain/connections/set/connection-set-data.ts';
import { listNewestSnapshots } from '#store/connections/connection-snapshots.ts';
import type { Database } from '#store/pool/database.ts';
import { BackgroundDriver, type RunOutcome } from '../driver.ts';
import { isConnectionsBuildDue } from './build-connections.ts';
import type { ConnectionsJob } from './connections-worker.ts';

export type ConnectionsTaskOptions = {
  /** Used to check whether a build is due. */
  readonly db: Database;
  /** The database URL for the thread. */
  readonly url: string;
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** The module that the thread runs. */
  readonly worker?: URL | undefined;
  readonly driver?: BackgroundDriver | undefined;
};

/**
 * The pause after a failed build, which may fail again and occupies a processor; shorter while no set can be served.
 */
const PAUSE_MS = { withSet: 3_600_000, withoutSet: 300_000 };

/** The flights of the world for a year take 400 MB of heap while they are read; five times as much is an error. */
const MAX_HEAP_MB = 2048;

/** Returns the worker next to this file: JavaScript in the package, TypeScript in a checkout. */
const locateWorker = (): URL => new URL(`./connections-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * Starts to check every three seconds whether there is a connection set that is younger than a week. If not, it is built in a
 * thread, because a build would block the event loop, and by one server of the database. After a failed build the
 * previous set stays. Returns a function that stops the task and terminates a build.
 */
export const startConnectionsTask = async ({
  db,
  url,
  clock,
  onError,
  worker = locateWorker(),
  driver = new BackgroundDriver(db, clock),
}: ConnectionsTaskOptions): Promise<() => Promise<void>> => {
  let pausedUntil = -Infinity;

  const build = async (signal: AbortSignal): Promise<void> => {
    const job: ConnectionsJob = { url, builtAt: clock().getTime() };
    const thread = new Worker(worker, {
      name: 'connections',
      execArgv: [],
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const terminate = (): void => void thread.terminate();
    signal.addEventListener('abort', terminate);
    try {
      // An error of the thread rejects.
      const [code] = await once(thread, 'exit');
      if (code !== 0 && !signal.aborted)
        throw new Error(`the thread that builds connections ended with exit code ${code}`);
    } finally {
      signal.removeEventListener('abort', terminate);
    }
  };
  const hasSet = async (): Promise<boolean> => {
    try {
      return (await listNewestSnapshots(db, CONNECTION_SET_FORMAT)).length > 0;
    } catch {
      // While the database is unavailable, the shorter pause applies.
      return false;
    }
  };
  const run = async (signal: AbortSignal): Promise<RunOutcome> => {
    if (clock().getTime() < pausedUntil || !(await isConnectionsBuildDue(db, clock())) || signal.aborted) return 'done';
    try {
      await build(signal);
    } catch (error) {
      pausedUntil = clock().getTime() + ((await hasSet()) ? PAUSE_MS.withSet : PAUSE_MS.withoutSet);
      throw error;
    }
    return 'done';
  };
  const { stop } = await driver.start('build-connections', { run, onError });
  return stop;
};
