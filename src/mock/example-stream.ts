import type { EventStream } from '../http/context/event-stream.ts';

/** Interval of comments between events that keep the connection open. */
const HEARTBEAT_MS = 15_000;

const STALL_MS = 60_000;

/** Resolves after a time in milliseconds, or when the signal aborts. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** Returns the events after the one with an ID; all events when there is no such event. */
const selectEventsAfter = (text: string, lastId: string | undefined): string => {
  const events = text.split(/(?<=\n\n)/);
  const last = events.findIndex((event) => event.split('\n').includes(`id: ${lastId}`));
  return events.slice(last + 1).join('');
};

async function* generateChunks(text: string, wait: Wait, signal: AbortSignal): AsyncGenerator<string> {
  if (text !== '') yield text;
  for (;;) {
    await wait(HEARTBEAT_MS, signal);
    if (signal.aborted) return;
    yield ':\n\n';
  }
}

/** Creates a stream of the events of an example that stays open like that of the service; it starts after the event `lastId`. */
export const createExampleStream = (
  text: string,
  { lastId, wait }: { readonly lastId: string | undefined; readonly wait: Wait },
): EventStream => ({
  chunks: (signal) => generateChunks(selectEventsAfter(text, lastId), wait, signal),
  onEnd: () => undefined,
  stallMs: STALL_MS,
});
