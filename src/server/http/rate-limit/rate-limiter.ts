import { computeSecondsToEnd, computeWindow, type TimeWindow, type WindowKind } from '#lib/fixed-window.ts';
import {
  computeRequestShare,
  type ReservationRequest,
  type WindowReservation,
} from '#store/access/rate-limit-windows.ts';
import { Problem, type ProblemKind } from '../response/problem.ts';

/** Limits of a subscription, for all its keys together; 0 means no limit. */
export type RequestLimits = {
  /** Requests in a minute (UTC), over all servers. */
  readonly perMinute: number;
  /** Requests in a calendar month (UTC), over all servers: the quota. */
  readonly perMonth: number;
  /** Concurrent requests on one server process. */
  readonly atOnce: number;
};

/** Far above normal use, and low enough to stop a client in an endless loop. */
export const defaultRequestLimits: RequestLimits = { perMinute: 60_000, perMonth: 100_000_000, atOnce: 200 };

/** Reserves a block of requests in the windows that all servers share; undefined when the database can be read and not written, e.g. on a full disk. */
export type ReserveRequests = (request: ReservationRequest) => Promise<readonly WindowReservation[] | undefined>;

/** `RateLimit-Policy` and `RateLimit`; empty where no limits apply. */
type RateLimitHeaders = Readonly<Record<string, string>>;

/** A fixed window in which requests are counted, as this server knows it. */
type CountedWindow = {
  readonly kind: WindowKind;
  readonly window: TimeWindow;
  limit: number;
  /** Requests reserved by all servers together when this one last reserved a block. */
  reservedByAll: number;
  /** Requests of this server's last block that are not used yet. */
  unused: number;
  /** Requests of this server's blocks that the database does not know of, because it could not be written. */
  unrecorded: number;
};

/** A block holds about the requests of a second: its size doubles below `FAST_REFILL_MS` and halves above `SLOW_REFILL_MS`. */
const MIN_BLOCK = 32;
const MAX_BLOCK = 4096;
const FAST_REFILL_MS = 1000;
const SLOW_REFILL_MS = 4000;

const problems: Readonly<Record<WindowKind, { readonly kind: ProblemKind; readonly period: string }>> = {
  minute: { kind: 'rate-limited', period: 'per minute' },
  month: { kind: 'quota-used', period: 'per calendar month (UTC)' },
};

/** Requests of a window that were used, as far as this server knows. */
const countUsed = ({ reservedByAll, unused }: CountedWindow): number => reservedByAll - unused;

/** Whether no request remains; usage can exceed a limit that was lowered later. */
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
    limit === 0 ? [] : [{ kind, window: computeWindow(kind, now), limit, reservedByAll: 0, unused: 0, unrecorded: 0 }],
  );

/** Reserves a block that is recorded later. Windows that still have requests need none. */
const reserveInMemory = (window: CountedWindow, requested: number): void => {
  if (window.unused > 0) return;
  window.unused = computeRequestShare(window.kind, window.limit - window.reservedByAll, requested);
  window.reservedByAll += window.unused;
  window.unrecorded += window.unused;
};

/**
 * The rate limit windows of one subscription on this server. Requests are reserved in the database in blocks and used from memory.
 * While the database is unavailable, a request that needs a new block fails; the rest of the last block can still be used.
 * While the database can only be read, each process reserves from its own memory, up to the limit, and records the sum once it can write.
 *
 * A clock that goes back enters windows whose requests are counted already, and leaves them as time goes on.
 */
class SubscriptionWindows {
  readonly #subscriptionId: number;
  readonly #reserveBlock: ReserveRequests;
  readonly #clock: () => Date;
  #windows: readonly CountedWindow[] = [];
  #limits: RequestLimits | undefined;
  #policy = '';
  #blockSize = MIN_BLOCK / 2;
  #refilledAt: number;
  /** Requests that wait for the next block. */
  #waiting = 0;
  #refill: Promise<void> | undefined;

  constructor(subscriptionId: number, reserveBlock: ReserveRequests, clock: () => Date) {
    this.#subscriptionId = subscriptionId;
    this.#reserveBlock = reserveBlock;
    this.#clock = clock;
    this.#refilledAt = clock().getTime();
  }

  /**
   * Uses one request of every window from memory, with the limits of an instant in milliseconds since 1970; returns undefined when a
   * block must be reserved first. Throws Problem `rate-limited` or `quota-used` when a window is used up.
   */
  useOne(limits: RequestLimits, now: number): RateLimitHeaders | undefined {
    if (!this.#isCurrent(limits, now)) this.#enterWindows(limits, now);
    let needsBlock = false;
    for (const window of this.#windows) {
      if (isUsedUp(window)) throw this.#usedUpProblem(window, now);
      needsBlock ||= window.unused === 0;
    }
    if (needsBlock) return undefined;
    for (const window of this.#windows) window.unused -= 1;
    return this.formatHeaders(now);
  }

  /** Does the same after reserving a block. Other waiting requests can use up that block: then this one reserves another. */
  async refillAndUseOne(limits: RequestLimits): Promise<RateLimitHeaders> {
    for (;;) {
      await this.#waitForRefill();
      const headers = this.useOne(limits, this.#clock().getTime());
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
   * Enters the windows of an instant; unused requests of earlier windows are discarded. Those of the same window stay when its limit
   * changes: keys of a subscription are cached separately, get a new limit seconds apart, and would lose a block at each change.
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
      `The limit of the subscription is ${limit} requests ${problem.period}. Retry in ${seconds} seconds.`,
      { headers: { ...this.formatHeaders(now), 'Retry-After': String(seconds) } },
    );
  }

  /** Waits for the current refill, or starts one. */
  async #waitForRefill(): Promise<void> {
    this.#waiting += 1;
    try {
      this.#refill ??= this.#refillWindows().finally(() => {
        this.#refill = undefined;
      });
      await this.#refill;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #refillWindows(): Promise<void> {
    const windows = this.#windows.filter(({ unused, unrecorded }) => unused === 0 || unrecorded > 0);
    const requested = Math.max(this.#adaptBlockSize(this.#clock().getTime()), this.#waiting);
    const reservations = await this.#reserveBlock({
      subscriptionId: this.#subscriptionId,
      requested,
      windows: windows.map(({ kind, window, limit, unrecorded }) => ({
        kind,
        startsAt: new Date(window.startsAt),
        limit,
        unrecorded,
      })),
    });
    if (!reservations) return windows.forEach((window) => reserveInMemory(window, requested));
    for (const window of windows) {
      const reservation = reservations.find(({ kind }) => kind === window.kind);
      window.unused += reservation?.reserved ?? 0;
      window.reservedByAll = reservation?.reservedByAll ?? window.limit;
      window.unrecorded = 0;
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

/** A subscription, and those of its limits that are not the default. */
export type LimitedSubscription = {
  readonly subscriptionId: number;
  readonly limits?: Partial<RequestLimits> | undefined;
};

/** An admitted request. */
export type Admission = {
  /** Rate limit headers of its response. */
  readonly headers: RateLimitHeaders;
  /** Releases its concurrency slot; call it when the response is ready, or when the request only waits. Idempotent. */
  readonly release: () => void;
};

/**
 * Admits a request of a subscription, without a promise where it can, or throws Problem `rate-limited`, `quota-used` or
 * `too-many-at-once`. Other errors are those of the database.
 */
export type AdmitRequest = (subscription: LimitedSubscription) => Admission | Promise<Admission>;

export type RateLimiterOptions = {
  readonly reserveRequests: ReserveRequests;
  readonly clock: () => Date;
  readonly defaults?: RequestLimits | undefined;
};

type SubscriptionUsage = {
  readonly windows: SubscriptionWindows;
  /** Concurrent requests on this server. */
  concurrent: number;
};

/**
 * Creates the rate limiter. A limit belongs to the subscription and is shared by all its keys. Requests per minute and month are counted over all
 * servers, concurrent requests on this one.
 */
export const createRateLimiter = ({
  reserveRequests,
  clock,
  defaults = defaultRequestLimits,
}: RateLimiterOptions): AdmitRequest => {
  const usages = new Map<number, SubscriptionUsage>();

  const usageOf = (subscriptionId: number): SubscriptionUsage => {
    const known = usages.get(subscriptionId);
    if (known) return known;
    const usage: SubscriptionUsage = {
      windows: new SubscriptionWindows(subscriptionId, reserveRequests, clock),
      concurrent: 0,
    };
    usages.set(subscriptionId, usage);
    return usage;
  };

  return ({ subscriptionId, limits: ownLimits }) => {
    const usage = usageOf(subscriptionId);
    const { windows } = usage;
    const limits = ownLimits === undefined ? defaults : { ...defaults, ...ownLimits };
    const now = clock().getTime();
    if (limits.atOnce > 0 && usage.concurrent >= limits.atOnce)
      throw new Problem(
        'too-many-at-once',
        `The limit of the subscription is ${limits.atOnce} concurrent requests. Retry in 1 second.`,
        { headers: { ...windows.formatHeaders(now), 'Retry-After': '1' } },
      );
    let slots = 1;
    const release = (): void => {
      usage.concurrent -= slots;
      slots = 0;
    };
    const headers = windows.useOne(limits, now);
    usage.concurrent += 1;
    if (headers) return { headers, release };
    return windows.refillAndUseOne(limits).then(
      (refilled) => ({ headers: refilled, release }),
      (error: unknown) => {
        release();
        throw error;
      },
    );
  };
};
