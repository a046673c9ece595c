import type { Endpoint } from '../../delivery/webhook/deliver.ts';
import { loggedOutcome, type Outcome } from '../../delivery/webhook/outcome.ts';
import { nextAttempt } from '../../delivery/webhook/retry-schedule.ts';
import type { OutgoingEvent } from '../../delivery/webhook/signed-headers.ts';
import { showEvent } from '../../products/flight-info-alerts/v1/events/to-event.ts';
import type { EventsDue, PushEvent, RetryDue, WantedEvents } from '../../store/deliveries/push-due.ts';
import type { ClaimedEndpoint, PushTarget } from '../../store/deliveries/push-progress.ts';
import type { PushResults } from '../../store/deliveries/push-results.ts';
import { afterAttempt, isAtRest, isOnProbe, type AfterAttempt } from './endpoint-health.ts';
import { newTriedNumbers } from './attempted-sequences.ts';

export type LaneSettings = {
  readonly deliver: (endpoint: Endpoint, event: OutgoingEvent) => Promise<Outcome>;
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** The most requests at once. */
  readonly atOnce: number;
  /** Hears that an attempt has ended. */
  readonly onSettled: (lane: PushLane) => void;
};

/** One endpoint while this process serves it. Times without a date are those of `performance.now()`, milliseconds. */
export type PushLane = {
  readonly id: string;
  readonly stream: number;
  /** When it was taken over. */
  readonly since: number;
  /** What it wants to read now; undefined when it has enough. */
  readonly wanted: () => WantedEvents | undefined;
  /** Takes what was read of it, `limit` events at most. */
  readonly take: (due: EventsDue | undefined, asked: WantedEvents & { readonly limit: number }) => void;
  readonly wantsRetries: () => boolean;
  /** Whether it will soon have nothing to send though there may be more. */
  readonly isHungry: () => boolean;
  /** Takes what was read of it, `most` at most; `readFrom` is when that began. */
  readonly takeRetries: (due: readonly RetryDue[], read: { readonly most: number; readonly readFrom: number }) => void;
  /** There may be more in the stream, or to be sent again. */
  readonly hear: (what: 'events' | 'retries') => void;
  /** Where events go from now on; undefined ends it. */
  readonly aim: (target: PushTarget | undefined) => void;
  /** Until when nobody else may have taken it over; undefined once somebody has. */
  readonly lease: (until: number | undefined) => void;
  readonly leasedUntil: () => number;
  /** Begins nothing more; what was not begun stays in the stream. */
  readonly close: () => void;
  readonly isClosed: () => boolean;
  /** Whether somebody else may have taken it over: what it did is theirs to do again. */
  readonly isLost: () => boolean;
  /** Whether it has nothing to do, and since when. */
  readonly idleSince: () => number | undefined;
  readonly served: () => number;
  /** When the longest attempt under way began. */
  readonly busySince: () => number | undefined;
  /** What is to be written, handed over; undefined when there is nothing. */
  readonly collect: () => PushResults | undefined;
  /** What was collected has been written. */
  readonly written: (results: PushResults) => void;
};

/** Numbers that are tried before one that still hangs: so many are kept with its progress at most. */
const FURTHEST = 500;
/** How long an endpoint rests to which nothing can be sent for a reason of our own, milliseconds. */
const BROKEN_MS = 300_000;

type Job =
  | { readonly kind: 'first'; readonly attempts: 0; readonly version: undefined; readonly event: PushEvent }
  | { readonly kind: 'retry'; readonly attempts: number; readonly version: string; readonly event: PushEvent };

/** When and to where an attempt was made. */
type Made = { readonly madeAt: Date; readonly url: string };

type Unwritten = { -readonly [Name in keyof Omit<PushResults, 'standings'>]: PushResults[Name][number][] };

const nothing = (): Unwritten => ({ attempts: [], retries: [], deadLetters: [] });

/**
 * Serves an endpoint: sends what it is given, first attempts in the order of the stream and those of one flight one after the other, and
 * keeps what is to be written of it. It reads and writes nothing itself, so that this is done for many endpoints at once.
 */
export const newPushLane = (
  { id, stream, number, finished, health: healthBefore }: ClaimedEndpoint,
  { deliver, clock, onError, atOnce, onSettled }: LaneSettings,
): PushLane => {
  const since = performance.now();
  const tried = newTriedNumbers(number, finished);
  const waiting: PushEvent[] = [];
  const again: RetryDue[] = [];
  /** Retries that were read and of which not all is written: they are still due in the store. */
  const inHand = new Set<number>();
  /** When others were written: what was read before shows them as they were. */
  const writtenAt = new Map<number, number>();
  const busyFlights = new Set<string>();
  /** Attempts under way, and when each began. */
  const underWay = new Map<Job, number>();
  let readUpTo = number;
  let [mayHaveMore, mayHaveRetries, isGapAhead] = [true, true, false];
  let target: PushTarget | undefined;
  let standing: AfterAttempt = { health: healthBefore, disabledFor: undefined };
  let unwritten = nothing();
  let [isClosed, isLost, isDisabled, isDirty] = [false, false, false, false];
  let [isRetryNext, wereRetriesMany] = [false, false];
  let [leasedUntil, served, lastBusy] = [0, 0, since];

  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    isDirty = true;
    waiting.length = 0;
    again.length = 0;
    onSettled(lane);
  };

  const nextJob = (): Job | undefined => {
    const fits = waiting.findIndex(({ flightKey }) => !busyFlights.has(flightKey));
    // Turn by turn, so that neither a backlog nor what failed waits for the other.
    const [retry] = isRetryNext || fits === -1 ? again.splice(0, 1) : [];
    isRetryNext = retry === undefined;
    if (retry?.event) return { ...retry, kind: 'retry', event: retry.event };
    const [event] = fits === -1 ? [] : waiting.splice(fits, 1);
    return event && { kind: 'first', attempts: 0, version: undefined, event };
  };

  const settle = ({ kind, attempts: before, version, event }: Job, outcome: Outcome, { madeAt, url }: Made): void => {
    const now = clock();
    const attempts = before + 1;
    const next = nextAttempt(outcome, { attempts, now, random: Math.random() });
    const nextAt = 'at' in next ? next.at : undefined;
    unwritten.attempts.push({
      endpointId: id,
      number: event.number,
      eventId: event.id,
      attempt: attempts,
      madeAt,
      ...loggedOutcome(outcome),
      nextAt,
    });
    if (kind === 'retry' || nextAt)
      unwritten.retries.push({ endpointId: id, number: event.number, attempts, dueAt: nextAt, version });
    if ('over' in next && next.over !== 'delivered')
      unwritten.deadLetters.push({
        endpointId: id,
        number: event.number,
        lastNumber: event.number,
        eventId: event.id,
        attempts,
        reason: next.over,
      });
    if (kind === 'first') tried.add(event.number);
    served += 1;
    isDirty = true;
    // What an address did that is not the endpoint's any more says nothing of it.
    if (isDisabled || (target && target.url !== url)) return;
    standing = afterAttempt(standing.health, outcome, now);
    isDisabled = standing.disabledFor !== undefined;
    if (isDisabled || isAtRest(standing.health, now)) close();
  };

  /** What no receiver is to blame for, such as an endpoint without keys: the event stays where it is. */
  const giveUp = (error: unknown): void => {
    onError(error);
    standing = { ...standing, health: { ...standing.health, restsUntil: new Date(clock().getTime() + BROKEN_MS) } };
    close();
  };

  const begin = async (job: Job, { url, header, keys }: PushTarget): Promise<void> => {
    const { event } = job;
    underWay.set(job, performance.now());
    if (job.kind === 'first') busyFlights.add(event.flightKey);
    try {
      const madeAt = clock();
      const signing = keys.filter(({ endsAt }) => endsAt === undefined || endsAt > madeAt).map(({ key }) => key);
      const outcome = await deliver({ url, keys: signing, header }, { id: event.id, body: showEvent(event) });
      settle(job, outcome, { madeAt, url });
    } catch (error) {
      giveUp(error);
    }
    underWay.delete(job);
    if (job.kind === 'first') busyFlights.delete(event.flightKey);
    lastBusy = performance.now();
    pump();
    onSettled(lane);
  };

  const pump = (): void => {
    for (;;) {
      if (isClosed || !target || performance.now() >= leasedUntil) return;
      if (underWay.size >= (isOnProbe(standing.health) ? 1 : atOnce)) return;
      const job = nextJob();
      if (!job) return;
      void begin(job, target);
    }
  };

  const readTo = (): number => Math.max(readUpTo, tried.upTo());
  const isEventHungry = (): boolean => {
    if (isClosed || !mayHaveMore || waiting.length >= 2 * atOnce) return false;
    return readTo() - tried.upTo() < (isGapAhead ? 1 : FURTHEST);
  };

  const expire = (from: number, to: number, attempts: number): void => {
    const letter = { endpointId: id, number: from, lastNumber: to, eventId: undefined, attempts };
    unwritten.deadLetters.push({ ...letter, reason: 'expired' });
    isDirty = true;
    onSettled(lane);
  };

  const lane: PushLane = {
    id,
    stream,
    since,
    wanted: () => {
      if (!isEventHungry()) return undefined;
      [mayHaveMore, isGapAhead] = [false, false];
      return { id, stream, after: readTo() };
    },
    take: (due, { after, limit }) => {
      if (isClosed || !due) return;
      mayHaveMore ||= due.kind === 'expired' || due.events.length >= limit;
      if (due.kind === 'expired') {
        // What is before the gap is ended first, so that the gap is all that is given up.
        if (after > tried.upTo()) isGapAhead = true;
        else for (const [from, to] of tried.skipTo(due.oldest - 1)) expire(from, to, 0);
        return;
      }
      for (const event of due.events) {
        readUpTo = event.number;
        if (!tried.has(event.number)) waiting.push(event);
      }
      pump();
    },
    wantsRetries: () => !isClosed && mayHaveRetries && again.length === 0,
    isHungry: () => isEventHungry() || lane.wantsRetries(),
    takeRetries: (due, { most, readFrom }) => {
      if (isClosed) return;
      wereRetriesMany = due.length >= most;
      let isOutdated = false;
      for (const retry of due) {
        if (inHand.has(retry.number)) continue;
        if ((writtenAt.get(retry.number) ?? -Infinity) >= readFrom) {
          isOutdated = true;
          continue;
        }
        inHand.add(retry.number);
        if (retry.event) again.push(retry);
        else {
          expire(retry.number, retry.number, retry.attempts);
          const { number: expired, attempts, version } = retry;
          unwritten.retries.push({ endpointId: id, number: expired, attempts, dueAt: undefined, version });
        }
      }
      for (const [written, at] of writtenAt) if (at < readFrom) writtenAt.delete(written);
      // A page of nothing but what is in hand comes again until that is written.
      mayHaveRetries = isOutdated || (wereRetriesMany && again.length > 0);
      pump();
    },
    hear: (what) => {
      if (what === 'events') mayHaveMore = true;
      else mayHaveRetries = true;
    },
    aim: (to) => {
      target = to;
      if (!to) close();
      else pump();
    },
    lease: (until) => {
      leasedUntil = until ?? 0;
      isLost ||= until === undefined;
      if (isLost) close();
      else pump();
    },
    leasedUntil: () => leasedUntil,
    close,
    isClosed: () => isClosed,
    isLost: () => isLost,
    idleSince: () =>
      underWay.size + waiting.length + again.length > 0 || isDirty || mayHaveMore || isClosed ? undefined : lastBusy,
    served: () => served,
    busySince: () => underWay.values().next().value,
    collect: () => {
      const isReleased = isClosed && underWay.size === 0;
      // A closed lane has nothing to say before it is at its end, except what was tried.
      if (isLost || !isDirty || (isClosed && !isReleased && unwritten.attempts.length === 0)) return undefined;
      const results = {
        standings: [{ id, number: tried.upTo(), finished: tried.beyond(), ...standing, isReleased }],
        ...unwritten,
      };
      unwritten = nothing();
      // Said once: somebody may enable it again while its last attempts are under way.
      standing = { ...standing, disabledFor: undefined };
      isDirty = isClosed && !isReleased;
      return results;
    },
    written: ({ retries }) => {
      for (const retry of retries)
        if (retry.endpointId === id && inHand.delete(retry.number)) writtenAt.set(retry.number, performance.now());
      mayHaveRetries ||= wereRetriesMany;
    },
  };
  return lane;
};
