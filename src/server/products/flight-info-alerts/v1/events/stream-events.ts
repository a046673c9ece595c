import { setTimeout as delay } from 'node:timers/promises';
import type { listEventsRoute } from '#generated/flight-info-alerts/v1/routes.gen.ts';
import type { OperationContext } from '#http/context/env.ts';
import { sendEventStream } from '#http/context/event-stream.ts';
import { Problem } from '#http/response/problem.ts';
import { FairBudget } from '#lib/fair-budget.ts';
import { type AccountEvent, listAccountEvents, readStreamBounds } from '#store/events/account-events.ts';
import type { Sql } from '#store/pool/database.ts';
import type { Deps } from '../shared/deps.ts';
import { renderEvent } from './render-event.ts';

/** Retry-After, seconds: the old streams of a restarted client have ended by then. */
const RETRY_AFTER_SECONDS = 5;

type StreamLimits = Pick<Deps['events'], 'maxOpen' | 'maxOpenOfSubscription' | 'maxOpenOfProcess'>;

/** Who wants to open a stream or to wait. */
type StreamOwner = { readonly stream: number; readonly subscriptionId: number };

const tooManyStreams = (detail: string): Problem =>
  new Problem('too-many-streams', detail, { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } });

/** Limits the concurrent streams and waiting requests of this process, each of which holds a connection, and shares them among subscriptions. */
export class StreamLimiter {
  readonly #limits: StreamLimits;
  readonly #open = new Map<string, number>();
  readonly #ofProcess: FairBudget;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
    this.#ofProcess = new FairBudget(limits.maxOpenOfProcess || Infinity);
  }

  /** Acquires a slot; returns a function to call once to release it. Throws Problem `too-many-streams`, which names the limit, if none is free. */
  acquire({ stream, subscriptionId }: StreamOwner): () => void {
    const { maxOpen, maxOpenOfSubscription, maxOpenOfProcess } = this.#limits;
    const counted = [
      { key: `account ${stream}`, max: maxOpen, owner: 'The account' },
      { key: `subscription ${subscriptionId}`, max: maxOpenOfSubscription, owner: 'The subscription' },
    ];
    const full = counted.find(({ key, max }) => max > 0 && this.#count(key) >= max);
    if (full)
      throw tooManyStreams(`${full.owner} has ${full.max} open streams and waiting requests, which is the limit.`);
    if (!this.#ofProcess.acquire(subscriptionId, 1))
      throw tooManyStreams(
        `The server process is limited to ${maxOpenOfProcess} open streams and waiting requests, and the subscription has its share of them.`,
      );
    for (const { key } of counted) this.#open.set(key, this.#count(key) + 1);
    return () => {
      this.#ofProcess.release(subscriptionId, 1);
      for (const { key } of counted) {
        const left = this.#count(key) - 1;
        if (left > 0) this.#open.set(key, left);
        else this.#open.delete(key);
      }
    };
  }

  #count(key: string): number {
    return this.#open.get(key) ?? 0;
  }
}

/** Where a caller starts to read: the parameter's name and value; undefined means the oldest event. */
export type StartPosition = { readonly parameter: string; readonly position: string | undefined };

/** The first events that a caller receives, and the position after which they start. */
export type StreamStart = { readonly after: number; readonly events: readonly AccountEvent[] };

/** Returns the position after which a caller starts; `end` and none depend on the stream. */
export const findStart = async (sql: Sql, stream: number, position: string | undefined): Promise<number> => {
  if (position !== undefined && position !== 'end') return Number(position);
  const { oldest, last } = await readStreamBounds(sql, stream);
  return position === 'end' ? last : oldest - 1;
};

const positionAheadProblem = ({ parameter }: StartPosition, after: number, last: number): Problem => {
  const violation = `is ${after}, beyond the end of the stream: its last event has position ${last}`;
  return new Problem('cursor-invalid', `${parameter} ${violation}.`, { errors: { [parameter]: [violation] } });
};

const positionExpiredProblem = (after: number, oldest: number): Problem =>
  new Problem(
    'cursor-expired',
    `The events after position ${after} are no longer retained. The oldest retained position is ${oldest}: continue after ${oldest - 1}.`,
  );

/** Reads the first events of a caller. Throws a Problem if the position is beyond the end or its next event was pruned. */
export const readStart = async (
  sql: Sql,
  start: StartPosition,
  { stream, limit }: { readonly stream: number; readonly limit: number },
): Promise<StreamStart> => {
  let after = await findStart(sql, stream, start.position);
  for (;;) {
    const page = await listAccountEvents(sql, { stream, after, limit });
    if (page.kind === 'events') return { after, events: page.events };
    if (page.kind === 'ahead') throw positionAheadProblem(start, after, page.last);
    if (start.position !== undefined) throw positionExpiredProblem(after, page.oldest);
    // The oldest event was pruned between the two queries.
    after = page.oldest - 1;
  }
};

type KeyCheckedWait = Parameters<Deps['events']['waitForEvents']>[0] & {
  /** Throws a Problem when the key is no longer valid; costs a query only when the cached key has expired. */
  readonly recheckKey: () => Promise<void>;
};

/** Waits like `waitForEvents`, and checks the key at intervals. Throws the Problem of the first check that fails. */
export const waitWithKeyChecks = async (
  { recheckKey, ...wait }: KeyCheckedWait,
  signal: AbortSignal,
  { waitForEvents, recheckMs }: Pick<Deps['events'], 'waitForEvents' | 'recheckMs'>,
): Promise<void> => {
  if (signal.aborted) return;
  const ended = new AbortController();
  signal.addEventListener('abort', () => ended.abort(), { signal: ended.signal });
  const checkRepeatedly = async (): Promise<never> => {
    for (;;) {
      await delay(recheckMs, undefined, { signal: ended.signal });
      await recheckKey();
    }
  };
  try {
    const waiting = waitForEvents(wait, ended.signal);
    await Promise.race([waiting, checkRepeatedly()]);
  } catch (error) {
    // The delay throws when the client disconnects.
    if (!signal.aborted) throw error;
  } finally {
    ended.abort();
  }
};

/** Events in one chunk of a stream: up to about 300 kB, the amount buffered for a slow client. */
export const STREAM_BATCH = 100;

/** Reconnection time sent to the client, milliseconds. */
const RETRY_MS = 3000;

const eventNames = { status: 'FlightStatus', schedule: 'ScheduleInstance' } as const;

const renderServerSentEvent = (event: AccountEvent): string =>
  `id: ${event.number}\nevent: ${eventNames[event.facts.kind]}\ndata: ${renderEvent(event)}\n\n`;

type OpenStream = StreamStart & {
  readonly stream: number;
  /** Throws a Problem when the key is no longer valid, or the account was deleted. */
  readonly checkAccess: () => Promise<void>;
  readonly recheckKey: () => Promise<void>;
};

async function* generateChunks(
  { stream, checkAccess, recheckKey, after, events: first }: OpenStream,
  signal: AbortSignal,
  { sql, events: eventDeps }: Deps,
): AsyncGenerator<string> {
  const { isStopped, heartbeatMs, recheckMs } = eventDeps;
  // A client that is disconnected before the first event resumes here, not at the later end. Clients of server-sent events ignore an
  // `id` without data.
  yield `retry: ${RETRY_MS}\nid: ${after}\nevent: position\ndata: {"position":${after}}\n\n`;
  let position = after;
  let events = first;
  let checkedAt = performance.now();
  for (;;) {
    if (events.length > 0) yield events.map(renderServerSentEvent).join('');
    position = events.at(-1)?.number ?? position;
    if (events.length < STREAM_BATCH)
      await waitWithKeyChecks({ stream, after: position, timeoutMs: heartbeatMs, recheckKey }, signal, eventDeps);
    if (signal.aborted || isStopped()) return;
    const page = await listAccountEvents(sql, { stream, after: position, limit: STREAM_BATCH });
    // Without events, the account can have been deleted.
    if (performance.now() - checkedAt >= recheckMs || page.kind !== 'events' || page.events.length === 0) {
      await checkAccess();
      checkedAt = performance.now();
    }
    // The client fell behind the retained events: its next connection receives the Problem.
    if (page.kind !== 'events') return;
    ({ events } = page);
    if (events.length === 0) yield ':\n\n';
  }
}

/** Sends the events of a stream as server-sent events until the client disconnects. */
export const streamEvents = (
  c: OperationContext<typeof listEventsRoute>,
  { onEnd, ...open }: OpenStream & { readonly onEnd: () => void },
  deps: Deps,
): Response =>
  sendEventStream(
    c,
    {
      chunks: (signal) => generateChunks(open, signal, deps),
      onEnd,
      stallMs: deps.events.stallMs,
      access: { check: open.checkAccess, intervalMs: deps.events.recheckMs },
    },
    { Vary: 'Subscription-Key, accountId, Accept, Last-Event-ID' },
  );
