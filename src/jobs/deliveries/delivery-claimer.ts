import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../store/pool/database.ts';
import { readEventsDue, readRetriesDue, type WantedEvents } from '../../store/deliveries/push-due.ts';
import {
  claimEndpoints,
  lastGiven,
  readTargets,
  renewClaims,
  streamsGrown,
} from '../../store/deliveries/push-progress.ts';
import { newPushLane, type LaneSettings, type PushLane } from './endpoint-sender.ts';

export type PushTaking = Omit<LaneSettings, 'deliver'> & {
  readonly deliverer: { readonly deliver: LaneSettings['deliver'] };
  readonly lanes: Map<string, PushLane>;
  readonly worker: string;
  readonly endpoints: number;
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly turnMs: number;
  readonly lingerMs: number;
};

/** Finds endpoints that have work, and reads what is to be sent to them. */
export type PushIntake = {
  /** Something was announced: events of accounts, or a change of endpoints. */
  readonly hear: (what: 'events' | 'endpoints') => void;
  /** Endpoints of these streams may have work that nobody serves. */
  readonly lookAt: (streams: readonly number[]) => void;
  /** Keeps what is under way from being taken over; `step` does so itself. */
  readonly renew: () => Promise<void>;
  /** Does what is due, and answers after how many milliseconds to look again. */
  readonly step: () => Promise<number>;
};

/** Endpoints that are claimed by one statement: few, so that several processes that start together share them. */
const CLAIMED_AT_ONCE = 32;
/** Events that are read by one statement, and that wait in a process: some 10 MB. */
const READ_AT_ONCE = 2000;
const WAITING_AT_MOST = 5000;
/** Events of one endpoint that wait, and after how many it leaves its place to another that waits for one. */
const SLICE = 200;
const RETRIES_AT_ONCE = 100;
/** A turn does not end while an attempt hangs for longer: the endpoint would stand still until that is over. */
const HANGING_MS = 1000;

/** The work of one process between the store and the lanes of its endpoints. */
export const newPushIntake = (db: Database, taking: PushTaking): PushIntake => {
  const { deliverer, lanes, worker, clock, onError, endpoints, atOnce, leaseMs, pollMs, turnMs, lingerMs } = taking;
  let [haveEventsCome, haveEndpointsChanged, isAllDue] = [true, false, false];
  let [pollAt, claimAt, endedAt, tookMs, turn] = [0, 0, 0, 0, 0];
  /** The position of the log up to which it is known which streams have grown. */
  let seen: number | undefined;
  const toLookAt = new Set<number>();

  const forget = (lane: PushLane): void => {
    lane.lease(undefined);
    if (lanes.get(lane.id) === lane) lanes.delete(lane.id);
  };

  const renew = async (): Promise<void> => {
    const from = performance.now();
    const ending = [...lanes.values()].filter((lane) => lane.leasedUntil() - from < (2 / 3) * leaseMs);
    if (ending.length === 0) return;
    const own = await renewClaims(db, { worker, leaseMs, ids: ending.map(({ id }) => id) });
    // One that was handed back meanwhile is not there any more.
    for (const lane of ending)
      if (own.has(lane.id)) lane.lease(from + leaseMs);
      else forget(lane);
  };

  const aim = async (ids: readonly string[]): Promise<void> => {
    const targets = await readTargets(db, ids);
    for (const id of ids) lanes.get(id)?.aim(targets.get(id));
  };

  /** Finds out which streams have grown. */
  const follow = async (): Promise<void> => {
    haveEventsCome = false;
    if (seen === undefined) {
      seen = await lastGiven(db);
      isAllDue = true;
      return;
    }
    const { position, streams } = await streamsGrown(db, seen);
    seen = position;
    if (streams.length === 0) return;
    for (const stream of streams) toLookAt.add(stream);
    for (const lane of lanes.values()) if (toLookAt.has(lane.stream)) lane.hear('events');
  };

  const claim = async (): Promise<void> => {
    const from = performance.now();
    const limit = Math.min(CLAIMED_AT_ONCE, endpoints - lanes.size);
    if (limit <= 0 || (!isAllDue && toLookAt.size === 0) || from < claimAt) return;
    const looked = { isAll: isAllDue, streams: [...toLookAt] };
    isAllDue = false;
    toLookAt.clear();
    const claimed = await claimEndpoints(db, {
      worker,
      leaseMs,
      limit,
      now: clock(),
      streams: looked.isAll ? undefined : looked.streams,
      held: [...lanes.keys()],
      withRetries: looked.isAll,
    });
    const isDone = claimed.length < limit;
    if (!isDone) {
      isAllDue ||= looked.isAll;
      for (const stream of looked.streams) toLookAt.add(stream);
    }
    // The longer it takes the less often it is done: a quarter of the time at most.
    claimAt = isDone ? 4 * performance.now() - 3 * from : 0;
    for (const endpoint of claimed) {
      const lane = newPushLane(endpoint, { ...taking, deliver: deliverer.deliver });
      lanes.set(endpoint.id, lane);
      lane.lease(from + leaseMs);
    }
    await aim(claimed.map(({ id }) => id));
  };

  /** Those that want to be read, so many at most; not the same ones first each time. */
  const wanted = (most: number): readonly WantedEvents[] => {
    const all = [...lanes.values()];
    const asked: WantedEvents[] = [];
    for (let index = 0; index < all.length && asked.length < most; index += 1) {
      const asks = all[(turn + index) % all.length]?.wanted();
      if (asks) asked.push(asks);
    }
    turn += asked.length;
    return asked;
  };

  const readEvents = async (): Promise<void> => {
    const limit = Math.max(3 * atOnce, Math.min(SLICE, Math.floor(WAITING_AT_MOST / lanes.size)));
    const asked = wanted(Math.ceil(READ_AT_ONCE / limit));
    const due = await readEventsDue(db, asked, limit).catch((error: unknown) => {
      for (const { id } of asked) lanes.get(id)?.hear('events');
      throw error;
    });
    for (const asks of asked) lanes.get(asks.id)?.take(due.get(asks.id), { ...asks, limit });
  };

  const readRetries = async (): Promise<void> => {
    const wanting = [...lanes.values()].filter((lane) => lane.wantsRetries());
    const readFrom = performance.now();
    const due = await readRetriesDue(db, { endpoints: wanting, now: clock(), limit: RETRIES_AT_ONCE });
    for (const lane of wanting) lane.takeRetries(due.get(lane.id) ?? [], { most: RETRIES_AT_ONCE, readFrom });
  };

  /** Hands back endpoints whose turn is over, or that have nothing to send. */
  const tidy = (): void => {
    const now = performance.now();
    const isFull = lanes.size >= endpoints;
    for (const lane of lanes.values()) {
      const idleSince = lane.idleSince();
      if (idleSince !== undefined && (isFull || now - idleSince >= lingerMs)) lane.close();
      const isOver = now - lane.since >= turnMs || (isFull && lane.served() >= SLICE);
      if (isOver && now - (lane.busySince() ?? now) < HANGING_MS) lane.close();
    }
  };

  const waitMs = (): number => {
    const now = performance.now();
    if ([...lanes.values()].some((lane) => lane.isHungry())) return 0;
    const isClaimDue = (isAllDue || toLookAt.size > 0) && lanes.size < endpoints;
    const claimMs = isClaimDue ? claimAt - now : Infinity;
    return Math.max(0, Math.min(pollAt - now, claimMs, leaseMs / 4));
  };

  const work = async (): Promise<void> => {
    const isPolling = performance.now() >= pollAt;
    if (isPolling) pollAt = performance.now() + pollMs;
    await renew();
    if (isPolling || haveEndpointsChanged) {
      haveEndpointsChanged = false;
      isAllDue = true;
      for (const lane of lanes.values()) lane.hear('retries');
      await aim([...lanes.keys()]);
    }
    if (isPolling || haveEventsCome) await follow();
    await claim();
    await readEvents();
    await readRetries();
    tidy();
  };

  return {
    hear: (what) => {
      if (what === 'endpoints') haveEndpointsChanged = true;
      else haveEventsCome = true;
    },
    lookAt: (streams) => {
      for (const stream of streams) toLookAt.add(stream);
    },
    renew: () => renew().catch(onError),
    step: async () => {
      // What is announced while it works, or rests for half as long, is done together.
      await delay(Math.max(0, endedAt + tookMs / 2 - performance.now()));
      const began = performance.now();
      try {
        await work();
        return waitMs();
      } catch (error) {
        onError(error);
        return pollMs;
      } finally {
        endedAt = performance.now();
        tookMs = Math.min(100, endedAt - began);
      }
    },
  };
};
