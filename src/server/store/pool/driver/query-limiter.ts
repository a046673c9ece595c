import type postgres from 'postgres';
import { CodelQueue, type CodelLimits, type QueueEntry } from '#lib/codel-queue.ts';
import { createLinkedList, type ListNode } from '#lib/linked-list.ts';
import { isConnectionLost, isServerEnding } from './database-errors.ts';
import { isPendingQuery, onSettle, type PendingQuery } from './pending-query.ts';

export type QueryLimits = {
  /** How long a caller waits while the database does not respond at all, milliseconds. */
  readonly unresponsiveMs: number;
  /** How long queries wait to be sent while the database answers others. */
  readonly queue: CodelLimits;
  /** How long a query that is sent waits behind others on its connection, milliseconds. */
  readonly pipelineMs: number;
  readonly executionMs: number;
  /** The most queries that are sent at the same time; the others are queued. */
  readonly maxConcurrent: number;
};

/** How the limiter controls a query of the driver. */
type QueryControl = {
  readonly send: () => void;
  /** Whether the database is executing it; otherwise it waits behind another query on its connection. */
  readonly isActive: () => boolean;
  /** Rejects the promise of the caller. */
  readonly reject: (error: Error) => void;
};

/** A query and its state. */
export type LimitedQuery = QueryControl & {
  /** When the caller began to wait, ticks. */
  since: number;
  state: 'new' | 'queued' | 'sent' | 'settled';
  /** Its place among the queries that callers wait for, and among those that are not sent yet. */
  awaitedNode?: ListNode<LimitedQuery>;
  queueEntry?: QueueEntry<LimitedQuery>;
};

/** A temporary rejection: the database is unreachable or does not answer in time. */
class StoreBusy extends Error {
  override readonly name = 'StoreBusy';
  readonly code = 'STORE_BUSY';
}

/** A temporary rejection: the database answers, but more queries wait than it can execute in time. */
class StoreOverloaded extends Error {
  override readonly name = 'StoreOverloaded';
  readonly code = 'STORE_OVERLOADED';
}

const AWAY = 'the database is unreachable';
const LATE = 'the database does not respond in time';

/** The unit of time. A busy process counts one tick however long it was busy, so results that arrived meanwhile are not missed. */
const TICK_MS = 50;
const toTicks = (ms: number): number => Math.max(1, Math.ceil(ms / TICK_MS));
/** How long queries stay without any result before the database counts as stalled. */
const STALLED_TICKS = toTicks(200);
/** The pause between probes, and how long a probe may stay unanswered before another one is sent beside it. */
const PROBE_TICKS = toTicks(200);
const SILENT_PROBE_TICKS = toTicks(2000);

/**
 * Limits the queries of a pool in number and time, with a CoDel queue and a circuit breaker. A single query can be slow while others get results, but
 * no caller waits long for a database that does not respond at all. Circuit states: `closed` sends queries; a lost connection makes it `half-open`, in which
 * queries are queued until a probe succeeds; if none does it is `open`, and all queries are rejected at once until a probe succeeds.
 */
export class QueryLimiter {
  readonly #probe: () => Promise<unknown>;
  readonly #maxConcurrent: number;
  readonly #unresponsiveTicks: number;
  readonly #pipelineTicks: number;
  readonly #executionTicks: number;
  /** Queries that callers wait for, oldest first. */
  readonly #awaited = createLinkedList<LimitedQuery>();
  /** Queries that are not sent yet, oldest first. */
  readonly #queue: CodelQueue<LimitedQuery>;
  #circuit: 'closed' | 'half-open' | 'open' = 'closed';
  /** Queries sent and not settled. */
  #concurrent = 0;
  #ticks = 0;
  #lastResultAt = 0;
  #lastProbeAt = -Infinity;
  #probes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { unresponsiveMs, queue, pipelineMs, executionMs, maxConcurrent }: QueryLimits,
    probe: () => Promise<unknown>,
  ) {
    this.#probe = probe;
    this.#maxConcurrent = maxConcurrent;
    this.#unresponsiveTicks = toTicks(unresponsiveMs);
    this.#queue = new CodelQueue(queue, () => this.#ticks * TICK_MS);
    this.#pipelineTicks = toTicks(pipelineMs);
    this.#executionTicks = toTicks(executionMs);
  }

  /** Creates the state of a query, which `admit` then sends, queues or rejects. */
  create(control: QueryControl): LimitedQuery {
    return { ...control, since: 0, state: 'new' };
  }

  /** Whether the database is unreachable, so that all queries are rejected. */
  isAway(): boolean {
    return this.#circuit === 'open';
  }

  /** Whether queries wait for a database that may be lost, before that is certain. */
  isStalled(): boolean {
    const oldest = this.#awaited.first();
    if (this.#circuit !== 'closed' || !oldest) return this.#circuit === 'half-open';
    return this.#ticks - Math.max(oldest.since, this.#lastResultAt) >= STALLED_TICKS;
  }

  /** Sends, queues or rejects a query. */
  admit(query: LimitedQuery): void {
    if (this.#circuit === 'open') return this.#reject(query, new StoreBusy(AWAY));
    if (this.#circuit === 'closed' && this.#hasCapacity()) {
      this.#await(query);
      return this.#send(query);
    }
    query.state = 'queued';
    query.queueEntry = this.#queue.push(query);
    return this.#await(query);
  }

  /** Records a result of the database, whether a caller still waits for it or not. */
  onResolved(query: LimitedQuery): void {
    this.#settle(query);
    this.#onAlive();
  }

  onRejected(query: LimitedQuery, error: unknown): void {
    this.#settle(query);
    if (!isConnectionLost(error)) this.#onAlive();
    else if (this.#circuit === 'closed') this.#setCircuit('half-open');
  }

  /** Rejects when work that sends its queries by another way takes longer than a query may. */
  async withTimeout<T>(work: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const control = { send: () => {}, isActive: () => true, reject: late.reject };
    const query: LimitedQuery = { ...this.create(control), state: 'sent' };
    this.#await(query);
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      this.#removeAwaited(query);
    }
  }

  #hasCapacity(): boolean {
    return this.#concurrent < this.#maxConcurrent;
  }

  #send(query: LimitedQuery): void {
    query.state = 'sent';
    this.#concurrent += 1;
    query.send();
  }

  #await(query: LimitedQuery): void {
    // While no query was awaited there was nothing to answer.
    if (this.#awaited.size() === 0 && this.#circuit === 'closed') this.#lastResultAt = this.#ticks;
    query.since = this.#ticks;
    query.awaitedNode = this.#awaited.append(query);
    this.#startTicking();
  }

  #settle(query: LimitedQuery): void {
    this.#removeAwaited(query);
    if (query.state === 'sent') this.#concurrent -= 1;
    query.state = 'settled';
  }

  #reject(query: LimitedQuery, error: StoreBusy | StoreOverloaded): void {
    this.#removeAwaited(query);
    this.#removeQueued(query);
    if (query.state !== 'sent') query.state = 'settled';
    query.reject(error);
  }

  #removeAwaited({ awaitedNode }: LimitedQuery): void {
    if (awaitedNode) this.#awaited.remove(awaitedNode);
  }

  #removeQueued({ queueEntry }: LimitedQuery): void {
    if (queueEntry) this.#queue.remove(queueEntry);
  }

  #setCircuit(next: 'closed' | 'half-open' | 'open'): void {
    const previous = this.#circuit;
    this.#circuit = next;
    if (next === 'open')
      for (let query = this.#queue.shift(); query; query = this.#queue.shift())
        this.#reject(query, new StoreBusy(AWAY));
    if (next !== 'closed') return this.#startTicking();
    // After an outage, the queue shows how long that was, not an overload.
    if (previous === 'closed') this.#rejectOverloaded();
    while (this.#hasCapacity()) {
      const query = this.#queue.shift();
      if (!query) break;
      this.#send(query);
    }
    return undefined;
  }

  /** Rejects the queries that have waited for too long. Only at a result: a database that returns none is not overloaded but unavailable. */
  #rejectOverloaded(): void {
    for (let query = this.#queue.shiftOverdue(); query; query = this.#queue.shiftOverdue())
      this.#reject(query, new StoreOverloaded('too many queries wait for the database'));
  }

  #onAlive(): void {
    this.#lastResultAt = this.#ticks;
    this.#setCircuit('closed');
  }

  async #sendProbe(): Promise<void> {
    if (this.#ticks - this.#lastProbeAt < (this.#probes > 0 ? SILENT_PROBE_TICKS : PROBE_TICKS)) return;
    this.#lastProbeAt = this.#ticks;
    this.#probes += 1;
    try {
      await this.#probe();
      this.#onAlive();
    } catch (error) {
      if (isConnectionLost(error)) this.#setCircuit('open');
    } finally {
      this.#probes -= 1;
    }
  }

  #isUnresponsive({ since }: LimitedQuery): boolean {
    return this.#ticks - Math.max(since, this.#lastResultAt) >= this.#unresponsiveTicks;
  }

  /** Returns the error of a query that has waited for too long, if it has. The queue itself limits how long queries wait in it. */
  #findDelay(query: LimitedQuery): StoreBusy | StoreOverloaded | undefined {
    if (this.#isUnresponsive(query)) return new StoreBusy(LATE);
    if (query.state === 'queued') return undefined;
    const age = this.#ticks - query.since;
    if (query.isActive()) return age >= this.#executionTicks ? new StoreBusy(LATE) : undefined;
    return age >= this.#pipelineTicks ? new StoreOverloaded('previous queries take too long') : undefined;
  }

  #rejectOverdue(): void {
    for (const query of this.#awaited.toArray()) {
      if (this.#ticks - query.since < Math.min(this.#unresponsiveTicks, this.#pipelineTicks)) break;
      const error = this.#findDelay(query);
      if (!error) continue;
      this.#reject(query, error);
      if (this.#ticks - this.#lastResultAt >= this.#unresponsiveTicks) this.#setCircuit('open');
    }
  }

  #tick(): void {
    this.#ticks += 1;
    this.#rejectOverdue();
    const oldest = this.#awaited.first();
    if (this.#circuit !== 'closed' || (oldest && this.#ticks - oldest.since >= this.#unresponsiveTicks / 2))
      void this.#sendProbe();
    if (this.#awaited.size() > 0 || this.#circuit !== 'closed') return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #startTicking(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }
}

/**
 * Limits the queries and transactions of a pool: what is not answered in time rejects with `STORE_BUSY`, and what cannot be sent in time
 * with `STORE_OVERLOADED`. The driver (3.4.9) itself queues any
 * number of queries for any time. `probe` sends an unlimited query. A transaction has as much time as a query; its result after that is dropped.
 */
export const limitQueries = <Types extends Record<string, unknown>>(
  sql: postgres.Sql<Types>,
  limits: QueryLimits,
  probe: () => Promise<unknown>,
): postgres.Sql<Types> & { readonly isAway: () => boolean; readonly isStalled: () => boolean } => {
  const { begin, unsafe } = sql;
  const limiter = new QueryLimiter(limits, probe);
  const limit = <T>(value: T): T => {
    if (!isPendingQuery(value)) return value;
    const send = value.handler;
    // Called once, when the query is first awaited; never for a fragment of another query.
    const admit = (query: PendingQuery): void => {
      const { reject } = query;
      let hasRetried = false;
      const limited = limiter.create({ send: () => void send(query), isActive: () => query.active, reject });
      onSettle(query, {
        resolved: () => limiter.onResolved(limited),
        rejected: (error) => limiter.onRejected(limited, error),
        // The driver keeps the last error of a connection that the server ended, and rejects the query that reconnects with it, unsent.
        retried: (error) => {
          if (hasRetried || query.state !== null || !isServerEnding(error)) return false;
          hasRetried = true;
          void send(query);
          return true;
        },
      });
      limiter.admit(limited);
    };
    value.handler = admit;
    return value;
  };
  const beginLimited = (...values: Parameters<typeof begin>): Promise<unknown> =>
    limiter.withTimeout(Reflect.apply(begin, sql, values));
  // `unsafe` also sends the statement that begins a transaction.
  const limited = Object.assign(sql, {
    begin: beginLimited,
    unsafe: (...values: Parameters<typeof unsafe>) => limit(Reflect.apply(unsafe, sql, values)),
    isAway: () => limiter.isAway(),
    isStalled: () => limiter.isStalled(),
  });
  return new Proxy(limited, { apply: (target, self, values) => limit<unknown>(Reflect.apply(target, self, values)) });
};
