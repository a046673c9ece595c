import type { Database } from '#store/pool/database.ts';
import { writePushResults, type PushResults } from '#store/deliveries/delivery-results.ts';
import type { EndpointSender } from './endpoint-sender.ts';

export type DeliveryWriterOptions = {
  /** The senders of the endpoints that this process has claimed, by endpoint ID. */
  readonly senders: Map<string, EndpointSender>;
  readonly worker: string;
  readonly leaseMs: number;
  readonly writeMs: number;
  readonly clock: () => Date;
};

/** Delay before endpoints that other processes wait for are released, milliseconds: those that end meanwhile are released with them. */
const URGENT_MS = 10;
const RETRY_MS = 1000;

type ResultBatch = { readonly senders: readonly EndpointSender[]; readonly results: PushResults };

const collectBatch = (senders: Iterable<EndpointSender>): ResultBatch | undefined => {
  const collected = [...senders].flatMap((sender) => {
    const results = sender.collectResults();
    return results ? [{ sender, results }] : [];
  });
  if (collected.length === 0) return undefined;
  return {
    senders: collected.map(({ sender }) => sender),
    results: {
      endpoints: collected.flatMap(({ results }) => results.endpoints),
      attempts: collected.flatMap(({ results }) => results.attempts),
      retries: collected.flatMap(({ results }) => results.retries),
      deadLetters: collected.flatMap(({ results }) => results.deadLetters),
    },
  };
};

const withoutEndpoints = (
  { endpoints, attempts, retries, deadLetters }: PushResults,
  lost: ReadonlySet<string>,
): PushResults => {
  const isOwn = ({ endpointId }: { readonly endpointId: string }): boolean => !lost.has(endpointId);
  return {
    endpoints: endpoints.filter(({ id }) => !lost.has(id)),
    attempts: attempts.filter(isOwn),
    retries: retries.filter(isOwn),
    deadLetters: deadLetters.filter(isOwn),
  };
};

/** Writes the results of all senders of a process in one transaction, so that thousands of attempts a second cost a few transactions. */
export class DeliveryWriter {
  readonly #db: Database;
  readonly #options: DeliveryWriterOptions;
  readonly #dirty = new Set<EndpointSender>();
  #isUrgent = false;
  #released: number[] = [];
  /** A batch that failed: it is written before anything newer. */
  #batch: ResultBatch | undefined;
  #lastWriteAt = -Infinity;
  #failures = 0;

  constructor(db: Database, options: DeliveryWriterOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** How many writes in a row have failed. */
  get failures(): number {
    return this.#failures;
  }

  /** Notes that a sender has results. Returns whether `step` is due earlier than before. */
  add(sender: EndpointSender): boolean {
    const wasUrgent = this.#isUrgent;
    const wasEmpty = this.#dirty.size === 0;
    this.#dirty.add(sender);
    this.#isUrgent ||= sender.isClosed;
    return wasEmpty || this.#isUrgent !== wasUrgent;
  }

  /** Returns the streams of endpoints that were released since the last call. */
  takeReleased(): readonly number[] {
    const released = this.#released;
    this.#released = [];
    return released;
  }

  /**
   * Writes the results if that is due, and returns after how many milliseconds to call it again. After a failure it throws, keeps the
   * results, and writes nothing for a second.
   */
  async step(): Promise<number> {
    const { writeMs } = this.#options;
    if (!this.#batch && this.#dirty.size === 0) return writeMs;
    const waitMs = this.#lastWriteAt + (this.#isUrgent ? URGENT_MS : writeMs) - performance.now();
    if (waitMs > 0) return waitMs;
    this.#batch ??= this.#collect();
    if (!this.#batch) return writeMs;
    try {
      await this.#write(this.#batch);
    } catch (error) {
      this.#failures += 1;
      this.#lastWriteAt = performance.now() + RETRY_MS - writeMs;
      throw error;
    }
    this.#batch = undefined;
    this.#failures = 0;
    this.#lastWriteAt = performance.now();
    return 0;
  }

  #collect(): ResultBatch | undefined {
    const batch = collectBatch(this.#dirty);
    this.#dirty.clear();
    this.#isUrgent = false;
    return batch;
  }

  async #write({ senders, results: all }: ResultBatch): Promise<void> {
    const { worker, leaseMs, clock } = this.#options;
    const from = performance.now();
    // A lost endpoint may be claimed again, also by this process: its newer progress must not be overwritten.
    const results = withoutEndpoints(all, new Set(senders.filter(({ isLost }) => isLost).map(({ id }) => id)));
    const own = await this.#db.begin((sql) => writePushResults(sql, results, { worker, leaseMs, now: clock() }));
    const released = new Set(results.endpoints.filter(({ isReleased }) => isReleased).map(({ id }) => id));
    for (const sender of senders)
      if (own.has(sender.id) && !released.has(sender.id)) {
        sender.confirmWritten();
        sender.setLease(from + leaseMs);
      } else {
        if (!own.has(sender.id)) sender.setLease(undefined);
        this.#release(sender);
      }
  }

  #release(sender: EndpointSender): void {
    if (this.#options.senders.get(sender.id) === sender) this.#options.senders.delete(sender.id);
    this.#released.push(sender.stream);
  }
}
