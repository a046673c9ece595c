import type { redeliverRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { invalidBody, Problem } from '#http/response/problem.ts';

import { readStreamBounds } from '#store/events/account-events.ts';
import type { Sql } from '#store/pool/database.ts';
import {
  MAX_QUEUED_REDELIVERIES,
  insertDeadLetterRetries,
  insertRangeRetries,
  type Redelivery,
} from '#store/deliveries/redeliveries.ts';
import { findStreamEvent } from '#store/events/event-log.ts';
import type { Deps } from '../shared/deps.ts';
import { getEndpoint, getLockedEndpoint } from '../endpoints/find-endpoint.ts';
import { positionExpiredProblem } from '../shared/problems.ts';
import type { z } from 'zod';
import type { zRedeliverBody } from '#generated/flight-info-alerts/v1/zod.gen.ts';

/** The validated body of a redelivery. */
type RedeliveryBody = z.output<typeof zRedeliverBody>;

/** Limit of events that one request queues. */
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

/** Parses a body. Throws the Problem that it does not contain exactly one selector. */
const parseRequest = ({
  eventId,
  fromPosition,
  toPosition,
  deadLetters = false,
}: RedeliveryBody): RedeliveryRequest => {
  const isRange = fromPosition !== undefined || toPosition !== undefined;
  const selectorCount = [eventId !== undefined, isRange, deadLetters].filter(Boolean).length;
  if (selectorCount === 1) {
    if (eventId !== undefined) return { kind: 'event', eventId };
    if (deadLetters) return { kind: 'dead-letters' };
    if (fromPosition !== undefined && toPosition !== undefined) return parseRange(fromPosition, toPosition);
  }
  throw invalidBody({
    '': ['Exactly one of eventId, a range (fromPosition and toPosition) and deadLetters: true must be sent.'],
  });
};

/** Runs `work` in a transaction that has locked the endpoint; returns the number of queued events. */
type Queue = (work: (sql: Sql, redelivery: Redelivery) => Promise<number>) => Promise<number>;

const queueRange = async (queue: Queue, { from, to }: Range): Promise<number> => {
  let queued = 0;
  for (let first = from; first <= to; first += MAX_QUEUED_REDELIVERIES)
    queued += await queue(async (sql, redelivery) => {
      const { oldest } = await readStreamBounds(sql, redelivery.stream);
      // Only the first batch is checked: events pruned while the range is being queued are accepted.
      if (first === from && from < oldest) throw positionExpiredProblem(oldest);
      return insertRangeRetries(sql, redelivery, {
        from: first,
        to: Math.min(to, first + MAX_QUEUED_REDELIVERIES - 1),
      });
    });
  return queued;
};

const queueDeadLetters = async (queue: Queue): Promise<number> => {
  let queued = 0;
  while (queued < MAX_QUEUED) {
    // Queued dead letters are no longer in the list.
    const more = await queue(insertDeadLetterRetries);
    queued += more;
    if (more < MAX_QUEUED_REDELIVERIES) break;
  }
  return queued;
};

const queueEvent = (queue: Queue, eventId: string): Promise<number> =>
  queue(async (sql, redelivery) => {
    const number = (await findStreamEvent(sql, eventId, redelivery.stream))?.delivered?.number;
    if (number === undefined) throw new Problem('not-found', `No retained event has the ID ${eventId}.`);
    return insertRangeRetries(sql, redelivery, { from: number, to: number });
  });

/** POST /flight-info-alerts/endpoints/{endpointId}/redeliveries: queues events for immediate redelivery. */
export const redeliver = async (c: OperationContext<typeof redeliverRoute>, { sql, secrets, clock }: Deps) => {
  const { endpointId } = c.req.valid('param');
  const body = c.req.valid('json');
  const variables = c.var;
  await getEndpoint({ sql, secrets }, variables, endpointId);
  const request = parseRequest(body);
  const queue: Queue = (work) =>
    sql.begin(async (transaction) => {
      const { stream } = await getLockedEndpoint({ sql: transaction, secrets }, variables, endpointId);
      return work(transaction, { endpointId, stream, now: clock() });
    });
  if (request.kind === 'event') return c.json({ queued: await queueEvent(queue, request.eventId) }, 202);
  if (request.kind === 'range') return c.json({ queued: await queueRange(queue, request) }, 202);
  return c.json({ queued: await queueDeadLetters(queue) }, 202);
};
