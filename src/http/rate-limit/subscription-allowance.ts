import { computeSecondsToEnd, computeWindow, type TimeWindow, type WindowKind } from '../../lib/fixed-window.ts';
import type { AllowanceRequest, GrantedAllowance } from '../../store/access/rate-limit-windows.ts';
import { Problem, type ProblemKind } from '../response/problem.ts';
import type { RequestLimits } from './request-limits.ts';

/** Acquires a block of requests from the windows that all servers share. */
export type AcquireAllowance = (request: AllowanceRequest) => Promise<readonly GrantedAllowance[]>;

/** `RateLimit-Policy` and `RateLimit`; empty where no limits apply. */
export type RateLimitHeaders = Readonly<Record<string, string>>;

/** A fixed window in which requests are counted, as this server knows it. */
type CountedWindow = {
  readonly kind: WindowKind;
  readonly window: TimeWindow;
  limit: number;
  /** Requests acquired by all servers together when this one last acquired a block. */
  taken: number;
  /** Requests of this server's last block that are not used yet. */
  left: number;
};

/** A block holds about the requests of a second: its size doubles below `FAST_REFILL_MS` and halves above `SLOW_REFILL_MS`. */
const MIN_BLOCK = 32;
const MAX_BLOCK = 4096;
const FAST_REFILL_MS = 1000;
const SLOW_REFILL_MS = 4000;

const problems: Readonly<Record<WindowKind, { readonly kind: ProblemKind; readonly period: string }>> = {
  minute: { kind: 'rate-limited', period: 'a minute' },
  month: { kind: 'quota-used', period: 'a calendar month (UTC)' },
};

/** Requests of a window that were used, as far as this server knows. */
const countUsed = ({ taken, left }: CountedWindow): number => taken - left;

/** Whether no request is left; usage can exceed a limit that was lowered later. */
const isUsedUp = (window: CountedWindow): boolean => countUsed(window) >= window.limit;

/** Formats `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11); empty where there is no limit. */
const formatPolicy = (windows: readonly CountedWindow[], { atOnce }: RequestLimits): string =>
  [
    ...windows.map(({ kind, limit, window }) => `"${kind}";q=${limit};w=${(window.endsAt - window.startsAt) / 1000}`),
    ...(atOnce === 0 ? [] : [`"at-once";q=${atOnce};qu="concurrent-requests"`]),
  ].join(', ');

/** Formats `RateLimit` of the same draft at an instant, milliseconds since 1970; empty where no requests are counted. */
const formatRemaining = (windows: readonly CountedWindow[], now: number): string => {
  let text = '';
  for (const counted of windows) {
    const remaining = Math.max(0, counted.limit - countUsed(counted));
    text += `${text && ', '}"${counted.kind}";r=${remaining};t=${computeSecondsToEnd(counted.window, now)}`;
  }
  return text;
};

const createWindows = ({ perMinute, perMonth }: RequestLimits, now: number): readonly CountedWindow[] =>
  [['minute', perMinute] as const, ['month', perMonth] as const].flatMap(([kind, limit]) =>
    limit === 0 ? [] : [{ kind, window: computeWindow(kind, now), limit, left: 0, taken: 0 }],
  );

/**
 * The requests that one subscription may still make on this server. They are acquired from the database in blocks and used from memory.
 * While the database is unavailable a request that needs a new block fails; what is left of the last block can still be used.
 *
 * A clock that goes back enters windows whose requests are counted already, and leaves them as time goes on.
 */
export class SubscriptionAllowance {
  readonly #subscriptionId: number;
  readonly #acquireBlock: AcquireAllowance;
  readonly #clock: () => Date;
  #windows: readonly CountedWindow[] = [];
  #limits: RequestLimits | undefined;
  #policy = '';
  #blockSize = MIN_BLOCK / 2;
  #refilledAt: number;
  /** Requests that wait for the next block. */
  #waiting = 0;
  #refill: Promise<void> | undefined;

  constructor(subscriptionId: number, acquireBlock: AcquireAllowance, clock: () => Date) {
    this.#subscriptionId = subscriptionId;
    this.#acquireBlock = acquireBlock;
    this.#clock = clock;
    this.#refilledAt = clock().getTime();
  }

  /**
   * Uses one request of every window from memory, with the limits of an instant in milliseconds since 1970; returns undefined when a
   * block must be acquired first. Throws Problem `rate-limited` or `quota-used` when a window is used up.
   */
  acquire(limits: RequestLimits, now: number): RateLimitHeaders | undefined {
    if (!this.#isCurrent(limits, now)) this.#enterWindows(limits, now);
    let isEmpty = false;
    for (const window of this.#windows) {
      if (isUsedUp(window)) throw this.#usedUpProblem(window, now);
      isEmpty ||= window.left === 0;
    }
    if (isEmpty) return undefined;
    for (const window of this.#windows) window.left -= 1;
    return this.formatHeaders(now);
  }

  /** Does the same after acquiring blocks. Other waiting requests can use up a block: then this one acquires another. */
  async refillAndAcquire(limits: RequestLimits): Promise<RateLimitHeaders> {
    for (;;) {
      await this.#waitForRefill();
      const headers = this.acquire(limits, this.#clock().getTime());
      if (headers) return headers;
    }
  }

  formatHeaders(now: number): RateLimitHeaders {
    if (this.#policy === '') return {};
    const remaining = formatRemaining(this.#windows, now);
    return remaining === ''
      ? { 'RateLimit-Policy': this.#policy }
      : { 'RateLimit-Policy': this.#policy, RateLimit: remaining };
  }

  #isCurrent(limits: RequestLimits, now: number): boolean {
    for (const { window } of this.#windows) if (now < window.startsAt || now >= window.endsAt) return false;
    const known = this.#limits;
    if (known === limits) return true;
    const { perMinute, perMonth, atOnce } = limits;
    return known?.perMinute === perMinute && known.perMonth === perMonth && known.atOnce === atOnce;
  }

  /**
   * Enters the windows of an instant; what is left of earlier windows is discarded. What is left of the same window stays when its limit
   * changes: keys of a subscription can learn of a new limit seconds apart, and would lose a block at each change.
   */
  #enterWindows(limits: RequestLimits, now: number): void {
    this.#windows = createWindows(limits, now).map((created) => {
      const known = this.#windows.find(
        ({ kind, window }) => kind === created.kind && window.startsAt === created.window.startsAt,
      );
      return known ? Object.assign(known, { limit: created.limit }) : created;
    });
    this.#limits = limits;
    this.#policy = formatPolicy(this.#windows, limits);
  }

  #usedUpProblem({ kind, limit, window }: CountedWindow, now: number): Problem {
    const seconds = computeSecondsToEnd(window, now);
    const problem = problems[kind];
    return new Problem(
      problem.kind,
      `The subscription may ask ${limit} times in ${problem.period}, and has. Try again in ${seconds} seconds.`,
      { headers: { ...this.formatHeaders(now), 'Retry-After': String(seconds) } },
    );
  }

  /** Waits for the refill under way, or starts one. */
  async #waitForRefill(): Promise<void> {
    this.#waiting += 1;
    try {
      this.#refill ??= this.#acquireBlocks().finally(() => {
        this.#refill = undefined;
      });
      await this.#refill;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #acquireBlocks(): Promise<void> {
    const empty = this.#windows.filter(({ left }) => left === 0);
    const grants = await this.#acquireBlock({
      subscriptionId: this.#subscriptionId,
      requested: Math.max(this.#adaptBlockSize(this.#clock().getTime()), this.#waiting),
      windows: empty.map(({ kind, window, limit }) => ({ kind, startsAt: new Date(window.startsAt), limit })),
    });
    for (const window of empty) {
      const grant = grants.find(({ kind }) => kind === window.kind);
      window.left = grant?.granted ?? 0;
      window.taken = grant?.taken ?? window.limit;
    }
  }

  #adaptBlockSize(now: number): number {
    const elapsed = now - this.#refilledAt;
    if (elapsed >= 0 && elapsed < FAST_REFILL_MS) this.#blockSize = Math.min(this.#blockSize * 2, MAX_BLOCK);
    if (elapsed > SLOW_REFILL_MS) this.#blockSize = Math.max(this.#blockSize / 2, MIN_BLOCK);
    this.#refilledAt = now;
    return this.#blockSize;
  }
}
