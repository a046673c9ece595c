import type { listEventsRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { EventPage } from '#generated/flight-info-alerts/v1/types.gen.ts';
import { sendRendered } from '#http/context/body.ts';
import type { OperationContext } from '#http/context/env.ts';
import { readFromReplica } from '#http/middleware/replica-reads.ts';
import { readStreamBounds } from '#store/events/account-events.ts';
import type { Deps } from '../shared/deps.ts';
import { getStream, getSubscriptionId } from '../shared/account-access.ts';
import {
  findStart,
  readStart,
  STREAM_BATCH,
  streamEvents,
  StreamLimiter,
  waitWithKeyChecks,
  type StartPosition,
  type StreamStart,
} from './stream-events.ts';
import { renderEvent } from './render-event.ts';

const SECOND_MS = 1000;

/** A page, and what it was rendered from. */
type ReadPage = StreamStart & { readonly stream: number; readonly text: Buffer };

const headers = { 'Cache-Control': 'no-store', Vary: 'Subscription-Key, accountId, Accept' };

/** Renders a page of events. Joins the event texts unchanged: an event has the same bytes over every channel. */
const renderEventPage = async (
  { after, events }: StreamStart,
  stream: number,
  { sql, events: { retentionDays } }: Pick<Deps, 'sql' | 'events'>,
): Promise<Buffer> => {
  const { oldest, last } = await readStreamBounds(sql, stream);
  const position = events.at(-1)?.number ?? after;
  const rest = JSON.stringify({ position, oldest, latest: Math.max(last, position), retentionDays });
  const text = `{"data":[${events.map(renderEvent).join(',')}],${rest.slice(1)}`;
  return Buffer.from(text);
};

/** GET /flight-info-alerts/events: the events of an account after a position, as a page (with long polling) or as a stream. */
export const createListEventsHandler = (deps: Deps) => {
  const { sql, events } = deps;
  const limiter = new StreamLimiter(events);
  return async (c: OperationContext<typeof listEventsRoute>) => {
    const query = c.req.valid('query');
    const { accountId, 'Last-Event-ID': lastEventId } = c.req.valid('header');
    const variables = c.var;
    const start = { parameter: 'After', position: query.After };

    if (variables.mediaType === 'text/event-stream') {
      const stream = await getStream(sql, variables, accountId);
      const owner = { stream, subscriptionId: getSubscriptionId(variables) };
      const streamStart = lastEventId === undefined ? start : { parameter: 'Last-Event-ID', position: lastEventId };
      const onEnd = limiter.acquire(owner);
      const first = await readStart(sql, streamStart, { stream, limit: STREAM_BATCH }).catch((error: unknown) => {
        onEnd();
        throw error;
      });
      const { recheckKey } = variables;
      const checkAccess = async (): Promise<void> => {
        await recheckKey();
        await getStream(sql, variables, accountId);
      };
      return streamEvents(c, { ...first, stream, checkAccess, recheckKey, onEnd }, deps);
    }

    /** Reads and renders a page. One from a replica has no events: those that the next primary lacks get their positions again. */
    const readPage = (from: StartPosition): Promise<ReadPage> =>
      readFromReplica(c, sql, async (db) => {
        const stream = await getStream(db, variables, accountId);
        const first = c.get('dataAsOf')
          ? { after: await findStart(db, stream, from.position), events: [] }
          : await readStart(db, from, { stream, limit: query.Limit });
        return { ...first, stream, text: await renderEventPage(first, stream, { sql: db, events }) };
      });
    const sendPage = ({ text }: ReadPage) => sendRendered<EventPage>(c, text, headers);
    const first = await readPage(start);
    const ms = Math.min(query.Wait * SECOND_MS, events.maxWaitMs);
    if (first.events.length > 0 || ms === 0) return sendPage(first);
    const { after, stream } = first;
    const release = limiter.acquire({ stream, subscriptionId: getSubscriptionId(variables) });
    variables.releaseConcurrencySlot();
    variables.endTurn();
    try {
      const { recheckKey } = variables;
      await waitWithKeyChecks({ stream, after, timeoutMs: ms, recheckKey }, c.req.raw.signal, events);
    } finally {
      release();
    }
    await variables.recheckKey();
    return sendPage(await readPage({ parameter: 'After', position: String(after) }));
  };
};
