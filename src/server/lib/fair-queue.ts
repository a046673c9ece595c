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
  /**
   * Whether running entries wait for something that may be lost. Waiting entries are not rejected then, nor in the second after that, for up to
   * three seconds: they do not show an overload. Stalls that follow each other within a second count as one. By default never.
   */
  readonly isStalled?: (() => boolean) | undefined;
};

export type FairQueueEntry = {
  readonly owner: number;
  /** Whether it runs beside no other exclusive entry of its owner. */
  readonly isExclusive: boolean;
};

/** Ends the turn of an entry; calls after the first have no effect. */
export type EndTurn = () => void;

type Waiter = PromiseWithResolvers<EndTurn>;

/** An owner whose entries run, wait, or did so within `ACTIVE_MS`. */
type OwnerState = {
  readonly owner: number;
  /** When its last turn ended, and its place among the owners without entries. */
  idleSince: number;
  idleNode: ListNode<OwnerState> | undefined;
  running: number;
  /** Average duration of its last turns, milliseconds. */
  turnMs: number;
  isExclusiveRunning: boolean;
  readonly shared: CodelQueue<Waiter>;
  readonly exclusive: CodelQueue<Waiter>;
  /** Its place among the owners whose entries wait, in the order in which they get turns. */
  node: ListNode<OwnerState> | undefined;
};

/** How long an owner counts as active after its last turn, milliseconds. */
const ACTIVE_MS = 1000;
/** Entries of one owner run side by side while their turns together are this short, milliseconds. */
const SIDE_BY_SIDE_MS = 40;
/** How much of the average the last turn is. */
const LAST_TURN_SHARE = 1 / 8;
/** How long after a stall entries are not rejected, milliseconds: those that waited meanwhile get their turns. */
const AFTER_STALL_MS = 1000;
/** How long a stall counts as one, milliseconds: by then a loss is certain. What only takes long is an overload. */
const LONGEST_STALL_MS = 3000;
/** How often entries that have waited for too long are rejected, milliseconds. */
const SWEEP_MS = 10;
/**
 * The share of a queue that one sweep rejects. Clients that retry at once would otherwise return together, twice a second: 150 requests took up to
 * 300 ms, for which all others waited.
 */
const SWEPT_SHARE = 1 / 64;

/**
 * Limits how many entries run at the same time, and gives turns to the owners of waiting entries in rotation (round-robin fair queueing), so that
 * the wait of an owner does not depend on the number of entries of others. A single active owner can use three quarters of the room. Several have
 * equal shares of it, but one with long turns runs fewer entries, one at the least: each entry that runs delays the others. While there is room,
 * an entry runs at once and costs no promise.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** The active owners. */
  readonly #owners = new Map<number, OwnerState>();
  /** Those of them without entries, the longest idle first. */
  readonly #idleOwners = createLinkedList<OwnerState>();
  readonly #waitingOwners = createLinkedList<OwnerState>();
  #running = 0;
  #stalledAt = -Infinity;
  #stalledSince = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Starts the turn of an entry, or returns a promise of it, which rejects when the entry has waited for too long. */
  enter({ owner, isExclusive }: FairQueueEntry): EndTurn | Promise<EndTurn> {
    this.#removeInactive();
    const state = this.#owners.get(owner) ?? this.#addOwner(owner);
    if (state.idleNode) this.#idleOwners.remove(state.idleNode);
    state.idleNode = undefined;
    // The first of the waiting entries may be exclusive: the others do not wait for it.
    if (this.#canRun(state, isExclusive) && this.#queueOf(state, isExclusive).size === 0)
      return this.#start(state, isExclusive);
    const turn = Promise.withResolvers<EndTurn>();
    this.#queueOf(state, isExclusive).push(turn);
    state.node ??= this.#waitingOwners.append(state);
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    return turn.promise;
  }

  #addOwner(owner: number): OwnerState {
    const { wait, now } = this.#options;
    const state: OwnerState = {
      owner,
      idleSince: 0,
      idleNode: undefined,
      running: 0,
      turnMs: 0,
      isExclusiveRunning: false,
      shared: new CodelQueue(wait, now),
      exclusive: new CodelQueue(wait, now),
      node: undefined,
    };
    this.#owners.set(owner, state);
    return state;
  }

  #queueOf(state: OwnerState, isExclusive: boolean): CodelQueue<Waiter> {
    return isExclusive ? state.exclusive : state.shared;
  }

  #canRun(state: OwnerState, isExclusive: boolean): boolean {
    if (isExclusive && state.isExclusiveRunning) return false;
    return this.#running < this.#options.maxRunning && state.running < this.#computeShare(state);
  }

  /** Returns how many entries of an owner can run. */
  #computeShare({ turnMs }: OwnerState): number {
    const { maxRunning } = this.#options;
    if (this.#owners.size === 1) return Math.ceil(maxRunning * 0.75);
    return Math.max(1, Math.floor(Math.min(maxRunning / this.#owners.size, SIDE_BY_SIDE_MS / turnMs)));
  }

  #start(state: OwnerState, isExclusive: boolean): EndTurn {
    this.#running += 1;
    state.running += 1;
    if (isExclusive) state.isExclusiveRunning = true;
    const startedAt = this.#options.now();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#running -= 1;
      state.running -= 1;
      if (isExclusive) state.isExclusiveRunning = false;
      // An exclusive entry may only have waited for another process.
      else state.turnMs += (this.#options.now() - startedAt - state.turnMs) * LAST_TURN_SHARE;
      if (this.#waitingOwners.size() > 0) this.#continue();
      this.#noteIdle(state);
    };
  }

  /** Starts turns while there is room: one for each owner, then again. */
  #continue(): void {
    this.#removeInactive();
    for (let hasStarted = true; hasStarted;) {
      hasStarted = false;
      for (const state of this.#waitingOwners.toArray()) {
        if (this.#running >= this.#options.maxRunning) return;
        hasStarted = this.#startNext(state) || hasStarted;
      }
    }
  }

  /** Starts the next entry of an owner, which then is the last in the rotation; false when none of them can run. */
  #startNext(state: OwnerState): boolean {
    for (const isExclusive of [true, false]) {
      if (!this.#canRun(state, isExclusive)) continue;
      const waiter = this.#queueOf(state, isExclusive).shift();
      if (!waiter) continue;
      waiter.resolve(this.#start(state, isExclusive));
      this.#leaveRotation(state);
      if (state.shared.size + state.exclusive.size > 0) state.node = this.#waitingOwners.append(state);
      else this.#stopTimer();
      return true;
    }
    return false;
  }

  /** Rejects some of the entries that have waited for too long. */
  #sweep(): void {
    if (this.#hasStalled()) return;
    for (const state of this.#waitingOwners.toArray()) {
      for (const queue of [state.shared, state.exclusive])
        for (let count = Math.ceil(queue.size * SWEPT_SHARE); count > 0; count -= 1)
          queue.shiftOverdue()?.reject(this.#options.createError());
      if (state.shared.size + state.exclusive.size > 0) continue;
      this.#leaveRotation(state);
      this.#noteIdle(state);
    }
    this.#stopTimer();
    // Owners that have become inactive leave room.
    this.#continue();
  }

  #hasStalled(): boolean {
    const now = this.#options.now();
    if (this.#options.isStalled?.()) {
      if (now - this.#stalledAt >= AFTER_STALL_MS) this.#stalledSince = now;
      this.#stalledAt = now;
    }
    return now - this.#stalledAt < AFTER_STALL_MS && now - this.#stalledSince < LONGEST_STALL_MS;
  }

  #leaveRotation(state: OwnerState): void {
    if (state.node) this.#waitingOwners.remove(state.node);
    state.node = undefined;
  }

  #stopTimer(): void {
    if (this.#waitingOwners.size() > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #noteIdle(state: OwnerState): void {
    if (state.running > 0 || state.node || state.idleNode) return;
    state.idleSince = this.#options.now();
    state.idleNode = this.#idleOwners.append(state);
  }

  #removeInactive(): void {
    const before = this.#options.now() - ACTIVE_MS;
    for (let state = this.#idleOwners.first(); state && state.idleSince <= before; state = this.#idleOwners.first()) {
      if (state.idleNode) this.#idleOwners.remove(state.idleNode);
      this.#owners.delete(state.owner);
    }
  }
}
