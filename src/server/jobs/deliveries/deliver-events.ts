import { randomUUID } from 'node:crypto';
import { plainSecretBox, type SecretBox } from '#lib/secret-box.ts';
import type { Deliverer } from '#delivery/webhook/deliverer.ts';
import { PUSH_CHANNEL } from '#store/deliveries/endpoint-claims.ts';
import { BLOCKS_CHANNEL } from '#store/flights/registration-blocks.ts';
import type { Database } from '#store/pool/database.ts';
import { BackgroundDriver, type RunOutcome } from '../driver.ts';
import { backgroundTasks } from '../task-registry.ts';
import { DeliveryClaimer } from './delivery-claimer.ts';
import { DeliveryWriter } from './delivery-writer.ts';
import type { EndpointSender } from './endpoint-sender.ts';

export type EventDeliveryOptions = {
  readonly deliverer: Pick<Deliverer, 'deliver'>;
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** The most endpoints that this process serves at the same time. */
  readonly maxEndpoints?: number;
  /** The most concurrent requests to one endpoint. */
  readonly maxConcurrency?: number;
  /** How long an endpoint stays claimed by a process that was killed, milliseconds. */
  readonly leaseMs?: number;
  /** Interval of polling for due retries, endpoints whose pause is over, and lost notifications, milliseconds. */
  readonly pollMs?: number;
  /** Interval of writing results, milliseconds: events sent since the last write are sent again after a kill. */
  readonly writeMs?: number;
  /** How long an endpoint is served before other processes may claim it, milliseconds. */
  readonly turnMs?: number;
  /** How long an idle endpoint stays claimed, milliseconds. */
  readonly lingerMs?: number;
  readonly driver?: BackgroundDriver | undefined;
  /** Decrypts the keys and header values of endpoints; by default they are stored as they are. */
  readonly secrets?: SecretBox | undefined;
};

const defaults = {
  maxEndpoints: 500,
  maxConcurrency: 8,
  // Another process takes over within five seconds: one lease and one poll.
  leaseMs: 4000,
  pollMs: backgroundTasks['claim-deliveries'].periodMs,
  writeMs: backgroundTasks['write-deliveries'].periodMs,
  turnMs: 5000,
  lingerMs: 1000,
} as const;

/** Failed writes after which a stopping process gives up. */
const MAX_FAILURES = 3;

/** Runs a claimer and a writer as two tasks, which trigger each other. */
class EventDelivery {
  readonly #senders = new Map<string, EndpointSender>();
  readonly #claimer: DeliveryClaimer;
  readonly #writer: DeliveryWriter;
  readonly #driver: BackgroundDriver;
  readonly #onError: (error: unknown) => void;
  readonly #pollMs: number;
  readonly #writeMs: number;
  readonly #drained = Promise.withResolvers<void>();
  #isStopping = false;
  #triggerClaimer = (): void => {};
  #triggerWriter = (): void => {};

  constructor(db: Database, settings: EventDeliveryOptions) {
    const options = { ...defaults, ...settings, worker: randomUUID(), senders: this.#senders };
    const { deliverer, driver = new BackgroundDriver(db), secrets = plainSecretBox } = options;
    this.#driver = driver;
    this.#onError = options.onError;
    this.#pollMs = options.pollMs;
    this.#writeMs = options.writeMs;
    this.#writer = new DeliveryWriter(db, options);
    this.#claimer = new DeliveryClaimer(db, {
      ...options,
      secrets,
      deliver: (endpoint, event) => deliverer.deliver(endpoint, event),
      onSettled: (sender) => {
        if (this.#writer.add(sender)) this.#triggerWriter();
        if (sender.needsInput()) this.#triggerClaimer();
      },
    });
  }

  /** Starts both tasks. Returns a function that completes current attempts, writes their results and releases all endpoints. */
  async start(): Promise<() => Promise<void>> {
    const claiming = await this.#driver.start('claim-deliveries', {
      run: async () => ({ nextInMs: await this.#claimer.step() }),
      onError: this.#onError,
      periodMs: this.#pollMs,
      onNotification: (channel) => this.#onNotification(channel),
    });
    const writing = await this.#driver.start('write-deliveries', {
      run: () => this.#write(),
      onError: this.#onError,
      periodMs: this.#writeMs,
    });
    this.#triggerClaimer = claiming.trigger;
    this.#triggerWriter = writing.trigger;
    return async () => {
      this.#closeSenders();
      await claiming.stop();
      // Endpoints that were being claimed.
      this.#closeSenders();
      this.#isStopping = true;
      writing.trigger();
      await this.#drained.promise;
      await writing.stop();
    };
  }

  #onNotification(channel: string): void {
    if (channel === BLOCKS_CHANNEL) {
      // Events in memory may contain a registration that is now blocked: they are read again.
      this.#closeSenders();
      this.#triggerWriter();
    } else this.#claimer.notify(channel === PUSH_CHANNEL ? 'endpoints' : 'events');
  }

  #closeSenders(): void {
    for (const sender of this.#senders.values()) sender.close();
  }

  async #write(): Promise<RunOutcome> {
    try {
      return { nextInMs: await this.#writer.step() };
    } finally {
      this.#claimer.checkStreams(this.#writer.takeReleased());
      this.#triggerClaimer();
      if (this.#isStopping) await this.#checkDrained();
    }
  }

  async #checkDrained(): Promise<void> {
    // The last attempts can take longer than a lease, and the claimer has stopped.
    await this.#claimer.renewLeases();
    // Results that cannot be written are repeated by the process that takes over.
    if (this.#senders.size === 0 || this.#writer.failures >= MAX_FAILURES) this.#drained.resolve();
  }
}

/**
 * Starts to post the events of accounts to their webhook endpoints. Any number of processes may run it: each endpoint is served by one of them
 * at a time, and taken over within `leaseMs` when that one is gone. A slow endpoint delays its own requests only. Returns a function that
 * completes current attempts and releases all endpoints.
 */
export const startEventDelivery = (db: Database, options: EventDeliveryOptions): Promise<() => Promise<void>> =>
  new EventDelivery(db, options).start();
