import type { listEventsRoute } from '../../../../../generated/flight-info-alerts/v1/routes.gen.ts';
import type { EventPage } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import type { Handler } from '../../../../http/handler/api.ts';
import { answer, rendered, type Answer } from '../../../../http/response/rendered.ts';
import { endsOfStream } from '../../../../store/events/account-events.ts';
import type { Deps } from '../shared/deps.ts';
import { foundStream } from '../shared/find-stream.ts';
import { newOpenStreams } from './open-streams.ts';
import { readFirst, type FirstEvents } from './read-stream.ts';
import { showEvent } from './to-event.ts';
import { STREAMED_AT_ONCE, streamEvents } from './stream-events.ts';

const SECOND_MS = 1000;

const headers = { 'Cache-Control': 'no-store', Vary: 'Subscription-Key, accountId, Accept' };

/** A page of events. Their texts are joined as they are, so that an event has the same bytes here as everywhere. */
const showPage = async (
  { after, events }: FirstEvents,
  stream: number,
  { sql, events: { retentionDays } }: Deps,
): Promise<Answer<200, EventPage>> => {
  const { oldest, last } = await endsOfStream(sql, stream);
  const rest = JSON.stringify({ position: events.at(-1)?.number ?? after, oldest, latest: last, retentionDays });
  const text = `{"data":[${events.map(showEvent).join(',')}],${rest.slice(1)}`;
  return answer(200, rendered<EventPage>(Buffer.from(text)), headers);
};

/** GET /flight-info-alerts/events: the events of an account after a position, as a page, at once or when there are some, or as a stream. */
export const openListEvents = (deps: Deps): Handler<typeof listEventsRoute> => {
  const { sql, events: reading } = deps;
  const open = newOpenStreams(reading.maxOpen);
  return async ({ query, headers: { accountId, 'Last-Event-ID': lastEventId } }, context) => {
    const stream = await foundStream(sql, context, accountId);
    const asked = { parameter: 'After', position: query.After };

    if (context.mediaType === 'text/event-stream') {
      const beginning = lastEventId === undefined ? asked : { parameter: 'Last-Event-ID', position: lastEventId };
      const first = await readFirst(sql, beginning, { stream, limit: STREAMED_AT_ONCE });
      return streamEvents({ ...first, stream, onEnd: open.take(stream) }, context, deps);
    }

    const first = await readFirst(sql, asked, { stream, limit: query.Limit });
    const ms = Math.min(query.Wait * SECOND_MS, reading.longestWaitMs);
    if (first.events.length > 0 || ms === 0) return showPage(first, stream, deps);
    const { after } = first;
    const leave = open.take(stream);
    context.nowWaits();
    try {
      await reading.untilMore({ stream, after, ms }, context.gone());
    } finally {
      leave();
    }
    const later = { parameter: 'After', position: String(after) };
    return showPage(await readFirst(sql, later, { stream, limit: query.Limit }), stream, deps);
  };
};
