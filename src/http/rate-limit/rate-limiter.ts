import { Problem } from '../response/problem.ts';
import { defaultRequestLimits, type RequestLimits } from './request-limits.ts';
import { SubscriptionAllowance, type AcquireAllowance, type RateLimitHeaders } from './subscription-allowance.ts';

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
  readonly acquireAllowance: AcquireAllowance;
  readonly clock: () => Date;
  readonly defaults?: RequestLimits | undefined;
};

type SubscriptionUsage = {
  readonly allowance: SubscriptionAllowance;
  /** Concurrent requests on this server. */
  concurrent: number;
};

/** Creates the rate limiter: requests per minute and month in windows shared by all servers, and concurrent requests on this one. */
export const createRateLimiter = ({
  acquireAllowance,
  clock,
  defaults = defaultRequestLimits,
}: RateLimiterOptions): AdmitRequest => {
  const usages = new Map<number, SubscriptionUsage>();

  const usageOf = (subscriptionId: number): SubscriptionUsage => {
    const known = usages.get(subscriptionId);
    if (known) return known;
    const usage: SubscriptionUsage = {
      allowance: new SubscriptionAllowance(subscriptionId, acquireAllowance, clock),
      concurrent: 0,
    };
    usages.set(subscriptionId, usage);
    return usage;
  };

  return ({ subscriptionId, limits: ownLimits }) => {
    const usage = usageOf(subscriptionId);
    const { allowance } = usage;
    const limits = ownLimits === undefined ? defaults : { ...defaults, ...ownLimits };
    const now = clock().getTime();
    if (limits.atOnce > 0 && usage.concurrent >= limits.atOnce)
      throw new Problem(
        'too-many-at-once',
        `The subscription has ${limits.atOnce} requests being answered, which is as many as it can have. Try again in 1 second.`,
        { headers: { ...allowance.formatHeaders(now), 'Retry-After': '1' } },
      );
    let slots = 1;
    const release = (): void => {
      usage.concurrent -= slots;
      slots = 0;
    };
    const headers = allowance.acquire(limits, now);
    usage.concurrent += 1;
    if (headers) return { headers, release };
    return allowance.refillAndAcquire(limits).then(
      (acquired) => ({ headers: acquired, release }),
      (error: unknown) => {
        release();
        throw error;
      },
    );
  };
};
