import type postgres from 'postgres';

type ChannelListener = { readonly onPayload: (payload: string) => void; readonly onListening: () => void };

type Session = Pick<postgres.Sql, 'unsafe' | 'end'>;

/** Callbacks of a session. */
export type SessionEvents = {
  readonly onNotify: (channel: string, payload: string) => void;
  readonly onClose: () => void;
};

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5000;
const MAX_FAILURES = 10;

const quoted = (channel: string): string => `"${channel.replaceAll('"', '""')}"`;

/**
 * Listens on any number of channels over one session. The `listen` of the driver (3.4.9) queues every channel again at each attempt to
 * connect, beside those of earlier attempts: while the database is unreachable, that queue grows without limit. Here one attempt follows
 * the other, with backoff up to five seconds and one statement for all channels.
 */
export class NotificationListener {
  readonly #open: (events: SessionEvents) => Session;
  readonly #channels = new Map<string, Set<ChannelListener>>();
  /** Channels on which the session listens. */
  readonly #active = new Set<string>();
  #session: Session | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Settles when the attempt in progress ends; attempts run one after the other. */
  #attempt: Promise<void> = Promise.resolve();
  #failures = 0;
  #closed = false;

  constructor(open: (events: SessionEvents) => Session) {
    this.#open = open;
  }

  /**
   * Calls `onPayload` for each notification on a channel, and `onListening` whenever listening starts: at first and after each loss of the
   * connection, because notifications in between were missed. Rejects when it cannot start; it retries after later losses.
   */
  async listen(
    channel: string,
    onPayload: (payload: string) => void,
    onListening: () => void = () => {},
  ): Promise<{ readonly unlisten: () => Promise<void> }> {
    const listener = { onPayload, onListening };
    const isActive = this.#active.has(channel);
    this.#channels.set(channel, (this.#channels.get(channel) ?? new Set()).add(listener));
    try {
      if (isActive) onListening();
      else await this.#start();
    } catch (error) {
      this.#remove(channel, listener);
      throw error;
    }
    return { unlisten: async () => this.#remove(channel, listener) };
  }

  /** Ends the session without waiting for it. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#channels.clear();
    void this.#session?.end({ timeout: 0 });
  }

  #start(): Promise<void> {
    const started = this.#attempt.then(() => this.#listenToMissing());
    this.#attempt = started.catch(() => this.#retryLater());
    return started;
  }

  async #listenToMissing(): Promise<void> {
    const missing = [...this.#channels.keys()].filter((channel) => !this.#active.has(channel));
    if (missing.length === 0 || this.#closed) return;
    this.#session ??= this.#open({
      onNotify: (channel, payload) => {
        for (const { onPayload } of this.#channels.get(channel) ?? []) onPayload(payload);
      },
      onClose: () => {
        this.#active.clear();
        this.#retryLater();
      },
    });
    await this.#session.unsafe(missing.map((channel) => `listen ${quoted(channel)}`).join('; '));
    this.#failures = 0;
    for (const channel of missing) this.#active.add(channel);
    for (const channel of missing) for (const { onListening } of this.#channels.get(channel) ?? []) onListening();
  }

  #retryLater(): void {
    if (this.#timer || this.#closed || this.#channels.size === 0) return;
    const delayMs = (0.5 + Math.random() / 2) * Math.min(FIRST_DELAY_MS * 2 ** this.#failures, MAX_DELAY_MS);
    this.#failures = Math.min(this.#failures + 1, MAX_FAILURES);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // A failure has already scheduled the next attempt.
      this.#start().catch(() => {});
    }, delayMs);
    this.#timer.unref();
  }

  #remove(channel: string, listener: ChannelListener): void {
    const listeners = this.#channels.get(channel);
    listeners?.delete(listener);
    if (listeners?.size !== 0) return;
    this.#channels.delete(channel);
    // A failure does no harm: notifications without a listener are dropped.
    if (this.#active.delete(channel)) this.#session?.unsafe(`unlisten ${quoted(channel)}`).catch(() => {});
  }
}
