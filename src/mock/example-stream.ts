import type { EventStream } from '#http/context/event-stream.ts';

/** Interval of comments between events that keep the connection open. */
const HEARTBEAT_MS = 15_000;

/** Resolves after a time in milliseconds, or when the signal aborts. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** Returns the events after the one with an ID; all events when there is no such event. */
const selectEventsAfter = (text: string, lastId: string | undefined): string => {
  const events = text.split(/(?<=\n\n)/);
  const last = events.findIndex((event) => event.split('\n').includes(`id: ${lastId}`));
  return events.slice(last + 1).join('');
};

/** Creates a stream of the events of an example after one of them. It stays open like that of the service, which Prism's would not. */
export const createExampleStream = (text: string, lastId: string | undefined, wait: Wait): EventStream => ({
  chunks: async function* generateChunks(signal) {
    const events = selectEventsAfter(text, lastId);
    if (events !== '') yield events;
    for (await wait(HEARTBEAT_MS, signal); !signal.aborted; await wait(HEARTBEAT_MS, signal)) yield ':\n\n';
  },
  onEnd: () => undefined,
  stallMs: 60_000,
});
