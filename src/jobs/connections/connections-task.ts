import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CONNECTION_SET_FORMAT } from '../../domain/connections/set/connection-set-data.ts';
import { listNewestSnapshots } from '../../store/connections/connection-snapshots.ts';
import type { Database } from '../../store/pool/database.ts';
import { BackgroundDriver, type RunOutcome } from '../driver.ts';
import { isConnectionsBuildDue } from './build-connections.ts';
import type { ConnectionsJob } from './connections-worker.ts';

export type ConnectionsTaskOptions = {
  /** Asks the database whether a set is due. */
  readonly db: Database;
  /** Where the thread that builds connects to. */
  readonly url: string;
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** The module that the thread runs. */
  readonly worker?: URL | undefined;
  readonly driver?: BackgroundDriver | undefined;
};

/**
 * How long nothing is tried after a build that failed: what went wrong may go wrong again, and takes a processor each time. It is shorter while
 * there is no set at all, since nobody is answered then.
 */
const PAUSE_MS = { withSet: 3_600_000, withoutSet: 300_000 };

/** The flights of the world for a year are some 400 MB of objects while they are read; five times that means that something is wrong. */
const MOST_HEAP_MB = 2048;

/** A package holds this as JavaScript, a checkout as TypeScript: the thread runs what lies beside this file. */
const workerBeside = (): URL => new URL(`./connections-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * Starts to check once a minute whether there is a connection set that is younger than a week. If not, it is built in a thread, because a build
 * would block the event loop, and by one server of the database. After a failed build the previous set stays. Returns a function that stops the
 * task and terminates a build.
 */
export const startConnectionsTask = async ({
  db,
  url,
  clock,
  onError,
  worker = workerBeside(),
  driver = new BackgroundDriver(db, clock),
}: ConnectionsTaskOptions): Promise<() => Promise<void>> => {
  let pausedUntil = -Infinity;

  const build = async (signal: AbortSignal): Promise<void> => {
    const job: ConnectionsJob = { url, builtAt: clock().getTime() };
    const thread = new Worker(worker, {
      name: 'connections',
      execArgv: [],
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
    });
    const terminate = (): void => void thread.terminate();
    signal.addEventListener('abort', terminate);
    try {
      // An error of the thread rejects.
      const [code] = await once(thread, 'exit');
      if (code !== 0) throw new Error(`the thread that builds connections ended with exit code ${code}`);
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
