import type postgres from 'postgres';

type Listener = { readonly hear: (payload: string) => void; readonly onListening: () => void };

type Session = Pick<postgres.Sql, 'unsafe' | 'end'>;

/** What a session tells of itself. */
export type SessionEvents = {
  readonly onNotify: (channel: string, payload: string) => void;
  readonly onClose: () => void;
};

export type Listening = {
  /**
   * Calls `hear` at each announcement on a channel, and `onListening` whenever it has begun to listen: at first and after each loss of the
   * connection, since what was announced meanwhile has been missed. Rejects when it cannot begin; later losses are its own affair.
   */
  readonly listen: (
    channel: string,
    hear: (payload: string) => void,
    onListening?: () => void,
  ) => Promise<{ readonly unlisten: () => Promise<void> }>;
  /** Hears no more; waits for nothing. */
  readonly end: () => void;
};

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

const quoted = (channel: string): string => `"${channel.replaceAll('"', '""')}"`;

/**
 * Listens on any number of channels over one session. The driver's own (3.4.9) puts every channel into its queue again at each attempt to
 * connect, beside those of the attempts before: while a database is away that queue grows without an end. Here one attempt follows
 * the other, at pauses up to five seconds, and has one statement for all channels.
 */
export const newListening = (open: (events: SessionEvents) => Session): Listening => {
  const channels = new Map<string, Set<Listener>>();
  const heard = new Set<string>();
  let session: Session | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let ended = false;

  const onNotify = (channel: string, payload: string): void => {
    for (const { hear } of channels.get(channel) ?? []) hear(payload);
  };
  const onClose = (): void => {
    heard.clear();
    tryLater();
  };
  const beginMissing = async (): Promise<void> => {
    const missing = [...channels.keys()].filter((channel) => !heard.has(channel));
    if (missing.length === 0 || ended) return;
    session ??= open({ onNotify, onClose });
    await session.unsafe(missing.map((channel) => `listen ${quoted(channel)}`).join('; '));
    failures = 0;
    for (const channel of missing) heard.add(channel);
    for (const channel of missing) for (const { onListening } of channels.get(channel) ?? []) onListening();
  };
  let turn: Promise<void> = Promise.resolve();
  const begin = (): Promise<void> => {
    const begun = turn.then(beginMissing);
    turn = begun.catch(tryLater);
    return begun;
  };
  const tryLater = (): void => {
    if (timer || ended || channels.size === 0) return;
    const pauseMs = (0.5 + Math.random() / 2) * Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    failures = Math.min(failures + 1, 10);
    timer = setTimeout(() => {
      timer = undefined;
      // A failure has brought about the next attempt already.
      begin().catch(() => {});
    }, pauseMs);
    timer.unref();
  };

  const forget = (channel: string, listener: Listener): void => {
    const listeners = channels.get(channel);
    listeners?.delete(listener);
    if (listeners?.size !== 0) return;
    channels.delete(channel);
    // What is still announced nobody hears, whether this is done or not.
    if (heard.delete(channel)) session?.unsafe(`unlisten ${quoted(channel)}`).catch(() => {});
  };

  return {
    listen: async (channel, hear, onListening = () => {}) => {
      const listener = { hear, onListening };
      const isHeard = heard.has(channel);
      channels.set(channel, (channels.get(channel) ?? new Set()).add(listener));
      try {
        if (isHeard) onListening();
        else await begin();
      } catch (error) {
        forget(channel, listener);
        throw error;
      }
      return { unlisten: async () => forget(channel, listener) };
    },
    end: () => {
      ended = true;
      clearTimeout(timer);
      channels.clear();
      void session?.end({ timeout: 0 });
    },
  };
};
