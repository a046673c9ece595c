import type { EventStream } from '../../../../http/response/event-stream.ts';
import { eventStreamResponse, type HttpResponse } from '../../../../http/response/http-response.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { listAccountEvents, type AccountEvent } from '../../../../store/events/account-events.ts';
import type { Deps } from '../shared/deps.ts';
import type { StreamStart } from './read-stream.ts';
import { renderEvent } from './render-event.ts';

/** Events in one piece of a stream: some 300 kB at most, as much as is held for a reader who is slow. */
export const STREAM_BATCH = 100;

/** How long a client should wait before it connects again, milliseconds. */
const RETRY_MS = 3000;

const eventNames = { status: 'FlightStatus', schedule: 'ScheduleInstance' } as const;

const renderServerSentEvent = (event: AccountEvent): string =>
  `id: ${event.number}\nevent: ${eventNames[event.facts.kind]}\ndata: ${renderEvent(event)}\n\n`;

type OpenStream = StreamStart & { readonly stream: number; readonly signal: AbortSignal };

async function* generateChunks(
  { stream, signal, after, events: first }: OpenStream,
  context: RequestContext,
  { sql, events: reading }: Deps,
): AsyncGenerator<string> {
  const { waitForEvents: untilMore, isStopped, heartbeatMs, recheckMs } = reading;
  // An id without an event: a client that is cut off before the first event goes on from here, and not from the end as it is by then.
  yield `retry: ${RETRY_MS}\nid: ${after}\n\n`;
  let position = after;
  let events = first;
  let checkedAt = performance.now();
  for (;;) {
    if (events.length > 0) yield events.map(renderServerSentEvent).join('');
    position = events.at(-1)?.number ?? position;
    if (events.length < STREAM_BATCH) await untilMore({ stream, after: position, timeoutMs: heartbeatMs }, signal);
    if (signal.aborted || isStopped()) return;
    if (performance.now() - checkedAt >= recheckMs) {
      await context.recheckKey();
      checkedAt = performance.now();
    }
    const page = await listAccountEvents(sql, { stream, after: position, limit: STREAM_BATCH });
    // A reader who has fallen behind what is kept is told so when he connects again.
    if (page.kind !== 'events') return;
    ({ events } = page);
    if (events.length === 0) yield ':\n\n';
  }
}

/** The events of a stream as server-sent events, from the first ones on for as long as somebody reads them. */
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
