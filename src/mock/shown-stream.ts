import type { EventStream } from '../http/response/event-stream.ts';
import { eventStreamResponse, type HttpResponse } from '../http/response/http-response.ts';

/** Told between events, so that nobody takes the stream for dead. */
const HEARTBEAT_MS = 15_000;

const STALL_MS = 60_000;

/** Resolves after so many milliseconds, or once the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** What comes after the event of an id; all of it when there is no such event. */
const goneOn = (text: string, lastId: string | undefined): string => {
  const events = text.split(/(?<=\n\n)/);
  const last = events.findIndex((event) => event.split('\n').includes(`id: ${lastId}`));
  return events.slice(last + 1).join('');
};

async function* piecesOf(text: string, wait: Wait, signal: AbortSignal): AsyncGenerator<string> {
  if (text !== '') yield text;
  for (;;) {
    await wait(HEARTBEAT_MS, signal);
    if (signal.aborted) return;
    yield ':\n\n';
  }
}

/** The events of an example as a stream that stays open, as the service's does; from the one after `lastId` on for whoever comes back. */
export const shownStream = (
  text: string,
  { lastId, wait }: { readonly lastId: string | undefined; readonly wait: Wait },
): HttpResponse<200, EventStream> =>
  eventStreamResponse({
    chunks: (signal) => piecesOf(goneOn(text, lastId), wait, signal),
    onEnd: () => undefined,
    stallMs: STALL_MS,
  });
