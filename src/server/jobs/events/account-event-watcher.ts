import type { RunningTask } from '#lib/periodic-task.ts';
import { listLastNumbers } from '#store/events/account-events.ts';
import type { Database } from '#store/pool/database.ts';
import { BackgroundDriver } from '../driver.ts';

/** Waits for an event of a stream after a number. */
export type EventWait = { readonly stream: number; readonly after: number; readonly timeoutMs: number };

export type AccountEventWatcherOptions = {
  readonly onError: (error: unknown) => void;
  /** Interval of polling for events whose notification was lost, milliseconds; by default the period of the task. */
  readonly pollMs?: number;
  readonly driver?: BackgroundDriver | undefined;
};

type Waiter = { readonly stream: number; readonly after: number; readonly wake: () => void };

/**
 * Wakes requests that wait for events of accounts, over one connection of the process. It starts to listen with the first request. A
 * notification costs one query for the last numbers of all streams with waiting requests, and wakes those whose stream has moved or whose
 * account was deleted.
 */
export class AccountEventWatcher {
  readonly #db: Database;
  readonly #options: AccountEventWatcherOptions;
  readonly #driver: BackgroundDriver;
  readonly #waiters = new Set<Waiter>();
  #task: RunningTask | undefined;
  #stopped = false;

  constructor(db: Database, options: AccountEventWatcherOptions) {
    this.#db = db;
    this.#options = options;
    this.#driver = options.driver ?? new BackgroundDriver(db);
  }

  /**
   * Resolves when the stream has an event after the number, including one that already exists. Resolves without one after the timeout, when
   * the account is deleted, when the signal is aborted, and when the watcher is stopped.
   */
  async waitForEvents({ stream, after, timeoutMs }: EventWait, signal: AbortSignal): Promise<void> {
    if (this.#stopped || signal.aborted) return;
    const woken = Promise.withResolvers<void>();
    const wake = (): void => woken.resolve();
    const waiter = { stream, after, wake };
    const timeout = setTimeout(wake, timeoutMs);
    signal.addEventListener('abort', wake);
    this.#waiters.add(waiter);
    this.#look();
    await woken.promise;
    this.#waiters.delete(waiter);
    clearTimeout(timeout);
    signal.removeEventListener('abort', wake);
  }

  /** Whether it has been stopped: requests must not wait any longer. */
  isStopped(): boolean {
    return this.#stopped;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { wake } of this.#waiters) wake();
    await this.#task?.stop();
  }

  #look(): void {
    if (this.#task) this.#task.trigger();
    else
      this.#task = this.#driver.startWithRetry('watch-account-events', {
        run: async () => {
          await this.#wakeMoved();
          return 'done';
        },
        onError: this.#options.onError,
        periodMs: this.#options.pollMs,
      });
  }

  async #wakeMoved(): Promise<void> {
    const waiters = [...this.#waiters];
    if (waiters.length === 0) return;
    const ends = await listLastNumbers(this.#db, [...new Set(waiters.map(({ stream }) => stream))]);
    // The account of a stream without an end was deleted.
    for (const { stream, after, wake } of waiters) if ((ends.get(stream) ?? Infinity) > after) wake();
  }
}
