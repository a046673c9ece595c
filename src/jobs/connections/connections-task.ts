import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CONNECTION_SET_FORMAT } from '../../domain/connections/set/connection-set-data.ts';
import { newestSnapshots } from '../../store/connections/connection-snapshots.ts';
import type { Database } from '../../store/pool/database.ts';
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
};

/** How often it is looked whether a set is due, milliseconds. */
const CHECK_MS = 60_000;
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
 * Sees to it that there is a set of connections, and that it is not older than a week: now, and once a minute. It is built in a thread of its
 * own, since it would answer nobody for as long as it takes, and by one of all the servers of a database. A thread that fails is reported, and
 * the set before it stays. Answers how to stop, which ends a build under way.
 */
export const startConnectionsTask = ({
  db,
  url,
  clock,
  onError,
  worker = workerBeside(),
}: ConnectionsTaskOptions): (() => Promise<void>) => {
  let thread: Worker | undefined;
  let pausedUntil = -Infinity;
  let stopped = false;

  const build = async (): Promise<void> => {
    const task: ConnectionsJob = { url, builtAt: clock().getTime() };
    thread = new Worker(worker, {
      name: 'connections',
      execArgv: [],
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
    });
    try {
      // An error of the thread rejects.
      const [code] = await once(thread, 'exit');
      if (code !== 0 && !stopped) throw new Error(`the thread that builds connections ended with exit code ${code}`);
    } finally {
      thread = undefined;
    }
  };
  const isDue = async (): Promise<boolean> => {
    try {
      return await isConnectionsBuildDue(db, clock());
    } catch (error) {
      // The database is away; it is asked again in a minute.
      if (!stopped) onError(error);
      return false;
    }
  };
  const isSetThere = async (): Promise<boolean> => {
    try {
      return (await newestSnapshots(db, CONNECTION_SET_FORMAT)).length > 0;
    } catch {
      // The database is away: whether there is one shows when it is back, which is soon.
      return false;
    }
  };
  const check = async (): Promise<void> => {
    if (stopped || clock().getTime() < pausedUntil || !(await isDue()) || stopped) return;
    try {
      await build();
    } catch (error) {
      pausedUntil = clock().getTime() + ((await isSetThere()) ? PAUSE_MS.withSet : PAUSE_MS.withoutSet);
      if (!stopped) onError(error);
    }
  };

  let checking: Promise<void> | undefined;
  const checkOnce = (): void => {
    checking ??= check().finally(() => {
      checking = undefined;
    });
  };
  checkOnce();
  const timer = setInterval(checkOnce, CHECK_MS);
  timer.unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await thread?.terminate();
    await checking;
  };
};
