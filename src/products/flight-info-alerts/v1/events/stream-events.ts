import type { EventStream } from '../../../../http/response/event-stream.ts';
import { eventStreamResponse, type HttpResponse } from '../../../../http/response/http-response.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { type AccountEvent, listAccountEvents } from '../../../../store/events/account-events.ts';
import type { Deps } from '../shared/deps.ts';
import type { StreamStart } from './read-stream.ts';
import { renderEvent } from './render-event.ts';

/** Events in one chunk of a stream: up to about 300 kB, the amount buffered for a slow client. */
export const STREAM_BATCH = 100;

/** Reconnection time sent to the client, milliseconds. */
const RETRY_MS = 3000;

const eventNames = { status: 'FlightStatus', schedule: 'ScheduleInstance' } as const;

const renderServerSentEvent = (event: AccountEvent): string =>
  `id: ${event.number}\nevent: ${eventNames[event.facts.kind]}\ndata: ${renderEvent(event)}\n\n`;

type OpenStream = StreamStart & { readonly stream: number; readonly signal: AbortSignal };

async function* generateChunks(
  { stream, signal, after, events: first }: OpenStream,
  context: RequestContext,
  { sql, events: eventDeps }: Deps,
): AsyncGenerator<string> {
  const { waitForEvents, isStopped, heartbeatMs, recheckMs } = eventDeps;
  // An id without an event: a client that is disconnected before the first event resumes here, not at the later end.
  yield `retry: ${RETRY_MS}\nid: ${after}\n\n`;
  let position = after;
  let events = first;
  let checkedAt = performance.now();
  for (;;) {
    if (events.length > 0) yield events.map(renderServerSentEvent).join('');
    position = events.at(-1)?.number ?? position;
    if (events.length < STREAM_BATCH) await waitForEvents({ stream, after: position, timeoutMs: heartbeatMs }, signal);
    if (signal.aborted || isStopped()) return;
    if (performance.now() - checkedAt >= recheckMs) {
      await context.recheckKey();
      checkedAt = performance.now();
    }
    const page = await listAccountEvents(sql, { stream, after: position, limit: STREAM_BATCH });
    // The client fell behind the retained events: its next connection receives the Problem.
    if (page.kind !== 'events') return;
    ({ events } = page);
    if (events.length === 0) yield ':\n\n';
  }
}

/** Returns the events of a stream as server-sent events until the client disconnects. */
export const streamEvents = (
  { stream, onEnd, ...first }: StreamStart & { readonly stream: number; readonly onEnd: () => void },
  context: RequestContext,
  deps: Deps,
): HttpResponse<200, EventStream> =>
  eventStreamResponse(
    {
      chunks: (signal) => generateChunks({ ...first, stream, signal }, context, deps),
      onEnd,
      stallMs: deps.events.stallMs,
    },
    { Vary: 'Subscription-Key, accountId, Accept, Last-Event-ID' },
  );
