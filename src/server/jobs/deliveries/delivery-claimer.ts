import { setTimeout as delay } from 'node:timers/promises';
import type { SecretBox } from '#lib/secret-box.ts';
import type { Database } from '#store/pool/database.ts';
import {
  listDueEvents,
  listDueRetries,
  listOrderedRetries,
  type StreamPosition,
} from '#store/deliveries/due-events.ts';
import {
  claimEndpoints,
  getLastDistributedPosition,
  listPushTargets,
  renewClaims,
  listGrownStreams,
} from '#store/deliveries/endpoint-claims.ts';
import { EndpointSender, type EndpointSenderOptions } from './endpoint-sender.ts';

export type DeliveryClaimerOptions = EndpointSenderOptions & {
  /** The senders of the endpoints that this process has claimed, by endpoint ID. */
  readonly senders: Map<string, EndpointSender>;
  readonly worker: string;
  readonly maxEndpoints: number;
  readonly leaseMs: number;
  readonly pollMs: number;
  /** How long an endpoint is served before other processes may claim it, milliseconds. */
  readonly turnMs: number;
  /** How long an idle endpoint stays claimed, milliseconds. */
  readonly lingerMs: number;
  /** Decrypts the keys and header values of endpoints. */
  readonly secrets: SecretBox;
};

/** Endpoints claimed by one statement: few, so that processes that start together share them. */
const CLAIM_LIMIT = 32;
/** Events read by one statement. */
const READ_LIMIT = 2000;
/** Events that wait in this process: about 10 MB. */
const MAX_WAITING = 5000;
/** Events of one endpoint that are read at once, and after which it is released when other endpoints wait. */
const SLICE = 200;
const RETRY_LIMIT = 100;
/** An endpoint with an attempt that has lasted longer than this, milliseconds, is not released: its stream would stop until the end. */
const HANGING_MS = 1000;
/** The longest pause between two steps, milliseconds. */
const MAX_REST_MS = 100;

/** Claims endpoints that have work, and reads their events and retries from the database for all senders of this process. */
export class DeliveryClaimer {
  readonly #db: Database;
  readonly #options: DeliveryClaimerOptions;
  readonly #senders: Map<string, EndpointSender>;
  #hasNewEvents = true;
  #haveEndpointsChanged = true;
  /** Whether to check all endpoints for work, not only those of `#grownStreams`. */
  #isFullScanDue = false;
  readonly #grownStreams = new Set<number>();
  /** Position of the log up to which `#grownStreams` is known. */
  #seen: number | undefined;
  #nextPollAt = 0;
  #nextClaimAt = 0;
  #lastStepEndedAt = 0;
  #restMs = 0;
  /** Where the next event query starts among the senders. */
  #readOffset = 0;

  constructor(db: Database, options: DeliveryClaimerOptions) {
    this.#db = db;
    this.#options = options;
    this.#senders = options.senders;
  }

  /** Notes a notification: there are new events, or endpoints have changed. */
  notify(what: 'events' | 'endpoints'): void {
    if (what === 'endpoints') this.#haveEndpointsChanged = true;
    else this.#hasNewEvents = true;
  }

  /** Notes that endpoints of these streams may have work and no sender. */
  checkStreams(streams: readonly number[]): void {
    for (const stream of streams) this.#grownStreams.add(stream);
  }

  /** Renews leases that run out soon. `step` does so itself. */
  async renewLeases(): Promise<void> {
    await this.#renewLeases().catch(this.#options.onError);
  }

  /** Does the work that is due, and returns after how many milliseconds to call it again. */
  async step(): Promise<number> {
    // Rests half as long as the last step took, so that notifications that arrive meanwhile are handled together.
    await delay(Math.max(0, this.#lastStepEndedAt + this.#restMs - performance.now()));
    const startedAt = performance.now();
    try {
      await this.#work();
      return this.#computeWaitMs();
    } finally {
      this.#lastStepEndedAt = performance.now();
      this.#restMs = Math.min(MAX_REST_MS, this.#lastStepEndedAt - startedAt) / 2;
    }
  }

  async #work(): Promise<void> {
    const isPolling = performance.now() >= this.#nextPollAt;
    if (isPolling) this.#nextPollAt = performance.now() + this.#options.pollMs;
    await this.#renewLeases();
    if (isPolling || this.#haveEndpointsChanged) {
      this.#haveEndpointsChanged = false;
      this.#isFullScanDue = true;
      for (const sender of this.#senders.values()) sender.expectMore('retries');
      await this.#readTargets([...this.#senders.keys()]);
    }
    if (isPolling || this.#hasNewEvents) await this.#findGrownStreams();
    await this.#claimEndpoints();
    await this.#readEvents();
    await this.#readRetries();
    this.#releaseEndpoints();
  }

  async #renewLeases(): Promise<void> {
    const { leaseMs, worker } = this.#options;
    const from = performance.now();
    const ending = [...this.#senders.values()].filter((sender) => sender.leasedUntil - from < (2 / 3) * leaseMs);
    if (ending.length === 0) return;
    const own = await renewClaims(this.#db, { worker, leaseMs, ids: ending.map(({ id }) => id) });
    for (const sender of ending)
      if (own.has(sender.id)) sender.setLease(from + leaseMs);
      else this.#forget(sender);
  }

  #forget(sender: EndpointSender): void {
    sender.setLease(undefined);
    // A sender that was released meanwhile may have a successor.
    if (this.#senders.get(sender.id) === sender) this.#senders.delete(sender.id);
  }

  async #readTargets(ids: readonly string[]): Promise<void> {
    const { clock, secrets } = this.#options;
    const targets = await listPushTargets(this.#db, ids, { now: clock(), secrets });
    for (const id of ids) this.#senders.get(id)?.setTarget(targets.get(id));
  }

  async #findGrownStreams(): Promise<void> {
    this.#hasNewEvents = false;
    if (this.#seen === undefined) {
      this.#seen = await getLastDistributedPosition(this.#db);
      this.#isFullScanDue = true;
      return;
    }
    const { position, streams } = await listGrownStreams(this.#db, this.#seen);
    this.#seen = position;
    if (streams.length === 0) return;
    this.checkStreams(streams);
    for (const sender of this.#senders.values()) if (this.#grownStreams.has(sender.stream)) sender.expectMore('events');
  }

  async #claimEndpoints(): Promise<void> {
    const { worker, leaseMs, clock, maxEndpoints } = this.#options;
    const from = performance.now();
    const limit = Math.min(CLAIM_LIMIT, maxEndpoints - this.#senders.size);
    if (limit <= 0 || !this.#isClaimWanted() || from < this.#nextClaimAt) return;
    const isFullScan = this.#isFullScanDue;
    const streams = [...this.#grownStreams];
    this.#isFullScanDue = false;
    this.#grownStreams.clear();
    const claimed = await claimEndpoints(this.#db, {
      worker,
      leaseMs,
      limit,
      now: clock(),
      streams: isFullScan ? undefined : streams,
      held: [...this.#senders.keys()],
      withRetries: isFullScan,
    });
    const isComplete = claimed.length < limit;
    if (!isComplete) {
      this.#isFullScanDue ||= isFullScan;
      this.checkStreams(streams);
    }
    // Claiming takes a quarter of the time at most.
    this.#nextClaimAt = isComplete ? 4 * performance.now() - 3 * from : 0;
    const pending = await listOrderedRetries(
      this.#db,
      claimed.map(({ id }) => id),
    );
    for (const endpoint of claimed) {
      const sender = new EndpointSender({ ...endpoint, pending: pending.get(endpoint.id) ?? [] }, this.#options);
      this.#senders.set(endpoint.id, sender);
      sender.setLease(from + leaseMs);
    }
    await this.#readTargets(claimed.map(({ id }) => id));
  }

  #isClaimWanted(): boolean {
    return this.#isFullScanDue || this.#grownStreams.size > 0;
  }

  async #readEvents(): Promise<void> {
    const slice = Math.min(SLICE, Math.floor(MAX_WAITING / this.#senders.size));
    const limit = Math.max(3 * this.#options.maxConcurrency, slice);
    const queries = this.#collectEventQueries(Math.ceil(READ_LIMIT / limit));
    const due = await listDueEvents(this.#db, queries, limit).catch((error: unknown) => {
      for (const { id } of queries) this.#senders.get(id)?.expectMore('events');
      throw error;
    });
    for (const query of queries) this.#senders.get(query.id)?.addEvents(due.get(query.id), { ...query, limit });
  }

  /** Returns up to `limit` queries; each call starts with other senders. */
  #collectEventQueries(limit: number): readonly StreamPosition[] {
    const senders = [...this.#senders.values()];
    const queries: StreamPosition[] = [];
    for (let index = 0; index < senders.length && queries.length < limit; index += 1) {
      const query = senders[(this.#readOffset + index) % senders.length]?.nextEventQuery();
      if (query) queries.push(query);
    }
    this.#readOffset += queries.length;
    return queries;
  }

  async #readRetries(): Promise<void> {
    const endpoints = [...this.#senders.values()].filter((sender) => sender.needsRetries());
    const readFrom = performance.now();
    const due = await listDueRetries(this.#db, { endpoints, now: this.#options.clock(), limit: RETRY_LIMIT });
    for (const sender of endpoints) sender.addRetries(due.get(sender.id) ?? [], { limit: RETRY_LIMIT, readFrom });
  }

  /** Closes senders that are idle, or that have been served long enough while others wait. */
  #releaseEndpoints(): void {
    const { maxEndpoints, turnMs, lingerMs } = this.#options;
    const now = performance.now();
    const isFull = this.#senders.size >= maxEndpoints;
    for (const sender of this.#senders.values()) {
      const { idleSince, busySince } = sender;
      if (idleSince !== undefined && (isFull || now - idleSince >= lingerMs)) sender.close();
      const isTurnOver = now - sender.claimedAt >= turnMs || (isFull && sender.sentCount >= SLICE);
      if (isTurnOver && now - (busySince ?? now) < HANGING_MS) sender.close();
    }
  }

  #computeWaitMs(): number {
    const { maxEndpoints, leaseMs } = this.#options;
    const now = performance.now();
    if ([...this.#senders.values()].some((sender) => sender.needsInput())) return 0;
    const canClaim = this.#isClaimWanted() && this.#senders.size < maxEndpoints;
    const claimMs = canClaim ? this.#nextClaimAt - now : Infinity;
    return Math.max(0, Math.min(this.#nextPollAt - now, claimMs, leaseMs / 4));
  }
}
