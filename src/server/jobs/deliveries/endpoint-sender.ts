import type { WebhookEndpoint } from '#delivery/webhook/deliverer.ts';
import { type DeliveryResult, toAttemptLogEntry } from '#delivery/webhook/delivery-result.ts';
import { scheduleNextAttempt } from '#delivery/webhook/retry-schedule.ts';
import type { OutgoingEvent } from '#delivery/webhook/signatures.ts';
import { renderEvent } from '#products/flight-info-alerts/v1/events/render-event.ts';
import type { DueEvents, PendingRetry, PushEvent, DueRetry, StreamPosition } from '#store/deliveries/due-events.ts';
import type { ClaimedEndpoint, PushTarget } from '#store/deliveries/endpoint-claims.ts';
import type { PushResults } from '#store/deliveries/delivery-results.ts';
import { EventProgress } from './event-progress.ts';
import { FlightOrder } from './flight-order.ts';
import { isCircuitOpen, isHalfOpen, updateHealth, type EndpointHealth } from './endpoint-health.ts';

export type EndpointSenderOptions = {
  readonly deliver: (endpoint: WebhookEndpoint, event: OutgoingEvent) => Promise<DeliveryResult>;
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** The most concurrent requests to the endpoint. */
  readonly maxConcurrency: number;
  /** Called when an attempt ends, and when the sender closes. */
  readonly onSettled: (sender: EndpointSender) => void;
};

/** How many numbers may be attempted beyond one whose attempt hangs: they are stored with the progress of the endpoint. */
const MAX_BEYOND = 500;
/** Pause of an endpoint to which this service cannot send, such as one without keys, milliseconds. */
const UNUSABLE_PAUSE_MS = 300_000;
/** How long an event waits for an earlier one of its flight that is due but was not read yet, milliseconds. */
const BLOCKED_MS = 1000;

/** A claimed endpoint with the retries for which later events of their flights wait. */
export type OrderedEndpoint = ClaimedEndpoint & { readonly pending: readonly PendingRetry[] };

type DeliveryJob =
  | { readonly kind: 'first'; readonly attempts: 0; readonly version: undefined; readonly event: PushEvent }
  | { readonly kind: 'retry'; readonly attempts: number; readonly version: string; readonly event: PushEvent };

/** When and to which URL an attempt was made. */
type AttemptContext = { readonly madeAt: Date; readonly url: string };

type UnwrittenResults = { -readonly [Name in keyof Omit<PushResults, 'endpoints'>]: PushResults[Name][number][] };

const noResults = (): UnwrittenResults => ({ attempts: [], retries: [], deadLetters: [] });

/**
 * Sends events to one webhook endpoint while this process has claimed it. First attempts start in the order of the stream, and those of one
 * flight follow each other. With the ordering `flight`, events of a flight also wait for its retries: they become retries themselves, so that
 * the stream goes on. It has no access to the database: the claimer reads for many senders in one query, and the writer writes their
 * results in one transaction. Times without a date are those of `performance.now()`, milliseconds.
 */
export class EndpointSender {
  readonly id: string;
  readonly stream: number;
  readonly claimedAt = performance.now();
  readonly #options: EndpointSenderOptions;
  readonly #attempted: EventProgress;
  readonly #waitingEvents: PushEvent[] = [];
  readonly #waitingRetries: DueRetry[] = [];
  /** Retries that were read and whose result is not written: the database still lists them as due. */
  readonly #retriesInHand = new Set<number>();
  /** Those of them whose result is being written. */
  #retriesBeingWritten: readonly number[] = [];
  /** When the results of retries were written: a query that began before shows them as still due. */
  readonly #retriesWrittenAt = new Map<number, number>();
  readonly #busyFlights = new Set<string>();
  readonly #order = new FlightOrder();
  /** Current attempts with their start times. */
  readonly #attempts = new Map<DeliveryJob, number>();
  #readUpTo: number;
  #mayHaveEvents = true;
  #mayHaveRetries = true;
  #isGapAhead = false;
  #target: PushTarget | undefined;
  #endpointHealth: EndpointHealth;
  #unwritten = noResults();
  #closed = false;
  #lost = false;
  #disabled = false;
  #dirty = false;
  #isRetryNext = false;
  #wasRetryPageFull = false;
  #leasedUntil = 0;
  #sentCount = 0;
  #lastBusyAt = this.claimedAt;

  constructor({ id, stream, number, finished, health, pending }: OrderedEndpoint, options: EndpointSenderOptions) {
    this.id = id;
    this.stream = stream;
    this.#options = options;
    this.#attempted = new EventProgress(number, finished);
    this.#readUpTo = number;
    this.#endpointHealth = { health, disabledFor: undefined };
    for (const retry of pending) this.#order.add(retry.flightKey, retry.number, retry.dueAt);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Whether another process may have claimed the endpoint: that process repeats what this one has not written. */
  get isLost(): boolean {
    return this.#lost;
  }

  get leasedUntil(): number {
    return this.#leasedUntil;
  }

  /** Completed attempts. */
  get sentCount(): number {
    return this.#sentCount;
  }

  /** Since when it has had nothing to do; undefined while it has. */
  get idleSince(): number | undefined {
    const pending = this.#attempts.size + this.#waitingEvents.length + this.#waitingRetries.length;
    return pending > 0 || this.#dirty || this.#mayHaveEvents || this.#closed ? undefined : this.#lastBusyAt;
  }

  /** When the longest current attempt began. */
  get busySince(): number | undefined {
    return this.#attempts.values().next().value;
  }

  /** Whether its queues run low although the database may hold more. */
  needsInput(): boolean {
    return this.#needsEvents() || this.needsRetries();
  }

  needsRetries(): boolean {
    return !this.#closed && this.#mayHaveRetries && this.#waitingRetries.length === 0;
  }

  /** Returns the query for its next events; undefined while it has enough. */
  nextEventQuery(): StreamPosition | undefined {
    if (!this.#needsEvents()) return undefined;
    this.#mayHaveEvents = false;
    this.#isGapAhead = false;
    return { id: this.id, stream: this.stream, after: this.#lastRead() };
  }

  /** Adds the result of an event query. */
  addEvents(due: DueEvents | undefined, { after, limit }: StreamPosition & { readonly limit: number }): void {
    if (this.#closed || !due) return;
    this.#mayHaveEvents ||= due.kind === 'expired' || due.events.length >= limit;
    if (due.kind === 'expired') {
      // Events before the gap are attempted first, so that only those in the gap become dead letters.
      if (after > this.#attempted.upTo) this.#isGapAhead = true;
      else for (const [from, to] of this.#attempted.skipTo(due.oldest - 1)) this.#expire(from, to, 0);
      return;
    }
    for (const event of due.events) {
      this.#readUpTo = event.number;
      if (!this.#attempted.has(event.number)) this.#waitingEvents.push(event);
    }
    this.#startAttempts();
  }

  /** Adds the result of a query for due retries that began at `readFrom`. */
  addRetries(
    due: readonly DueRetry[],
    { limit, readFrom }: { readonly limit: number; readonly readFrom: number },
  ): void {
    if (this.#closed) return;
    this.#wasRetryPageFull = due.length >= limit;
    let isOutdated = false;
    for (const retry of due) {
      if (this.#retriesInHand.has(retry.number)) continue;
      if ((this.#retriesWrittenAt.get(retry.number) ?? -Infinity) >= readFrom) isOutdated = true;
      else this.#addRetry(retry);
    }
    for (const [number, at] of this.#retriesWrittenAt) if (at < readFrom) this.#retriesWrittenAt.delete(number);
    // A page that contains only retries in hand is the same again until their results are written.
    this.#mayHaveRetries = isOutdated || (this.#wasRetryPageFull && this.#waitingRetries.length > 0);
    this.#startAttempts();
  }

  /** Notes that the database may hold more to send. */
  expectMore(what: 'events' | 'retries'): void {
    if (what === 'events') this.#mayHaveEvents = true;
    else this.#mayHaveRetries = true;
  }

  /** Sets where events are sent from now on; undefined closes the sender. */
  setTarget(target: PushTarget | undefined): void {
    this.#target = target;
    if (target) this.#startAttempts();
    else this.close();
  }

  /** Sets until when no other process can claim the endpoint; undefined after another one has. */
  setLease(until: number | undefined): void {
    this.#leasedUntil = until ?? 0;
    this.#lost ||= until === undefined;
    if (this.#lost) this.close();
    else this.#startAttempts();
  }

  /** Starts no further attempts. Events that were not attempted stay in the stream. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#dirty = true;
    this.#waitingEvents.length = 0;
    this.#waitingRetries.length = 0;
    this.#options.onSettled(this);
  }

  /** Returns the results to write; undefined when there are none. */
  collectResults(): PushResults | undefined {
    const isReleased = this.#closed && this.#attempts.size === 0;
    // A closed sender writes only attempts until it is released.
    const isPending = this.#closed && !isReleased && this.#unwritten.attempts.length === 0;
    if (this.#lost || !this.#dirty || isPending) return undefined;
    const progress = { number: this.#attempted.upTo, finished: this.#attempted.listBeyond() };
    const results = {
      endpoints: [{ id: this.id, ...progress, ...this.#endpointHealth, isReleased }],
      ...this.#unwritten,
    };
    // Not those of first attempts: a retry that such a result schedules can be read and sent before its write is confirmed.
    this.#retriesBeingWritten = results.retries
      .map(({ number }) => number)
      .filter((number) => this.#retriesInHand.has(number));
    this.#unwritten = noResults();
    // Written once: the endpoint may be enabled again during its last attempts.
    this.#endpointHealth = { ...this.#endpointHealth, disabledFor: undefined };
    this.#dirty = this.#closed && !isReleased;
    return results;
  }

  /** Notes that the collected results were written. */
  confirmWritten(): void {
    for (const number of this.#retriesBeingWritten) {
      this.#retriesInHand.delete(number);
      this.#retriesWrittenAt.set(number, performance.now());
    }
    this.#retriesBeingWritten = [];
    this.#mayHaveRetries ||= this.#wasRetryPageFull;
  }

  #lastRead(): number {
    return Math.max(this.#readUpTo, this.#attempted.upTo);
  }

  #needsEvents(): boolean {
    const isFull = this.#waitingEvents.length >= 2 * this.#options.maxConcurrency;
    if (this.#closed || !this.#mayHaveEvents || isFull) return false;
    return this.#lastRead() - this.#attempted.upTo < (this.#isGapAhead ? 1 : MAX_BEYOND);
  }

  #addRetry(retry: DueRetry): void {
    const { number, attempts, version, event } = retry;
    this.#retriesInHand.add(number);
    if (event) {
      this.#waitingRetries.push(retry);
      return;
    }
    this.#order.delete(number);
    this.#expire(number, number, attempts);
    this.#unwritten.retries.push({ endpointId: this.id, number, attempts, dueAt: undefined, version });
  }

  /** Records events that are no longer retained as dead letters. */
  #expire(from: number, to: number, attempts: number): void {
    const letter = { endpointId: this.id, number: from, lastNumber: to, eventId: undefined, attempts };
    this.#unwritten.deadLetters.push({ ...letter, reason: 'expired' });
    this.#dirty = true;
    this.#options.onSettled(this);
  }

  #startAttempts(): void {
    for (;;) {
      if (this.#closed || !this.#target || performance.now() >= this.#leasedUntil) return;
      const limit = isHalfOpen(this.#endpointHealth.health) ? 1 : this.#options.maxConcurrency;
      if (this.#attempts.size >= limit) return;
      const job = this.#nextJob();
      if (!job) return;
      void this.#attempt(job, this.#target);
    }
  }

  get #isOrdered(): boolean {
    return this.#target?.ordering === 'flight';
  }

  /** Whether an earlier event of the flight is being sent, or is about to be. */
  #isEarlierInHand({ flightKey, number }: PushEvent): boolean {
    const isEarlier = ({ event }: DueRetry): boolean => event?.flightKey === flightKey && event.number < number;
    return this.#busyFlights.has(flightKey) || this.#waitingRetries.some(isEarlier);
  }

  /** Returns when to send an event that waits for a retry of its flight; undefined if it waits for none, or only shortly. */
  #findDelay(event: PushEvent): Date | undefined {
    const dueAt = this.#order.findBlock(event.flightKey, event.number);
    if (dueAt === undefined || this.#isEarlierInHand(event)) return undefined;
    return new Date(Math.max(dueAt, this.#options.clock().getTime() + BLOCKED_MS));
  }

  /** Turns events that wait for an earlier one of their flight into retries at its time. */
  #delayBlocked(): void {
    const delay = (event: PushEvent, { attempts, version }: Pick<DeliveryJob, 'attempts' | 'version'>): boolean => {
      const dueAt = this.#findDelay(event);
      if (!dueAt) return false;
      const { number, flightKey } = event;
      this.#order.add(flightKey, number, dueAt);
      this.#unwritten.retries.push({ endpointId: this.id, number, attempts, dueAt, version });
      this.#dirty = true;
      return true;
    };
    // Retries first: an event that waits for one of them waits longer when that one does.
    const retries = this.#waitingRetries.splice(0);
    for (const retry of retries) if (!retry.event || !delay(retry.event, retry)) this.#waitingRetries.push(retry);
    const events = this.#waitingEvents.splice(0);
    for (const event of events)
      if (delay(event, { attempts: 0, version: undefined })) this.#attempted.add(event.number);
      else this.#waitingEvents.push(event);
  }

  #findWaitingRetry(): number {
    if (!this.#isOrdered) return this.#waitingRetries.length > 0 ? 0 : -1;
    return this.#waitingRetries.findIndex(({ event }) => event && !this.#isEarlierInHand(event));
  }

  #findWaitingEvent(): number {
    return this.#waitingEvents.findIndex((event) =>
      this.#isOrdered ? !this.#isEarlierInHand(event) : !this.#busyFlights.has(event.flightKey),
    );
  }

  /** Alternates between events and retries, so that neither waits for a backlog of the other. */
  #nextJob(): DeliveryJob | undefined {
    if (this.#isOrdered) this.#delayBlocked();
    const index = this.#findWaitingEvent();
    const retryIndex = this.#isRetryNext || index === -1 ? this.#findWaitingRetry() : -1;
    const [retry] = retryIndex === -1 ? [] : this.#waitingRetries.splice(retryIndex, 1);
    this.#isRetryNext = retry === undefined;
    if (retry?.event) return { ...retry, kind: 'retry', event: retry.event };
    const [event] = index === -1 ? [] : this.#waitingEvents.splice(index, 1);
    return event && { kind: 'first', attempts: 0, version: undefined, event };
  }

  async #attempt(job: DeliveryJob, { url, header, keys }: PushTarget): Promise<void> {
    const { clock, deliver, onSettled } = this.#options;
    const { event } = job;
    this.#attempts.set(job, performance.now());
    const isExclusive = job.kind === 'first' || this.#isOrdered;
    if (isExclusive) this.#busyFlights.add(event.flightKey);
    try {
      const madeAt = clock();
      const signing = keys.filter(({ endsAt }) => endsAt === undefined || endsAt > madeAt).map(({ key }) => key);
      const outcome = await deliver({ url, keys: signing, header }, { id: event.id, body: renderEvent(event) });
      this.#settle(job, outcome, { madeAt, url });
    } catch (error) {
      this.#pauseUnusable(error);
    }
    this.#attempts.delete(job);
    if (isExclusive) this.#busyFlights.delete(event.flightKey);
    this.#lastBusyAt = performance.now();
    this.#startAttempts();
    onSettled(this);
  }

  #settle(job: DeliveryJob, outcome: DeliveryResult, { madeAt, url }: AttemptContext): void {
    const now = this.#options.clock();
    this.#recordAttempt(job, outcome, { madeAt, now });
    if (job.kind === 'first') this.#attempted.add(job.event.number);
    this.#sentCount += 1;
    this.#dirty = true;
    // The outcome at a former URL does not count for the current one.
    if (this.#disabled || (this.#target && this.#target.url !== url)) return;
    this.#endpointHealth = updateHealth(this.#endpointHealth.health, outcome, now);
    this.#disabled = this.#endpointHealth.disabledFor !== undefined;
    if (this.#disabled || isCircuitOpen(this.#endpointHealth.health, now)) this.close();
  }

  #recordAttempt(
    { kind, attempts: earlier, version, event }: DeliveryJob,
    outcome: DeliveryResult,
    { madeAt, now }: { readonly madeAt: Date; readonly now: Date },
  ): void {
    const endpointId = this.id;
    const { number, id: eventId } = event;
    const attempts = earlier + 1;
    const next = scheduleNextAttempt(outcome, { attempts, now, random: Math.random() });
    const nextAt = 'at' in next ? next.at : undefined;
    const attempt = { endpointId, number, eventId, attempt: attempts, madeAt, ...toAttemptLogEntry(outcome), nextAt };
    this.#unwritten.attempts.push(attempt);
    if (nextAt) this.#order.add(event.flightKey, number, nextAt);
    else this.#order.delete(number);
    if (kind === 'retry' || nextAt)
      this.#unwritten.retries.push({ endpointId, number, attempts, dueAt: nextAt, version });
    if ('over' in next && next.over !== 'delivered')
      this.#unwritten.deadLetters.push({
        endpointId,
        number,
        lastNumber: number,
        eventId,
        attempts,
        reason: next.over,
      });
  }

  /** Pauses an endpoint after an error of this service. The event stays in the stream. */
  #pauseUnusable(error: unknown): void {
    this.#options.onError(error);
    const backoffUntil = new Date(this.#options.clock().getTime() + UNUSABLE_PAUSE_MS);
    this.#endpointHealth = { ...this.#endpointHealth, health: { ...this.#endpointHealth.health, backoffUntil } };
    this.close();
  }
}
