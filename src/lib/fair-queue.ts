import { CodelQueue, type CodelLimits } from './codel-queue.ts';
import { createLinkedList, type ListNode } from './linked-list.ts';

export type FairQueueOptions = {
  /** The most entries of all owners that run at the same time. */
  readonly maxRunning: number;
  /** How long entries wait. Each owner has a queue of its own, so that a standing queue sheds the entries of its owner only. */
  readonly wait: CodelLimits;
  /** Returns milliseconds. */
  readonly now: () => number;
  /** Creates the error of an entry that has waited for too long. */
  readonly createError: () => Error;
};

export type FairQueueEntry = {
  readonly owner: number;
  /** Whether it runs beside no other exclusive entry of its owner. */
  readonly isExclusive: boolean;
};

/** Ends the turn of an entry; calls after the first have no effect. */
export type EndTurn = () => void;

type Waiter = { readonly isExclusive: boolean; readonly turn: PromiseWithResolvers<EndTurn> };

/** An owner whose entries run, wait, or did so within `ACTIVE_MS`. */
type Lane = {
  readonly owner: number;
  /** When its last turn ended, and its place among the owners without entries. */
  idleSince: number;
  idleNode: ListNode<Lane> | undefined;
  running: number;
  isExclusiveRunning: boolean;
  readonly shared: CodelQueue<Waiter>;
  readonly exclusive: CodelQueue<Waiter>;
  /** Its place among the owners whose entries wait, in the order in which they get turns. */
  node: ListNode<Lane> | undefined;
};

/** How long an owner counts as active after its last turn, milliseconds. */
const ACTIVE_MS = 1000;
/** How often entries that have waited for too long are rejected, milliseconds. */
const SWEEP_MS = 10;
/**
 * The share of a queue that one sweep rejects. Clients that retry at once would otherwise return together, twice a second: 150 requests took up to
 * 300 ms, for which all others waited.
 */
const SWEPT_SHARE = 1 / 64;

/**
 * Limits how many entries run at the same time, and gives turns to the owners of waiting entries in rotation (round-robin fair queueing), so that
 * the wait of an owner does not depend on the number of entries of others. A single active owner can use three quarters of the
 * room. Several can use half of it, in equal shares of at least one entry. The rest is for owners that become active. While there is room, an entry runs at once and costs no
 * promise.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** The active owners. */
  readonly #lanes = new Map<number, Lane>();
  /** Those of them without entries, the longest idle first. */
  readonly #idleLanes = createLinkedList<Lane>();
  readonly #waitingLanes = createLinkedList<Lane>();
  #running = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Starts the turn of an entry, or returns a promise of it, which rejects when the entry has waited for too long. */
  enter({ owner, isExclusive }: FairQueueEntry): EndTurn | Promise<EndTurn> {
    this.#removeInactive();
    const lane = this.#lanes.get(owner) ?? this.#addLane(owner);
    if (lane.idleNode) this.#idleLanes.remove(lane.idleNode);
    lane.idleNode = undefined;
    // The first of the waiting entries may be exclusive: the others do not wait for it.
    if (this.#canRun(lane, isExclusive) && this.#queueOf(lane, isExclusive).size === 0)
      return this.#start(lane, isExclusive);
    const turn = Promise.withResolvers<EndTurn>();
    this.#queueOf(lane, isExclusive).push({ isExclusive, turn });
    lane.node ??= this.#waitingLanes.append(lane);
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    return turn.promise;
  }

  #addLane(owner: number): Lane {
    const { wait, now } = this.#options;
    const lane: Lane = {
      owner,
      idleSince: 0,
      idleNode: undefined,
      running: 0,
      isExclusiveRunning: false,
      shared: new CodelQueue(wait, now),
      exclusive: new CodelQueue(wait, now),
      node: undefined,
    };
    this.#lanes.set(owner, lane);
    return lane;
  }

  #queueOf(lane: Lane, isExclusive: boolean): CodelQueue<Waiter> {
    return isExclusive ? lane.exclusive : lane.shared;
  }

  #canRun(lane: Lane, isExclusive: boolean): boolean {
    if (isExclusive && lane.isExclusiveRunning) return false;
    return this.#running < this.#options.maxRunning && lane.running < this.#computeShare();
  }

  /** Returns how many entries of one owner can run. */
  #computeShare(): number {
    const { maxRunning } = this.#options;
    return Math.ceil(this.#lanes.size === 1 ? maxRunning * 0.75 : maxRunning / 2 / this.#lanes.size);
  }

  #start(lane: Lane, isExclusive: boolean): EndTurn {
    this.#running += 1;
    lane.running += 1;
    if (isExclusive) lane.isExclusiveRunning = true;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#running -= 1;
      lane.running -= 1;
      if (isExclusive) lane.isExclusiveRunning = false;
      if (this.#waitingLanes.size() > 0) this.#continue();
      this.#noteIdle(lane);
    };
  }

  /** Starts turns while there is room: one for each owner, then again. */
  #continue(): void {
    this.#removeInactive();
    for (let hasStarted = true; hasStarted;) {
      hasStarted = false;
      for (const lane of this.#waitingLanes.toArray()) {
        if (this.#running >= this.#options.maxRunning) return;
        hasStarted = this.#startNext(lane) || hasStarted;
      }
    }
  }

  /** Starts the next entry of an owner, which then is the last in the rotation; false when none of them can run. */
  #startNext(lane: Lane): boolean {
    for (const isExclusive of [true, false]) {
      if (!this.#canRun(lane, isExclusive)) continue;
      const waiter = this.#queueOf(lane, isExclusive).shift();
      if (!waiter) continue;
      waiter.turn.resolve(this.#start(lane, isExclusive));
      this.#leaveRotation(lane);
      if (lane.shared.size + lane.exclusive.size > 0) lane.node = this.#waitingLanes.append(lane);
      else this.#stopTimer();
      return true;
    }
    return false;
  }

  /** Rejects some of the entries that have waited for too long. */
  #sweep(): void {
    for (const lane of this.#waitingLanes.toArray()) {
      for (const queue of [lane.shared, lane.exclusive])
        for (let count = Math.ceil(queue.size * SWEPT_SHARE); count > 0; count -= 1)
          queue.shiftOverdue()?.turn.reject(this.#options.createError());
      if (lane.shared.size + lane.exclusive.size > 0) continue;
      this.#leaveRotation(lane);
      this.#noteIdle(lane);
    }
    this.#stopTimer();
    // Owners that have become inactive leave room.
    this.#continue();
  }

  #leaveRotation(lane: Lane): void {
    if (lane.node) this.#waitingLanes.remove(lane.node);
    lane.node = undefined;
  }

  #stopTimer(): void {
    if (this.#waitingLanes.size() > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #noteIdle(lane: Lane): void {
    if (lane.running > 0 || lane.node || lane.idleNode) return;
    lane.idleSince = this.#options.now();
    lane.idleNode = this.#idleLanes.append(lane);
  }

  #removeInactive(): void {
    const before = this.#options.now() - ACTIVE_MS;
    for (let lane = this.#idleLanes.first(); lane && lane.idleSince <= before; lane = this.#idleLanes.first()) {
      if (lane.idleNode) this.#idleLanes.remove(lane.idleNode);
      this.#lanes.delete(lane.owner);
    }
  }
}
