import { pause, startPeriodicTask, type RunningTask } from '../lib/periodic-task.ts';
import type { Database } from '../store/pool/database.ts';
import type { Metric, Observe, MetricSample } from '../telemetry/metric.ts';
import { getTaskDefinition, type TaskName } from './task-registry.ts';

/**
 * What a run found: nothing more to do, more to do immediately, nothing before a time, or that another process holds the lease of the task.
 */
export type RunOutcome = 'done' | 'more' | 'standby' | { readonly nextInMs: number };

/** The work of a task. */
export type TaskWork = {
  /** Does a limited amount of work. Returns early, without an error, when the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<RunOutcome>;
  readonly onError: (error: unknown) => void;
  /** Called for each notification, and for each new connection to the database, before the run that it triggers. */
  readonly onNotification?: (channel: string) => void;
  /** Replaces the period of the definition; for tests. */
  readonly periodMs?: number | undefined;
  /** Pause after a failed run that no trigger shortens; without it, the next trigger or period starts the next run. */
  readonly retryMs?: number | undefined;
  /** How long this process leaves the work to the holder of the lease, milliseconds. Set for tasks whose runs return `standby`. */
  readonly standbyMs?: number;
};

/** What the driver has observed of a task. */
export type TaskStatus = {
  readonly name: TaskName;
  readonly isRunning: boolean;
  /** Completed and failed runs; those that found the lease held elsewhere do not count. */
  readonly runs: number;
  readonly errors: number;
  readonly lastRunAt: Date | undefined;
  readonly lastSuccessAt: Date | undefined;
  readonly lastError: { readonly at: Date; readonly error: unknown } | undefined;
  /** Whether the last run held the lease; undefined for tasks that never return `standby`. */
  readonly holdsLease: boolean | undefined;
};

type MutableStatus = { -readonly [Name in keyof TaskStatus]: TaskStatus[Name] };

const toSamples = (
  statuses: readonly TaskStatus[],
  valueOf: (status: TaskStatus) => number | undefined,
): readonly MetricSample[] =>
  statuses.flatMap((status) => {
    const value = valueOf(status);
    return value === undefined ? [] : [{ labels: { task: status.name }, value }];
  });

const toMetrics = (statuses: readonly TaskStatus[]): readonly Metric[] => [
  {
    name: 'flightdata_background_task_runs_total',
    help: 'Runs of background tasks',
    type: 'counter',
    samples: toSamples(statuses, ({ runs }) => runs),
  },
  {
    name: 'flightdata_background_task_errors_total',
    help: 'Failed runs of background tasks',
    type: 'counter',
    samples: toSamples(statuses, ({ errors }) => errors),
  },
  {
    name: 'flightdata_background_task_last_success_timestamp_seconds',
    help: 'Time of the last successful run of a background task',
    type: 'gauge',
    across: 'max',
    samples: toSamples(statuses, ({ lastSuccessAt }) => lastSuccessAt && lastSuccessAt.getTime() / 1000),
  },
  {
    name: 'flightdata_background_task_leader',
    help: 'Whether this server holds the lease of a background task (1 or 0)',
    type: 'gauge',
    across: 'max',
    samples: toSamples(statuses, ({ holdsLease }) => (holdsLease === undefined ? undefined : Number(holdsLease))),
  },
];

/**
 * Starts, stops and observes the background tasks of one process. `task-registry.ts` lists them; each folder of `src/server/jobs` has the work
 * of its own. A task runs at the start, after each period, and when it is triggered: by a NOTIFY channel or by code of this process.
 *
 * Any number of processes may run the same task. Where one at a time may do the work, the run acquires the lease in the database and
 * returns `standby` when another process holds it. A process that is killed loses its lease by time.
 */
export class BackgroundDriver {
  readonly #db: Pick<Database, 'listen'>;
  readonly #clock: () => Date;
  readonly #statuses = new Map<TaskName, MutableStatus>();

  constructor(db: Pick<Database, 'listen'>, clock = (): Date => new Date()) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Starts a task. Rejects, without a run, when its channels cannot be listened to. */
  async start(name: TaskName, work: TaskWork): Promise<RunningTask> {
    const status = this.#register(name, work);
    let task: RunningTask | undefined;
    const onNotification = (channel: string): void => {
      work.onNotification?.(channel);
      task?.trigger();
    };
    try {
      const unlisten = await this.#listen(getTaskDefinition(name).channels, onNotification);
      task = this.#run(status, work);
      return this.#observed(status, task, unlisten);
    } catch (error) {
      status.isRunning = false;
      throw error;
    }
  }

  /** Starts a task that also runs without its channels, and keeps trying to listen to them after each period. */
  startWithRetry(name: TaskName, work: TaskWork): RunningTask {
    const status = this.#register(name, work);
    let unlisten: Promise<() => Promise<void>> | undefined;
    /** Empty until the task runs: a notification can arrive before. */
    const started: RunningTask[] = [];
    const onNotification = (channel: string): void => {
      work.onNotification?.(channel);
      started[0]?.trigger();
    };
    const listen = (): void => {
      unlisten = this.#listen(getTaskDefinition(name).channels, onNotification);
      unlisten.catch((error: unknown) => {
        unlisten = undefined;
        if (status.isRunning) work.onError(error);
      });
    };
    const run = (signal: AbortSignal): Promise<RunOutcome> => {
      if (!unlisten) listen();
      return work.run(signal);
    };
    const task = this.#run(status, { ...work, run });
    started.push(task);
    return this.#observed(status, task, async () => {
      const stopListening = await unlisten?.catch(() => undefined);
      await stopListening?.();
    });
  }

  /** Returns what is known of each task that was started in this process. */
  listStatuses(): readonly TaskStatus[] {
    return [...this.#statuses.values()].map((status) => ({ ...status }));
  }

  /** Reads the metrics of the tasks of this process. */
  readonly observe: Observe = () => toMetrics(this.listStatuses());

  #register(name: TaskName, { standbyMs }: TaskWork): MutableStatus {
    const before = this.#statuses.get(name);
    if (before?.isRunning) throw new Error(`the background task ${name} is already running`);
    const status = before ?? {
      name,
      isRunning: true,
      runs: 0,
      errors: 0,
      lastRunAt: undefined,
      lastSuccessAt: undefined,
      lastError: undefined,
      holdsLease: standbyMs === undefined ? undefined : false,
    };
    status.isRunning = true;
    this.#statuses.set(name, status);
    return status;
  }

  async #listen(channels: readonly string[], onNotification: (channel: string) => void): Promise<() => Promise<void>> {
    const onChannel = (channel: string) => (): void => onNotification(channel);
    // The last function runs at every new connection: notifications in between were missed.
    const listening = channels.map((channel) => this.#db.listen(channel, onChannel(channel), onChannel(channel)));
    const settled = await Promise.allSettled(listening);
    const unlisten = async (): Promise<void> => {
      for (const result of settled) if (result.status === 'fulfilled') await result.value.unlisten();
    };
    const failed = settled.find((result) => result.status === 'rejected');
    if (!failed) return unlisten;
    await unlisten();
    throw failed.reason;
  }

  #run(status: MutableStatus, { run, onError, periodMs, retryMs, standbyMs = 0 }: TaskWork): RunningTask {
    return startPeriodicTask({
      intervalMs: periodMs ?? getTaskDefinition(status.name).periodMs ?? Infinity,
      retryMs,
      onError: (error) => {
        const at = this.#clock();
        status.runs += 1;
        status.errors += 1;
        status.lastRunAt = at;
        status.lastError = { at, error };
        if (status.holdsLease) status.holdsLease = false;
        onError(error);
      },
      run: async (signal) => {
        const startedAt = this.#clock();
        const outcome = await run(signal);
        if (status.holdsLease !== undefined) status.holdsLease = outcome !== 'standby';
        if (outcome === 'standby') {
          await pause(standbyMs, signal);
          return 0;
        }
        status.runs += 1;
        status.lastRunAt = startedAt;
        status.lastSuccessAt = this.#clock();
        if (outcome === 'more') return 0;
        return outcome === 'done' ? undefined : outcome.nextInMs;
      },
    });
  }

  /** Adds to a running task that stopping it stops listening, too. */
  #observed(status: MutableStatus, { trigger, stop }: RunningTask, unlisten: () => Promise<void>): RunningTask {
    return {
      trigger,
      stop: async () => {
        await stop();
        status.isRunning = false;
        if (status.holdsLease) status.holdsLease = false;
        await unlisten();
      },
    };
  }
}
