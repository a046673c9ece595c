import type { QueuedRedelivery } from '../../../../../generated/flight-info-alerts/v1/types.gen.ts';
import { invalidBody, Problem } from '../../../../http/response/problem.ts';
import { answer, type Answer } from '../../../../http/response/rendered.ts';
import type { RequestContext } from '../../../../http/request/request-context.ts';
import { endsOfStream } from '../../../../store/events/account-events.ts';
import type { Sql } from '../../../../store/pool/database.ts';
import {
  QUEUED_AT_ONCE,
  redeliverDeadLetters,
  redeliverRange,
  type Redelivery,
} from '../../../../store/deliveries/push-redeliveries.ts';
import { findToldEvent } from '../../../../store/events/told-event.ts';
import type { Deps } from '../shared/deps.ts';
import { getEndpoint, getLockedEndpoint } from '../endpoints/find-endpoint.ts';
import { positionExpired } from '../shared/problems.ts';
import type { RedeliverInput } from '../shared/routes.ts';

/** The most events that one request queues. */
const MAX_QUEUED = 100_000;

type Range = { readonly from: number; readonly to: number };
type RedeliveryRequest =
  | { readonly kind: 'event'; readonly eventId: string }
  | ({ readonly kind: 'range' } & Range)
  | { readonly kind: 'dead-letters' };

const parseRange = (from: number, to: number): RedeliveryRequest => {
  if (from > to)
    throw invalidBody({ fromPosition: [`must not be greater than toPosition, but ${from} is greater than ${to}`] });
  if (to - from >= MAX_QUEUED)
    throw invalidBody({
      toPosition: [`must be at most ${from + MAX_QUEUED - 1}: a range has ${MAX_QUEUED} positions at most`],
    });
  return { kind: 'range', from, to };
};

/** What a body asks for. Throws the Problem that it is not one thing. */
const parseRequest = ({
  eventId,
  fromPosition: from,
  toPosition: to,
  deadLetters = false,
}: RedeliverInput['body']): RedeliveryRequest => {
  const isRange = from !== undefined || to !== undefined;
  const asked = [eventId !== undefined, isRange, deadLetters].filter(Boolean).length;
  if (asked === 1) {
    if (eventId !== undefined) return { kind: 'event', eventId };
    if (deadLetters) return { kind: 'dead-letters' };
    if (from !== undefined && to !== undefined) return parseRange(from, to);
  }
  throw invalidBody({
    '': ['Exactly one of eventId, a range (fromPosition and toPosition) and deadLetters: true must be sent.'],
  });
};

/** Queues in transactions of their own, each with the endpoint locked, and answers how many events. */
type Queue = (work: (sql: Sql, redelivery: Redelivery) => Promise<number>) => Promise<number>;

const queueRange = async (queue: Queue, { from, to }: Range): Promise<number> => {
  let queued = 0;
  for (let first = from; first <= to; first += QUEUED_AT_ONCE)
    queued += await queue(async (sql, redelivery) => {
      const { oldest } = await endsOfStream(sql, redelivery.stream);
      // What goes while the range is queued has been seen to be there.
      if (first === from && from < oldest) throw positionExpired(oldest);
      return redeliverRange(sql, redelivery, { from: first, to: Math.min(to, first + QUEUED_AT_ONCE - 1) });
    });
  return queued;
};

const queueDeadLetters = async (queue: Queue): Promise<number> => {
  let queued = 0;
  while (queued < MAX_QUEUED) {
    // Those that were queued have left the list.
    const more = await queue(redeliverDeadLetters);
    queued += more;
    if (more < QUEUED_AT_ONCE) break;
  }
  return queued;
};

const queueEvent = (queue: Queue, eventId: string): Promise<number> =>
  queue(async (sql, redelivery) => {
    const number = (await findToldEvent(sql, eventId, redelivery.stream))?.given?.number;
    if (number === undefined) throw new Problem('not-found', `There is no event ${eventId} that is retained.`);
    return redeliverRange(sql, redelivery, { from: number, to: number });
  });

/** POST /flight-info-alerts/endpoints/{endpointId}/redeliveries: events are due again, now. */
export const redeliver = async (
  { params: { endpointId }, body }: RedeliverInput,
  context: RequestContext,
  { sql, clock }: Deps,
): Promise<Answer<202, QueuedRedelivery>> => {
  await getEndpoint(sql, context, endpointId);
  const wanted = parseRequest(body);
  const queue: Queue = (work) =>
    sql.begin(async (transaction) => {
      const { stream } = await getLockedEndpoint(transaction, context, endpointId);
      return work(transaction, { endpointId, stream, now: clock() });
    });
  if (wanted.kind === 'event') return answer(202, { queued: await queueEvent(queue, wanted.eventId) });
  if (wanted.kind === 'range') return answer(202, { queued: await queueRange(queue, wanted) });
  return answer(202, { queued: await queueDeadLetters(queue) });
};
